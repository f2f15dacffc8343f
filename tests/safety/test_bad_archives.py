"""An archive that reaches out of its folder or is none is refused whole, and no archive stays behind its job."""

from __future__ import annotations

import io
import os
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator.errors import DomainError
from annotator.services.imports import request_import
from annotator.services.incoming import remove_abandoned
from tests import cast
from tests.safety.house import House, files

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


def a_zip(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(name, cast.tiny_png(510 + number))
    return file.getvalue()


def a_tar_with_a_link(target: str, kind: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        picture = tarfile.TarInfo("first.png")
        content = cast.tiny_png(510)
        picture.size = len(content)
        archive.addfile(picture, io.BytesIO(content))
        link = tarfile.TarInfo("second.png")
        link.type, link.linkname = kind, target
        archive.addfile(link)
    return file.getvalue()


ARCHIVES = {
    "two dots": a_zip("first.png", "../../Zebulon.png"),
    "an absolute name": a_zip("first.png", "/etc/cron.d/Zebulon.png"),
    "a drive": a_zip("first.png", "C:\\Zebulon.png"),
    "a symbolic link": a_tar_with_a_link("/etc/passwd", tarfile.SYMTYPE),
    "a hard link": a_tar_with_a_link("/etc/passwd", tarfile.LNKTYPE),
    "a device": a_tar_with_a_link("", tarfile.CHRTYPE),
    "no archive": b"Dear Zebulon",
    "a cut archive": a_zip("first.png", "second.png")[:-40],
    "the same name twice": a_zip("first.png", "FIRST.png"),
}


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("what", ARCHIVES)
def test_a_bad_archive_is_refused_whole(house: House, what: str) -> None:
    with pytest.raises(DomainError) as refusal:
        request_import(study=house.study, archive=io.BytesIO(ARCHIVES[what]), actor=house.people["organiser"])
    assert len(refusal.value.message) > 10


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("what", ["two dots", "a symbolic link", "no archive"])
def test_the_page_refuses_a_bad_archive(house: House, what: str) -> None:
    file = SimpleUploadedFile("Zebulon.zip", ARCHIVES[what])
    address = f"/studies/{house.study.public_id}/upload/archive/"
    response = house.browser("organiser").post(address, {"file": file}, headers=JSON)
    assert response.status_code == 400
    assert len(response.json()["message"]) > 10


def test_an_archive_whose_job_was_never_written_down_does_not_stay(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(**wish: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("annotator.services.imports.request_job", fails)
    before = files()
    with pytest.raises(OSError, match="No space"):
        request_import(study=house.study, archive=io.BytesIO(a_zip("a.png")), actor=house.people["organiser"])
    assert files() == before


@pytest.mark.parametrize("ending", ["done", "refused", "cancelled", "failed"])
def test_the_archive_of_a_finished_job_does_not_stay(
    house: House, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    from annotator.services import imports, job_run

    job = request_import(study=house.study, archive=io.BytesIO(a_zip("a.png")), actor=house.people["organiser"])
    place = Path(settings.DATA_ROOT) / "incoming" / job.arguments["archive"]
    assert place.exists()
    faults = {"refused": DomainError("x", "y"), "cancelled": job_run.JobCancelled(), "failed": ZeroDivisionError()}

    def ends(**wish: object) -> imports.Report:
        if ending in faults:
            raise faults[ending]
        return imports.Report()

    monkeypatch.setattr(imports, "import_images", ends)
    job_run.run_job(job.pk)
    assert not place.exists()


def test_an_archive_that_nobody_waits_for_goes_after_an_hour(house: House) -> None:
    folder = Path(settings.DATA_ROOT) / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    old, new = folder / "old.archive", folder / "new.archive"
    for place in (old, new):
        place.write_bytes(b"x")
    os.utime(old, (time.time() - 4000,) * 2)
    job = request_import(study=house.study, archive=io.BytesIO(a_zip("a.png")), actor=house.people["organiser"])
    wanted = folder / job.arguments["archive"]
    os.utime(wanted, (time.time() - 4000,) * 2)

    remove_abandoned()

    assert (old.exists(), new.exists(), wanted.exists()) == (False, True, True)
    new.unlink()
    wanted.unlink()
