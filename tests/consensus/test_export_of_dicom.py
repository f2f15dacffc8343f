"""What an export hands out of a DICOM file: its pixels, never the file."""

import io

import numpy as np
import pytest

from annotator.models import Image, User
from annotator.services.uploads import take_picture
from consensus.models import DatasetVersion
from tests.consensus.exported import made
from tests.imaging.dicom_files import dicom, grey16

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]
NAME = "Quartermain"


def test_an_export_holds_the_pixels_of_each_frame_and_no_identifier(version: DatasetVersion, organiser: User) -> None:
    stack = np.stack([grey16(seed=1), grey16(seed=2)])
    file = dicom(stack, frames=2, PatientName=NAME, PatientID=NAME)
    taken = take_picture(name="scan.dcm", content=lambda: io.BytesIO(file))
    images = list(Image.objects.filter(study=version.study).order_by("pk")[:2])
    for frame, image in enumerate(images, start=1):
        image.sha256, image.frame, image.format, image.served_format = taken.sha256, frame, "dicom", "png"
        image.save()

    archive = made(version, organiser, formats=["images"])

    files = [archive.read(path) for path in archive.names]
    assert not any(NAME.encode() in content or content[128:132] == b"DICM" for content in files)
    for number, expected in enumerate(stack, start=1):
        np.testing.assert_array_equal(archive.picture(f"images/c{number:04d}.png"), expected)
    rows = {row["image"]: row for row in archive.rows("images.csv")}
    assert [rows[f"c{number:04d}"]["frame"] for number in (1, 2)] == ["1", "2"]
