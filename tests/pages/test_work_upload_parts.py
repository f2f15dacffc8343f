"""A large archive in parts: what was acknowledged is on the disk, and goes on where it ended."""

import hashlib
import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.errors import NotVisible
from annotator.models import Job, Role, Study, User
from annotator.services import arrivals
from annotator.services.batches import Batch, Said
from annotator.services.incoming import remove_abandoned
from annotator.services.people import add_member
from tests import cast

Browsers = Callable[[User], Client]
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_ROOT = tmp_path


@pytest.fixture
def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        for seed, name in enumerate(("eyes/P1_OD.png", "eyes/P1_OS.png", "eyes/holiday.png")):
            out.writestr(name, cast.tiny_png(seed + 1))
    return file.getvalue()


class Sender:
    def __init__(self, browser: Client, study: Study) -> None:
        self.browser, self.study = browser, study

    def begin(self, content: bytes, name: str = "eyes.zip", **other: str) -> Any:
        about = {"name": name, "byte_count": str(len(content)), "fingerprint": "f"} | other
        return self.browser.post(reverse("arrival_begin", args=[self.study.public_id]), about, headers=JSON)

    def part(self, key: str, offset: int, part: bytes, digest: str = "") -> Any:
        digest = digest or hashlib.sha256(part).hexdigest()
        address = f"{self._address(key, 'part')}?offset={offset}&sha256={digest}"
        return self.browser.post(address, part, content_type="application/octet-stream", headers=JSON)

    def step(self, key: str, step: str, **said: Any) -> Any:
        return self.browser.post(self._address(key, step), said, headers=JSON)

    def all_of(self, content: bytes) -> str:
        key = str(self.begin(content).json()["arrival"])
        assert self.part(key, 0, content).status_code == 200
        return key

    def _address(self, key: str, step: str) -> str:
        return reverse(f"arrival_{step}", args=[self.study.public_id, key])


@pytest.fixture
def sender(study: Study, organiser: User, browser_of: Browsers) -> Sender:
    return Sender(browser_of(organiser), study)


def incoming(tmp_path: Path) -> list[str]:
    return sorted(place.suffix for place in (tmp_path / "incoming").iterdir())


@pytest.mark.django_db(transaction=True)
def test_an_archive_in_parts_is_shown_and_then_imported_by_what_is_said(
    sender: Sender, archive: bytes, tmp_path: Path
) -> None:
    key = sender.begin(archive).json()["arrival"]
    assert sender.part(key, 0, archive[:100]).json()["received"] == 100
    assert sender.begin(archive).json()["received"] == 100  # as if the page had been loaded anew
    assert sender.part(key, 100, archive[100:]).json()["received"] == len(archive)

    plan = sender.step(key, "plan", pattern="{subject}_{eye}").json()
    assert [name for name, _size in plan["names"]] == ["eyes/P1_OD.png", "eyes/P1_OS.png", "eyes/holiday.png"]
    assert [row[:2] + row[3:4] for row in plan["rows"]] == [
        ["P1", "R", ""],
        ["P1", "L", ""],
        ["", "U", "The file name does not fit the pattern."],
    ]
    assert Job.objects.count() == 0

    answer = sender.step(key, "import", pattern="{subject}_{eye}")

    job = Job.objects.get()
    assert (answer.status_code, answer.json()["url"]) == (202, f"/jobs/{job.public_id}/")
    result: Any = job.result
    assert (job.state, result["added"], result["rejected"][0]["name"]) == ("done", 2, "eyes/holiday.png")
    assert sorted(map(str, sender.study.images.values_list("eye__side", flat=True))) == ["L", "R"]
    assert incoming(tmp_path) == [".batch"]


def test_a_part_that_begins_elsewhere_is_told_where_to_go_on(sender: Sender, archive: bytes) -> None:
    key = sender.begin(archive).json()["arrival"]
    sender.part(key, 0, archive[:100])

    again, too_far = sender.part(key, 0, archive[:100]), sender.part(key, 200, archive[200:])

    for answer in (again, too_far):
        assert (answer.status_code, answer.json()["code"], answer.json()["received"]) == (409, "other_offset", 100)


