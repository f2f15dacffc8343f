"""TIFF, BMP and DICOM files in a study: photographs, eyes and cases, and what the files say of them."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image as Picture

from annotator.errors import DomainError
from annotator.imaging.pipeline import SERVED, THUMBNAIL
from annotator.models import Case, Image, Study, User
from annotator.services.batches import Batch, Said
from annotator.services.images import image_store
from annotator.services.imports import import_images
from annotator.services.intake_desk import Facts
from annotator.services.renditions import open_rendition
from annotator.services.uploads import Duplicate, take_upload
from tests import cast
from tests.imaging.dicom_files import TOMOGRAPHY, dicom, grey16
from tests.imaging.files import pixels_of, scene

pytestmark = pytest.mark.django_db
STACK = np.stack([grey16(seed=seed) for seed in (1, 2, 3)])


def volume() -> bytes:
    return dicom(STACK, frames=3, kind=TOMOGRAPHY, Modality="OPT", ImageLaterality="L")


@pytest.fixture
def study(organiser: User) -> Study:
    """Each image is a case of its own."""
    return cast.study_of("refuge", organiser=organiser)


def sent(study: Study, actor: User, content: bytes, name: str = "eye.dcm", **facts: object) -> Image | Duplicate:
    said = Facts(**facts)  # type: ignore[arg-type]
    return take_upload(study=study, name=name, content=lambda: io.BytesIO(content), facts=said, actor=actor)


def served(image: Image) -> bytes:
    with open_rendition(name=SERVED, sha256=image.sha256, frame=image.frame) as file:
        return file.read()


def test_a_folder_of_all_kinds_is_taken_in(study: Study, organiser: User, tmp_path: Path) -> None:
    Picture.fromarray(scene(seed=2)).save(tmp_path / "b.bmp")
    Picture.fromarray(grey16()).save(tmp_path / "c.TIF")
    (tmp_path / "d.dcm").write_bytes(dicom(seeded := scene(seed=3)))
    (tmp_path / "IM0001").write_bytes(dicom(scene(seed=4)))  # as archives of hospitals name them
    (tmp_path / "e.png").write_bytes(cast.tiny_png(5))

    report = import_images(study=study, place=tmp_path, actor=organiser, workers=2)

    assert (report.added, report.rejected) == (5, [])
    found = {image.original_name: image for image in Image.objects.all()}
    kinds = {name: (image.format, image.served_format, image.bits) for name, image in found.items()}
    assert kinds == {
        "b.bmp": ("bmp", "png", 8),
        "c.TIF": ("tiff", "png", 16),
        "d.dcm": ("dicom", "png", 8),
        "IM0001": ("dicom", "png", 8),
        "e.png": ("png", "png", 8),
    }
    np.testing.assert_array_equal(pixels_of(served(found["d.dcm"])), seeded)
    assert image_store().path(found["d.dcm"].sha256).read_bytes() == (tmp_path / "d.dcm").read_bytes()


def test_what_a_dicom_file_says_is_used(study: Study, organiser: User) -> None:
    said = {"ImageLaterality": "L", "PixelSpacing": [0.006, 0.005], "Manufacturer": "Canon"}
    image = sent(study, organiser, dicom(scene(), **said))
    assert isinstance(image, Image)
    assert image.eye is not None
    assert (image.eye.side, image.device, image.um_per_px_x, image.um_per_px_y) == ("L", "Canon", 5.0, 6.0)


def test_what_the_organiser_says_comes_first(study: Study, organiser: User) -> None:
    content = dicom(scene(), PixelSpacing=[0.006, 0.005], Manufacturer="Canon")  # says no side
    facts: Any = {"side": "R", "device": "CR-2", "um_per_px_x": 4.0, "um_per_px_y": 4.5}
    image = sent(study, organiser, content, **facts)
    assert isinstance(image, Image)
    assert image.eye is not None
    assert (image.eye.side, image.device, image.um_per_px_x, image.um_per_px_y) == ("R", "CR-2", 4.0, 4.5)


def test_a_file_of_the_other_eye_is_refused_and_nothing_is_kept(study: Study, organiser: User) -> None:
    with pytest.raises(DomainError) as refusal:
        sent(study, organiser, content := dicom(scene(seed=77), ImageLaterality="R"), side="L")
    assert (refusal.value.code, refusal.value.field) == ("other_eye", "file")
    assert not Image.objects.exists()
    stored = [path.read_bytes() for path in image_store().root.rglob("*") if path.is_file()]
    assert content not in stored


def test_a_table_that_contradicts_a_file_is_told_by_file(study: Study, organiser: User, tmp_path: Path) -> None:
    for name, side in (("a.dcm", "R"), ("b.dcm", "L"), ("c.dcm", "")):
        (tmp_path / name).write_bytes(dicom(scene(seed=ord(name[0])), ImageLaterality=side))
    table = b"file,subject,eye\na.dcm,P1,L\nb.dcm,P1,L\nc.dcm,P1,R\n"

    report = import_images(study=study, place=tmp_path, actor=organiser, batch=Batch(Said(table=table)), workers=0)

    assert [row["name"] for row in report.rejected] == ["a.dcm"]
    assert sorted(Image.objects.values_list("original_name", "eye__side")) == [("b.dcm", "L"), ("c.dcm", "R")]


def test_each_frame_is_an_image_of_the_same_eye(study: Study, organiser: User) -> None:
    first = sent(study, organiser, volume(), "scan.dcm")

    images = list(Image.objects.order_by("frame"))
    assert images[0] == first
    names = ["scan.dcm#1", "scan.dcm#2", "scan.dcm#3"]
    assert [(image.frame, image.order_in_eye, image.original_name) for image in images] == [
        (number, number, name) for number, name in enumerate(names, start=1)
    ]
    assert len({image.eye_id for image in images}) == len({image.sha256 for image in images}) == 1
    assert Case.objects.count() == 3
    for image, expected in zip(images, STACK, strict=True):
        np.testing.assert_array_equal(pixels_of(served(image)), expected)


def test_the_same_volume_again_is_a_duplicate(study: Study, organiser: User) -> None:
    first = sent(study, organiser, volume())
    again = sent(study, organiser, volume(), "renamed.dcm")
    assert isinstance(again, Duplicate)
    assert again.image == first
    assert Image.objects.count() == 3


def test_renditions_of_a_frame_are_made_again_when_they_are_lost(study: Study, organiser: User) -> None:
    sent(study, organiser, volume())
    image = Image.objects.get(frame=2)
    store = image_store()
    for name in (f"{SERVED}_2", f"{THUMBNAIL}_2"):
        store.drop_rendition(name, image.sha256)

    np.testing.assert_array_equal(pixels_of(served(image)), STACK[1])
    with open_rendition(name=THUMBNAIL, sha256=image.sha256, frame=2) as file:
        assert file.read().startswith(b"\xff\xd8")
    assert list(store.verify()) == []


def test_frames_are_the_photographs_of_an_eye_where_eyes_are_read(organiser: User) -> None:
    study = cast.study_of("airogs", organiser=organiser)
    two = dicom(STACK[:2], frames=2, kind=TOMOGRAPHY)
    sent(study, organiser, two, subject="P1", side="L")
    case = Case.objects.get()
    assert list(case.case_images.values_list("position", "image__frame")) == [(1, 1), (2, 2)]


def test_a_volume_that_has_no_room_in_its_eye_is_refused_as_a_whole(organiser: User) -> None:
    study = cast.study_of("airogs", organiser=organiser, changes={"case.max_photographs": 2})
    with pytest.raises(DomainError) as refusal:
        sent(study, organiser, volume(), subject="P1")
    assert refusal.value.code == "too_many_photographs"
    assert not Image.objects.exists()
    assert not Case.objects.exists()


def test_a_volume_counts_its_photographs_in_the_report(study: Study, organiser: User, tmp_path: Path) -> None:
    (tmp_path / "scan.dcm").write_bytes(volume())
    (tmp_path / "eye.png").write_bytes(cast.tiny_png(1))
    report = import_images(study=study, place=tmp_path, actor=organiser, workers=0)
    assert report.added == 4
    again = import_images(study=study, place=tmp_path, actor=organiser, workers=0)
    assert (again.added, len(again.duplicates)) == (0, 2)


@pytest.mark.parametrize(("name", "content"), [("eye.jpg", dicom()), ("eye.dcm", cast.tiny_png(1)), ("a.tif", dicom())])
def test_a_name_that_promises_another_kind_is_refused(name: str, content: bytes, study: Study, organiser: User) -> None:
    with pytest.raises(DomainError) as refusal:
        sent(study, organiser, content, name)
    assert refusal.value.code == "other_kind"


def test_pages_show_16_bits_as_a_browser_can_and_the_file_stays_exact(
    study: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    image = sent(study, organiser, dicom(grey16(12), stored=12))
    assert isinstance(image, Image)
    browser = browser_of(organiser)
    page = browser.get(reverse("image", args=[study.public_id, image.public_id])).content.decode()
    assert reverse("image_view", args=[image.public_id]) in page

    looked = b"".join(browser.get(reverse("image_view", args=[image.public_id])))
    exact = b"".join(browser.get(reverse("image_file", args=[image.public_id])))

    assert (pixels_of(looked).dtype.name, int(pixels_of(looked).max())) == ("uint8", 255)
    np.testing.assert_array_equal(pixels_of(exact), grey16(12))
