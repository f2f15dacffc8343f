"""Upload in the browser: one file per request, answered in JSON; what is refused leaves nothing behind."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image as Picture

from annotator.models import Case, Image, Study, User
from tests import cast

Browsers = Callable[[User], Client]
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def jpeg() -> bytes:
    file = io.BytesIO()
    Picture.effect_noise((64, 48), 80).convert("RGB").save(file, "JPEG")
    return file.getvalue()


def bomb() -> bytes:
    """A PNG of a few bytes that claims 30,000 × 30,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


def send(browser: Client, study: Study, content: bytes, name: str = "eye.jpg", **facts: str) -> Any:
    file = SimpleUploadedFile(name, content)
    return browser.post(reverse("study_upload", args=[study.public_id]), {"file": file, **facts}, headers=JSON)


def stored_files(settings: Any) -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


def test_a_picture_is_added_with_what_is_said_about_it(study: Study, organiser: User, browser_of: Browsers) -> None:
    facts = {"side": "L", "subject": "P17", "device": "Zeiss", "um_per_px": "4.5"}

    answer = send(browser_of(organiser), study, jpeg(), **facts)

    image = study.images.get()
    assert (answer.status_code, answer.json()) == (201, {"image": image.public_id})
    assert (image.width, image.height) == (64, 48)
    assert image.eye is not None
    assert (image.eye.side, image.subject.pseudonym, image.device) == ("L", "P17", "Zeiss")
    assert (image.um_per_px_x, image.um_per_px_y) == (4.5, 4.5)


def test_the_same_picture_again_is_called_a_duplicate(study: Study, organiser: User, browser_of: Browsers) -> None:
    content = jpeg()
    send(browser_of(organiser), study, content)

    answer = send(browser_of(organiser), study, content, name="renamed.jpg")

    assert answer.status_code == 200
    assert answer.json()["duplicate"] is True
    assert study.images.count() == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (lambda: jpeg()[:-200], "truncated"),
        (bomb, "too_large"),
        (lambda: b"Dear colleague, this is a letter.", "not_an_image"),
        (lambda: b"", "empty"),
    ],
    ids=["truncated", "bomb", "text", "empty"],
)
def test_what_is_no_whole_picture_is_refused_and_not_kept(
    content: Callable[[], bytes], code: str, study: Study, organiser: User, browser_of: Browsers, settings: Any
) -> None:
    answer = send(browser_of(organiser), study, content())

    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert answer.json()["message"]
    assert (Image.objects.count(), Case.objects.count(), stored_files(settings)) == (0, 0, [])


@pytest.mark.parametrize(
    "facts", [{"um_per_px": "-1"}, {"um_per_px": "nan"}, {"side": "X"}, {"subject": "p" * 65}, {"device": "=cmd()"}]
)
def test_facts_that_cannot_be_are_refused(
    facts: dict[str, str], study: Study, organiser: User, browser_of: Browsers, settings: Any
) -> None:
    answer = send(browser_of(organiser), study, jpeg(), **facts)

    assert answer.status_code == 400
    assert answer.json()["field"] == next(iter(facts))
    assert (Image.objects.count(), stored_files(settings)) == (0, [])


def test_a_request_without_a_file_is_refused(study: Study, organiser: User, browser_of: Browsers) -> None:
    answer = browser_of(organiser).post(reverse("study_upload", args=[study.public_id]), headers=JSON)

    assert (answer.status_code, answer.json()["code"]) == (400, "no_file")


def test_a_body_that_is_too_large_is_refused_before_it_is_read(study: Study, organiser: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)
    address, kind = reverse("study_upload", args=[study.public_id]), "multipart/form-data; boundary=x"

    # Ten gigabytes are announced and none are there: whoever began to read, if only for the token, would say so.
    answer = browser.generic("POST", address, content_type=kind, headers=JSON, CONTENT_LENGTH=str(10**10))

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_request_without_the_pages_token_is_refused(study: Study, organiser: User, settings: Any) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)

    answer = send(browser, study, jpeg())

    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
    assert (Image.objects.count(), stored_files(settings)) == (0, [])


def test_a_request_with_the_pages_token_is_taken(study: Study, organiser: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)
    browser.get(reverse("study_upload", args=[study.public_id]))
    token = browser.cookies["csrftoken"].value

    answer = send(browser, study, jpeg(), csrfmiddlewaretoken=token)

    assert answer.status_code == 201


def test_a_script_is_told_that_the_session_has_ended(study: Study, client: Client) -> None:
    answer = send(client, study, jpeg())

    assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")


@pytest.mark.parametrize("role", ["senior", "adjudicator", "observer"])
def test_only_organisers_may_upload(
    role: str, study: Study, browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    answer = send(browser_of(request.getfixturevalue(role)), study, jpeg())

    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert Image.objects.count() == 0


def test_a_closed_study_takes_no_picture(study: Study, organiser: User, browser_of: Browsers, settings: Any) -> None:
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)

    answer = send(browser_of(organiser), study, jpeg())

    assert (answer.status_code, answer.json()["code"]) == (409, "study_closed")
    assert stored_files(settings) == []


def test_photographs_of_one_eye_form_one_case(organiser: User, browser_of: Browsers) -> None:
    study = cast.study_of("airogs", organiser=organiser)
    browser = browser_of(organiser)

    for _photograph in range(2):
        send(browser, study, jpeg(), subject="P1", side="R")

    assert [case.images.count() for case in study.cases.all()] == [2]


def test_a_pattern_reads_subject_eye_and_place_from_the_file_name(organiser: User, browser_of: Browsers) -> None:
    study = cast.study_of("airogs", organiser=organiser)
    browser, pattern = browser_of(organiser), "{subject}_{eye}_{position}"

    for name in ("P7_OS_2.jpg", "P7_OS_1.jpg"):
        send(browser, study, jpeg(), name=name, pattern=pattern)

    rows = study.cases.get().case_images.select_related("image__eye__subject")
    told = [(row.image.original_name, str(row.image.eye), row.image.order_in_eye) for row in rows]
    assert told == [("P7_OS_1.jpg", "P7 L", 1), ("P7_OS_2.jpg", "P7 L", 2)]


@pytest.mark.parametrize(
    ("name", "pattern", "code", "field"),
    [
        ("holiday.jpg", "{subject}_{eye}", "name_does_not_fit", "file"),
        ("scan-=1.jpg", "scan-{subject}", "formula", "file"),
        ("P7_OD.jpg", "{patient}_{eye}", "bad_pattern", "pattern"),
    ],
)
def test_a_name_that_does_not_fit_blames_its_file_and_a_bad_pattern_the_pattern(
    name: str, pattern: str, code: str, field: str, study: Study, organiser: User, browser_of: Browsers, settings: Any
) -> None:
    """The page goes on behind a bad file, and stops at a bad field, which would refuse all of them."""
    answer = send(browser_of(organiser), study, jpeg(), name=name, pattern=pattern)

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, code, field)
    assert stored_files(settings) == []


def test_the_page_works_without_scripts(study: Study, organiser: User, browser_of: Browsers) -> None:
    browser, address = browser_of(organiser), reverse("study_upload", args=[study.public_id])
    files = [SimpleUploadedFile("eye.jpg", jpeg()), SimpleUploadedFile("letter.jpg", b"Dear colleague")]

    page = browser.post(address, {"file": files, "side": "R"}, follow=True).content.decode()

    assert study.images.count() == 1
    assert "eye.jpg was added." in page
    assert "letter.jpg: The file is not a JPEG, PNG, TIFF, BMP or DICOM picture." in page