def test_a_damaged_part_is_refused_and_what_was_there_stays(sender: Sender, archive: bytes) -> None:
    key = sender.begin(archive).json()["arrival"]
    sender.part(key, 0, archive[:100])

    answer = sender.part(key, 100, archive[100:150], digest=hashlib.sha256(archive[100:151]).hexdigest())

    assert (answer.status_code, answer.json()["code"]) == (400, "part_damaged")
    assert sender.begin(archive).json()["received"] == 100


def test_what_was_written_but_never_acknowledged_is_written_again(
    sender: Sender, archive: bytes, tmp_path: Path
) -> None:
    """The server died between the bytes and their count."""
    key = sender.begin(archive).json()["arrival"]
    sender.part(key, 0, archive[:100])
    with (tmp_path / "incoming" / f"{key}.arriving").open("ab") as file:
        file.write(b"torn" * 1000)

    assert sender.begin(archive).json()["received"] == 100
    sender.part(key, 100, archive[100:])

    assert (tmp_path / "incoming" / f"{key}.arriving").read_bytes() == archive


@pytest.mark.parametrize("step", ["part", "plan", "import", "forget"])
def test_only_the_person_who_began_goes_on(
    step: str, sender: Sender, archive: bytes, study: Study, organiser: User, browser_of: Browsers
) -> None:
    key = sender.begin(archive).json()["arrival"]
    colleague = cast.person("Second Organiser")
    add_member(study=study, user=colleague, role=Role.ORGANISER, actor=organiser)
    other = Sender(browser_of(colleague), study)

    answer = other.part(key, 0, archive) if step == "part" else other.step(key, step)

    assert (answer.status_code, answer.json()["code"]) == (404, "arrival_gone")
    assert other.begin(archive).json()["arrival"] != key


def test_an_archive_that_is_not_all_there_is_neither_shown_nor_imported(sender: Sender, archive: bytes) -> None:
    key = sender.begin(archive).json()["arrival"]
    sender.part(key, 0, archive[:100])

    assert [sender.step(key, step).status_code for step in ("plan", "import")] == [409, 409]
    assert Job.objects.count() == 0


def test_a_part_may_not_lead_beyond_the_end(sender: Sender, archive: bytes) -> None:
    key = sender.begin(archive).json()["arrival"]
    answer = sender.part(key, 0, archive + b"more")
    assert (answer.status_code, answer.json()["code"]) == (400, "part_too_long")


def test_a_bad_archive_is_refused_when_it_is_looked_into_and_not_kept(sender: Sender, tmp_path: Path) -> None:
    key = sender.all_of(b"Dear colleague, this is a letter.")

    answer = sender.step(key, "plan")

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "not_an_archive", "file")
    assert incoming(tmp_path) == []


def test_a_table_that_names_other_files_is_told_and_imports_nothing(sender: Sender, archive: bytes) -> None:
    key = sender.all_of(archive)
    table = b"file,subject\nP1_OD.png,P1\nlost.png,P2\n"

    plan = sender.step(key, "plan", metadata=SimpleUploadedFile("t.csv", table))
    answer = sender.step(key, "import", metadata=SimpleUploadedFile("t.csv", table))

    assert plan.json()["lines_without_files"] == {"count": 1, "first": [[3, "lost.png"]]}
    assert (answer.status_code, answer.json()["code"]) == (400, "file_missing")
    assert sender.step(key, "plan").status_code == 200  # it is still there, for a better table


