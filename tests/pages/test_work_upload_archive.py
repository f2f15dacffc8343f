"""An archive of pictures in the browser: a good one becomes a job, a bad one is refused and leaves nothing behind."""

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as current
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.models import Job, Study, User
from tests import cast

Browsers = Callable[[User], Client]
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_ROOT = tmp_path


def zipped(*files: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return file.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def climbing() -> bytes:
    return zipped(("../../outside.png", cast.tiny_png(1)))


def zip_link() -> bytes:
    link = zipfile.ZipInfo("link.png")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    return file.getvalue()


def tar_link() -> bytes:
    link = tarfile.TarInfo("link.png")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return tarred((link, b""))


def claims_too_much() -> bytes:
    """A tar whose only member unpacks to a thousand times its packed size."""
    return tarred((tarfile.TarInfo("zeros.png"), bytes(40 * 1024 * 1024)))


def send(browser: Client, study: Study, content: bytes, name: str = "eyes.zip", **headers: str) -> Any:
    file = SimpleUploadedFile(name, content)
    return browser.post(reverse("study_upload_archive", args=[study.public_id]), {"file": file}, headers=headers)


def kept_files() -> list[Path]:
    return [path for path in Path(current.DATA_ROOT).rglob("*") if path.is_file()]


@pytest.mark.django_db(transaction=True)
def test_pictures_of_an_archive_join_the_study(study: Study, organiser: User, browser_of: Browsers) -> None:
    archive = zipped(("left/a.png", cast.tiny_png(1)), ("right/b.png", cast.tiny_png(2)))

    answer = send(browser_of(organiser), study, archive, **JSON)

    job = Job.objects.get()
    assert (answer.status_code, answer.json()) == (202, {"job": job.public_id, "url": f"/jobs/{job.public_id}/"})
    assert (job.state, study.images.count()) == (Job.State.DONE, 2)


@pytest.mark.django_db(transaction=True)
def test_what_is_said_above_holds_for_an_archive_too(study: Study, organiser: User, browser_of: Browsers) -> None:
    body = {
        "file": SimpleUploadedFile("eyes.zip", zipped(("left/P7_OS.png", cast.tiny_png(1)))),
        "pattern": "{subject}_{eye}",
        "device": "Canon",
    }
    browser_of(organiser).post(reverse("study_upload_archive", args=[study.public_id]), body, headers=JSON)

    image = study.images.select_related("eye__subject").get()
    assert (str(image.eye), image.device) == ("P7 L", "Canon")


@pytest.mark.django_db(transaction=True)
def test_a_packed_tar_is_taken_too(study: Study, organiser: User, browser_of: Browsers) -> None:
    archive = tarred((tarfile.TarInfo("a.png"), cast.tiny_png(1)))

    send(browser_of(organiser), study, archive, "eyes.tar.gz", **JSON)

    assert study.images.count() == 1


def test_without_scripts_the_browser_is_led_to_the_job(study: Study, organiser: User, browser_of: Browsers) -> None:
    answer = send(browser_of(organiser), study, zipped(("a.png", cast.tiny_png(1))))

    assert (answer.status_code, answer["Location"]) == (302, f"/jobs/{Job.objects.get().public_id}/")


@pytest.mark.django_db(transaction=True)
def test_the_job_page_lists_what_was_not_added_with_reasons(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    picture = cast.tiny_png(1)
    archive = zipped(("a.png", picture), ("again.png", picture), ("cut.png", cast.tiny_png(2)[:-60]), ("c.txt", b"?"))
    browser = browser_of(organiser)
    address = send(browser, study, archive, **JSON).json()["url"]

    page = browser.get(address).content.decode()

    assert "1 image was added. 1 was already there. 2 files were rejected." in page
    assert "The same picture as a.png." in page
    rows = page.split("<tbody>")[1]
    assert [name in rows for name in ("again.png", "cut.png", "c.txt")] == [True, True, True]


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (climbing, "unsafe_name", "outside.png"),
        (zip_link, "special_file", "link.png"),
        (tar_link, "special_file", "link.png"),
        (claims_too_much, "compression_bomb", "times the size of the archive"),
        (lambda: b"Dear colleague, this is a letter.", "not_an_archive", ""),
        (lambda: zipped(("a.png", cast.tiny_png(1)))[:-30], "corrupt", ""),
    ],
    ids=["climbs out", "link in a zip", "link in a tar", "bomb", "no archive", "cut off"],
)
def test_a_bad_archive_is_refused_at_once_and_not_kept(
    content: Callable[[], bytes], code: str, words: str, study: Study, organiser: User, browser_of: Browsers
) -> None:
    answer = send(browser_of(organiser), study, content(), **JSON)

    told = answer.json()
    assert (answer.status_code, told["code"], told["field"]) == (400, code, "file")
    assert words in told["message"]
    assert (Job.objects.count(), study.images.count(), kept_files()) == (0, 0, [])


def test_without_scripts_a_bad_archive_is_told_in_a_sentence(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    answer = send(browser_of(organiser), study, climbing())

    assert answer.status_code == 400
    assert "outside.png" in answer.content.decode()


def test_an_archive_over_the_limit_is_refused_by_its_size(
    study: Study, organiser: User, browser_of: Browsers, settings: Any
) -> None:
    settings.UPLOAD_LIMIT_MB = 1

    answer = send(browser_of(organiser), study, bytes(1200 * 1024), **JSON)

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_request_without_a_file_says_so(study: Study, organiser: User, browser_of: Browsers) -> None:
    answer = browser_of(organiser).post(reverse("study_upload_archive", args=[study.public_id]), headers=JSON)

    assert (answer.status_code, answer.json()["code"]) == (400, "no_file")


def test_a_forged_request_is_refused(study: Study, organiser: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)

    answer = send(browser, study, zipped(("a.png", cast.tiny_png(1))), **JSON)

    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
    assert Job.objects.count() == 0


def test_only_organisers_may_send_an_archive(
    study: Study, graders: list[User], senior: User, browser_of: Browsers
) -> None:
    statuses = [send(browser_of(user), study, climbing(), **JSON).status_code for user in (graders[0], senior)]

    assert [status in {403, 404} for status in statuses] == [True, True]
    assert Job.objects.count() == 0


def test_scripts_are_told_that_the_session_has_ended(study: Study) -> None:
    answer = send(Client(), study, climbing(), **JSON)

    assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")


def test_the_upload_page_offers_archives(study: Study, organiser: User, browser_of: Browsers) -> None:
    page = browser_of(organiser).get(reverse("study_upload", args=[study.public_id])).content.decode()

    assert f'data-arrivals="{reverse("arrival_begin", args=[study.public_id])}"' in page
    assert f'formaction="{reverse("study_upload_archive", args=[study.public_id])}"' in page
