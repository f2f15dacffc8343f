"""A patient's name in a picture's metadata and in its file name reaches nobody but organisers, and them only as the
original name in text, never inside a picture."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image as Picture
from PIL import TiffImagePlugin
from PIL.PngImagePlugin import PngInfo
from pydicom._dicom_dict import DicomDictionary

from annotator.imaging.dicom_allowed import KEPT
from annotator.models import Assignment, Image, Invitation, Job, Membership, Role, Study, TargetExample, User
from annotator.services.people import invite
from annotator.services.studies import change_state
from tests import cast
from tests.crawl import Found, crawl, known_addresses
from tests.imaging.dicom_files import dataset, grey16, item, written

Browsers = Callable[[User], Client]
NAME = "Zebulon Quartermain"
XMP = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:title>{NAME}</dc:title></x:xmpmeta>'.encode()
WORDS = ("zebulon", "quartermain")
PLANTED = [word.encode(code) for word in WORDS for code in ("ascii", "utf-16-le", "utf-16-be")]


def planted_jpeg(seed: int) -> bytes:
    exif = Picture.Exif()
    exif[0x010E] = exif[0x013B] = NAME  # description, artist
    exif[0x9C9B] = NAME.encode("utf-16-le")  # the title as Windows writes it
    file = io.BytesIO()
    picture = Picture.open(io.BytesIO(cast.tiny_png(seed)))
    picture.save(file, "JPEG", exif=exif, xmp=XMP, comment=NAME.encode())
    return file.getvalue() + NAME.encode()  # and behind the end of the picture


def planted_png(seed: int) -> bytes:
    text = PngInfo()
    text.add_text("Patient", NAME)
    text.add_text("Compressed", NAME, zip=True)
    text.add_itxt("XML:com.adobe.xmp", XMP.decode(), zip=False)
    exif = Picture.Exif()
    exif[0x010E] = NAME
    file = io.BytesIO()
    Picture.open(io.BytesIO(cast.tiny_png(seed))).save(file, "PNG", pnginfo=text, exif=exif)
    return file.getvalue()


def planted_tiff(seed: int) -> bytes:
    """The name in every tag that takes text, in EXIF, GPS, XMP and IPTC, and behind the end."""
    exif = TiffImagePlugin.ImageFileDirectory_v2()
    exif[34665], exif[34853] = {0x9286: NAME.encode()}, {0x001C: NAME.encode()}  # user comment, GPS area
    for number in (269, 270, 271, 272, 285, 305, 315, 316, 33432):  # document, description, …, page, …, copyright
        exif[number] = NAME
    exif[700], exif[34377], exif[33723] = XMP, NAME.encode(), NAME.encode()  # XMP, Photoshop, IPTC
    file = io.BytesIO()
    picture = Picture.open(io.BytesIO(cast.tiny_png(seed)))
    picture.save(file, "TIFF", tiffinfo=exif)
    return file.getvalue() + NAME.encode()


def planted_dicom(seed: int) -> bytes:
    """The name in every element that takes text but the four that are kept, in sequences, private elements, an overlay,
    the bits above the samples, behind the pixels and in front of the file."""
    pixels = grey16(12, seed) | np.uint16(0x8000)
    made = dataset(pixels, stored=12, ImageLaterality="R", Manufacturer="Topcon", PixelSpacing=[0.005, 0.005])
    for tag, (vr, _vm, name, _retired, keyword) in DicomDictionary.items():
        free = keyword and keyword not in made and not name.startswith("Retired") and tag >> 16 not in (0, 2, 0xFFFE)
        if free and vr in ("PN", "LO", "SH", "LT", "ST", "UT", "UC", "OB") and keyword not in KEPT:
            made.add_new(tag, vr, NAME.encode() if vr == "OB" else NAME.split()[1] if vr == "SH" else NAME)
    made.BurnedInAnnotation = "NO"
    made.PatientID = made.AccessionNumber = "QUARTERMAIN"
    made.OtherPatientIDsSequence = [item(PatientID=NAME, IssuerOfPatientID=NAME)]
    anatomy = item(FrameLaterality="R", AnatomicRegionSequence=[item(CodeMeaning=NAME)])
    made.SharedFunctionalGroupsSequence = [item(FrameAnatomySequence=[anatomy], PatientName=NAME)]
    block = made.private_block(0x0029, NAME[:7], create=True)
    block.add_new(1, "LO", NAME)
    block.add_new(2, "SQ", [item(PatientName=NAME)])
    block.add_new(3, "UN", NAME.encode())
    made.add_new(0x60003000, "OB", NAME.encode() + b"\0")
    made.add_new(0xFFFCFFFC, "OB", NAME.encode() + b"\0")
    made.preamble = (NAME.encode() * 9)[:128]
    return written(made)


@pytest.fixture
def scene(study: Study, organiser: User, browser_of: Browsers) -> Study:
    """A study whose pictures all carry the name, brought in as an organiser would."""
    browser = browser_of(organiser)
    for content, ending in PLANTED_FILES:
        file = SimpleUploadedFile(f"{NAME.replace(' ', '_')}.{ending}", content)
        upload = reverse("study_upload", args=[study.public_id])
        answer = browser.post(upload, {"file": file, "side": "R"}, headers={"Accept": "application/json"})
        assert answer.status_code == 201
    target = study.targets.filter(source="graded")[0]
    file = SimpleUploadedFile(f"{NAME}.png", planted_png(3))
    browser.post(reverse("example_add", args=[study.public_id, target.key]), {"file": file, "caption": "The rim"})
    cast.assign_all(study, actor=organiser)
    invite(study=study, email="new@example.org", role=Role.GRADER, actor=organiser)
    version = Study.objects.get(pk=study.pk).version
    change_state(study=study, version=version, state=Study.State.READING, actor=organiser)
    return study


PLANTED_FILES = [
    (planted_jpeg(1), "jpg"),
    (planted_png(2), "png"),
    (planted_tiff(4), "tif"),
    (planted_dicom(5), "dcm"),
]


def ids(study: Study) -> dict[str, list[str]]:
    def public(rows: Any) -> list[str]:
        return list(rows.values_list("public_id", flat=True))

    people = public(Membership.objects.all())
    keys = [target.key for target in study.targets.all()]
    return {
        "study_id": [study.public_id],
        "image_id": public(study.images.all()),
        "assignment_id": public(Assignment.objects.all()),
        "position": ["1"],
        "example_id": public(TargetExample.objects.all()),
        "member_id": people,
        "person_id": people,
        "invitation_id": public(Invitation.objects.all()),
        "job_id": public(Job.objects.all()),
        "target_key": keys,
        "key": [*keys, study.protocol],
    }


def everything(browser: Client, study: Study) -> list[Found]:
    return list(crawl(browser, known_addresses(ids(study))))


def told(found: Found) -> bool:
    """Whether the name is in the answer: in a header, in the body as it is, or in what a picture says about itself."""
    said = (found.headers + _picture_says(found)).lower()
    return any(word in found.body.lower() for word in PLANTED) or any(word in said for word in WORDS)


def _picture_says(found: Found) -> str:
    if found.status != 200 or not found.media_type.startswith("image/"):
        return ""
    picture = Picture.open(io.BytesIO(found.body))
    picture.load()
    return f"{picture.info} {dict(picture.getexif())}"


def test_the_planted_pictures_do_carry_the_name() -> None:
    for content, kind in ((planted_jpeg(1), "image/jpeg"), (planted_png(1), "image/png")):
        found = Found("/", 200, kind, "", content)
        assert told(found)
        assert NAME in _picture_says(found)
    assert planted_tiff(1).count(NAME.encode()) == 15
    assert planted_dicom(1).count(NAME.encode()) > 500


@pytest.mark.parametrize("role", ["grader", "senior", "adjudicator", "observer", "outsider"])
def test_nobody_but_organisers_is_told_the_name(
    role: str, scene: Study, graders: list[User], browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    user = graders[0] if role == "grader" else request.getfixturevalue(role)

    answers = everything(browser_of(user), scene)

    assert [found.address for found in answers if told(found)] == []
    pictures = [found for found in answers if found.status == 200 and found.media_type.startswith("image/")]
    # Own cases, the example and the practice picture for graders, images and the example for those who see all work.
    count = len(PLANTED_FILES)
    assert len(pictures) == {"outsider": 0, "grader": 2 * count + 2}.get(role, 3 * count + 1)


def test_organisers_are_told_the_name_as_original_name_only(
    scene: Study, organiser: User, browser_of: Browsers, caplog: pytest.LogCaptureFixture
) -> None:
    answers = everything(browser_of(organiser), scene)

    telling = [found for found in answers if told(found)]
    images = [f"/studies/{scene.public_id}/images/", f"/api/v1/studies/{scene.public_id}/images/", "/api/v1/images/"]
    assert telling != []
    assert {found.media_type for found in telling} <= {"text/html", "application/json"}
    assert [found.address for found in telling if not found.address.startswith(tuple(images))] == []
    assert not any(word in found.headers.lower() for found in telling for word in WORDS)

    assert not any(word in caplog.text.lower() for word in WORDS)  # nor does the server's log tell it


def test_of_a_dicom_file_only_eye_device_and_spacing_are_in_the_database(scene: Study) -> None:
    image = scene.images.select_related("eye", "subject").get(format="dicom")
    assert image.eye is not None
    kept = (image.eye.side, image.device, image.um_per_px_x, image.subject.pseudonym[:1])
    assert kept == ("R", "Topcon", 5.0, "S")
    Image.objects.update(original_name="")  # which the organiser gave
    for model in apps.get_models():
        for row in model._default_manager.all().values():
            assert not any(word in str(row).lower() for word in WORDS), model


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-2000], lambda data: data.replace(b"MONOCHROME2", b"QUARTERMAIN")]
)
def test_a_refused_dicom_file_is_not_quoted(
    damage: Callable[[bytes], bytes], study: Study, organiser: User, browser_of: Browsers, caplog: Any, recwarn: Any
) -> None:
    file = SimpleUploadedFile("eye.dcm", damage(planted_dicom(9)))
    upload = reverse("study_upload", args=[study.public_id])

    answer = browser_of(organiser).post(upload, {"file": file}, headers={"Accept": "application/json"})

    said = answer.content.decode() + caplog.text + "".join(str(warning.message) for warning in recwarn)
    assert answer.status_code == 400
    assert not any(word in said.lower() for word in WORDS)