def test_an_archive_over_the_limit_is_refused_before_its_first_byte(
    sender: Sender, settings: Any, tmp_path: Path
) -> None:
    settings.UPLOAD_LIMIT_MB = 1
    answer = sender.begin(bytes(1024 * 1024 + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_an_archive_for_which_there_is_no_room_is_refused_before_its_first_byte(
    sender: Sender, archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "SPARE_BYTES", 10**18)
    answer = sender.begin(archive)
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")


def test_a_person_has_only_so_many_archives_on_their_way(sender: Sender, archive: bytes) -> None:
    statuses = [sender.begin(archive, name=f"{number}.zip").status_code for number in range(5)]
    assert statuses == [200, 200, 200, 200, 409]

    first = sender.begin(archive, name="0.zip").json()["arrival"]
    sender.step(first, "forget")

    assert sender.begin(archive, name="4.zip").status_code == 200


def test_what_nobody_came_back_for_is_cleared_away(sender: Sender, archive: bytes, tmp_path: Path) -> None:
    key = sender.begin(archive).json()["arrival"]
    sender.part(key, 0, archive[:100])
    remove_abandoned()
    assert incoming(tmp_path) == [".about", ".arriving"]

    for place in (tmp_path / "incoming").iterdir():
        os.utime(place, (0, 0))
    remove_abandoned()

    assert incoming(tmp_path) == []
    assert sender.part(key, 100, archive[100:]).status_code == 404


@pytest.mark.parametrize("about", [{"byte_count": "-1"}, {"byte_count": "many"}, {"byte_count": "9" * 40}])
def test_a_length_that_is_none_is_refused(about: dict[str, str], sender: Sender, archive: bytes) -> None:
    answer = sender.begin(archive, **about)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_number")


def test_a_closed_study_takes_no_archive(sender: Sender, archive: bytes, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)
    assert sender.begin(archive).json()["code"] == "study_closed"


def test_parts_do_not_take_the_room_that_others_need(
    sender: Sender, archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several archives may have begun when there was room for each of them."""
    key = sender.begin(archive).json()["arrival"]
    monkeypatch.setattr(arrivals, "SPARE_BYTES", 2**60)
    answer = sender.part(key, 0, archive[:100])
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")
    monkeypatch.undo()
    assert sender.begin(archive).json()["received"] == 0


def test_a_part_that_comes_after_the_archive_was_dropped_does_not_bring_it_back(
    study: Study, organiser: User, sender: Sender, archive: bytes, tmp_path: Path
) -> None:
    """Another window has dropped it while this one was sending."""
    key = sender.begin(archive).json()["arrival"]
    sender.part(key, 0, archive[:100])
    known = arrivals.arrival_of(study=study, key=key, actor=organiser)
    arrivals.forget_arrival(known)
    part = archive[100:]
    with pytest.raises(NotVisible):
        arrivals.take_part(arrival=known, offset=100, part=part, sha256=hashlib.sha256(part).hexdigest())
    assert incoming(tmp_path) == []


@pytest.mark.django_db(transaction=True)
def test_two_windows_import_an_archive_once(
    study: Study, organiser: User, sender: Sender, archive: bytes, tmp_path: Path
) -> None:
    key = sender.all_of(archive)
    known = arrivals.arrival_of(study=study, key=key, actor=organiser)
    arrivals.arrived_files(known)
    assert sender.step(key, "import").status_code == 202
    with pytest.raises(NotVisible):
        arrivals.import_arrival(arrival=known, study=study, batch=Batch(Said()), actor=organiser)
    assert Job.objects.count() == 1
    assert incoming(tmp_path) == []


def test_what_was_listed_of_an_archive_goes_with_its_bytes(sender: Sender, archive: bytes, tmp_path: Path) -> None:
    """A server that ended between moving the bytes and asking for the job leaves a list without an archive."""
    key = sender.all_of(archive)
    sender.step(key, "plan")
    (tmp_path / "incoming" / f"{key}.arriving").unlink()
    assert sender.begin(archive).json()["received"] == 0
    assert not (tmp_path / "incoming" / f"{key}.listed").exists()


def test_a_part_sent_as_a_form_is_refused(sender: Sender, archive: bytes) -> None:
    key = sender.begin(archive).json()["arrival"]
    digest = hashlib.sha256(archive).hexdigest()
    address = f"{reverse('arrival_part', args=[sender.study.public_id, key])}?offset=0&sha256={digest}"
    answer = sender.browser.post(address, {"file": SimpleUploadedFile("a", archive)}, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "part_damaged")
