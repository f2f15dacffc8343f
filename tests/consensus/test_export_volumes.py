"""NIfTI and DICOM segmentation objects in an archive: the references of three kinds of study, pixel by pixel."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import highdicom
import nibabel
import numpy as np
import pydicom
import pytest
from django.conf import settings as current
from numpy.typing import NDArray

from annotator.answers import Given
from annotator.geometry.runs import encode, pack
from annotator.models import Image, User
from consensus.exporting.record import Agreed, Content, Photograph, Record
from consensus.exporting.volumes import DicomSeg, Source
from consensus.models import DatasetVersion
from consensus.services.freezing import freeze_dataset
from protocols import PUBLISHED
from protocols.names import Kind
from tests.consensus import scene
from tests.consensus.exported import Archive, in_halves, made
from tests.consensus.senior import SHIFTS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]
VOLUMES = ["nifti", "dicom-seg"]


def square(left: int, top: int, side: int = 6) -> NDArray[np.bool_]:
    mask = np.zeros((scene.HEIGHT, scene.WIDTH), bool)
    mask[top : top + side, left : left + side] = True
    return mask


def drawn(*masks: NDArray[np.bool_]) -> list[bytes]:
    return [pack(encode(mask)) for mask in masks]


def label_map(archive: Archive, path: str) -> NDArray[Any]:
    image = nibabel.Nifti1Image.from_bytes(gzip.decompress(archive.read(path)))
    return np.asarray(image.dataobj)[:, :, 0].T


def segments(archive: Archive, path: str) -> dict[str, NDArray[np.bool_]]:
    """By label, as highdicom takes them apart."""
    found: Any = highdicom.seg.segread(io.BytesIO(archive.read(path)))
    picture = found.SourceImageSequence[0].ReferencedSOPInstanceUID
    pixels = found.get_pixels_by_source_instance([picture])
    labels = [found.get_segment_description(number).segment_label for number in found.segment_numbers]
    return {label: pixels[0, :, :, place].astype(bool) for place, label in enumerate(labels)}


def frozen(protocol: str, given: list[Given], organiser: User, senior: User, graders: list[User]) -> DatasetVersion:
    changes = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 3}
    study = scene.read_study(
        protocol, organiser=organiser, senior=senior, graders=graders, answers=[given] * 3, changes=changes
    )
    scene.fuse_all(study, actor=senior)
    return freeze_dataset(study=study, actor=senior, name="First")


def test_nested_structures_are_segments_of_one_object_and_maps_of_their_own(
    version: DatasetVersion, organiser: User
) -> None:
    Image.objects.update(um_per_px_x=10, um_per_px_y=20)
    archive = made(version, organiser, formats=VOLUMES)
    disc = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS])
    cup = scene.majority_picture([scene.cup_of(shift) for shift in SHIFTS])
    found = segments(archive, "dicom-seg/c0002.dcm")
    assert list(found) == ["Optic disc", "Optic cup"]
    for target, expected in (("disc", disc), ("cup", cup)):
        assert np.array_equal(label_map(archive, f"nifti/{target}/c0002.nii.gz"), expected)
        assert np.array_equal(found[f"Optic {target}"], expected)
    assert '"Optic disc"' in archive.read("nifti/disc/labels.txt").decode()
    told = pydicom.dcmread(io.BytesIO(archive.read("dicom-seg/c0002.dcm")))
    subject = next(row["subject"] for row in archive.rows("images.csv") if row["image"] == "c0002")
    assert told.PatientID == subject
    assert told.ContentDate == f"{version.made_at:%Y%m%d}"
    assert told.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0].PixelSpacing == [0.02, 0.01]
    assert told.SegmentSequence[0].SegmentDescription == "rule: majority; state: automatic; answer: present"


def test_lesions_and_what_is_known_to_be_absent(organiser: User, senior: User, graders: list[User]) -> None:
    scar, drusen = square(2, 2), square(20, 12, 3) | square(3, 16, 2)
    given = [
        Given("disc", masks=drawn(square(12, 8))),
        Given("fovea", answer="not-visible"),
        Given("drusen", masks=drawn(drusen)),
        Given("scar", masks=drawn(scar)),
        *(Given(key, answer="absent") for key in ("exudate", "hemorrhage", "other")),
    ]
    archive = made(frozen("adam", given, organiser, senior, graders), organiser, formats=VOLUMES)
    found = segments(archive, "dicom-seg/c0001.dcm")
    expected = {"Optic disc": square(12, 8), "Drusen": drusen, "Exudate": scar & False, "Haemorrhage": scar & False}
    expected |= {"Scar": scar, "Other lesions": scar & False}
    assert list(found) == list(expected)
    assert all(np.array_equal(found[name], mask) for name, mask in expected.items())
    assert np.array_equal(label_map(archive, "nifti/drusen/c0001.nii.gz"), drusen)
    assert label_map(archive, "nifti/hemorrhage/c0001.nii.gz").max() == 0


def test_objects_are_numbered_in_both(organiser: User, senior: User, graders: list[User]) -> None:
    given = [Given("glands", masks=drawn(square(2, 2), square(20, 12))), Given("grade", label="benign")]
    archive = made(frozen("glas", given, organiser, senior, graders), organiser, formats=[*VOLUMES, "masks"])
    numbered = square(2, 2) + 2 * square(20, 12)
    assert np.array_equal(label_map(archive, "nifti/glands/c0001.nii.gz"), numbered)
    assert np.array_equal(archive.picture("masks/glands/c0001.png"), numbered)
    found = segments(archive, "dicom-seg/c0001-glands.dcm")
    assert list(found) == ["Glands 1", "Glands 2"]
    assert np.array_equal(found["Glands 2"], square(20, 12))
    assert '"Glands 2"' in archive.read("nifti/glands/labels.txt").decode()


def test_no_object_at_all_is_an_empty_map(organiser: User, senior: User, graders: list[User]) -> None:
    given = [Given("glands", answer="absent"), Given("grade", label="benign")]
    archive = made(frozen("glas", given, organiser, senior, graders), organiser, formats=VOLUMES)
    assert label_map(archive, "nifti/glands/c0001.nii.gz").max() == 0
    assert not segments(archive, "dicom-seg/c0001-glands.dcm")["Glands 1"].any()


def test_two_versions_speak_of_the_same_picture_but_not_as_the_same_object(
    version: DatasetVersion, organiser: User
) -> None:
    split = in_halves(version)
    whole = made(version, organiser, formats=["dicom-seg"])
    halves = made(version, organiser, formats=["dicom-seg"], split=split, withheld=["onsite"])
    told = [pydicom.dcmread(io.BytesIO(whole.read(f"dicom-seg/c000{number}.dcm"))) for number in range(1, 5)]
    parts = [pydicom.dcmread(io.BytesIO(halves.read(path))) for path in halves.names if path.startswith("dicom-seg/")]
    assert len(parts) == 2  # of what is withheld there is nothing
    assert len({one.SOPInstanceUID for one in (*told, *parts)}) == 6
    pictures = {one.SourceImageSequence[0].ReferencedSOPInstanceUID for one in told}
    assert {one.SourceImageSequence[0].ReferencedSOPInstanceUID for one in parts} < pictures


def test_frames_of_one_file_are_different_pictures() -> None:
    first = Photograph("c0001", "", False, True, 1, 1, "S1", "R", 8, 8, None, None, "", "png", "0" * 64)
    area = Agreed(target="disc", kind=Kind.MASK, answer="present", state="automatic", version=1, rule="majority")
    source = Source("study", "digest", "export-0", datetime(2026, 3, 1, tzinfo=UTC), "Version 1")
    writer = DicomSeg(PUBLISHED["adam"].targets, source)
    entries = [*writer.add(Record(first, None, [area])), *writer.add(Record(replace(first, frame=2), None, [area]))]
    told = [pydicom.dcmread(io.BytesIO(cast(Content, entry.content)())) for entry in entries]
    assert len({one.SourceImageSequence[0].ReferencedSOPInstanceUID for one in told}) == 2
    assert len({one.SOPInstanceUID for one in told}) == 2


def test_the_metadata_knows_the_folders(version: DatasetVersion, organiser: User) -> None:
    told = json.loads(made(version, organiser, formats=VOLUMES).read("croissant.json"))
    folders = {one["@id"]: one["encodingFormat"] for one in told["distribution"] if one["@type"] == "cr:FileSet"}
    gzipped = {f"nifti/{target}": "application/gzip" for target in ("disc", "cup")}
    assert folders == {**gzipped, "dicom-seg": "application/dicom"}


def test_the_server_does_not_load_what_only_an_export_needs() -> None:
    loaded = "import sys, consensus.exporting.volumes; print('highdicom' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", loaded], text=True, cwd=current.BASE_DIR) == "False\n"
