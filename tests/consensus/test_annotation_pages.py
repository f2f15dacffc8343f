"""The organiser's page: a file is sent, looked at in the background, shown entry by entry, and taken over."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator.annotation_items import Item
from annotator.annotation_spool import Spool
from annotator.models import AnnotationImport, AuditEvent, Job, Reading, Role, Study, User
from annotator.services.annotation_uploads import folder_of, remove_abandoned
from annotator.services.job_run import JobLost, run_job
from annotator.services.people import add_member
from consensus.models import ConsensusRun, Reference
from tests import cast
from tests.consensus.arriving import png, square

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


@pytest.fixture
def bare(organiser: User) -> Study:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 2, actor=organiser)
    return study


def archive(**masks: bytes) -> SimpleUploadedFile:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in masks.items():
            packed.writestr(f"disc/{name.replace('_', '-')}.png", data)
    return SimpleUploadedFile("masks.zip", out.getvalue())


def send(client: Client, study: Study, file: SimpleUploadedFile, **said: str) -> AnnotationImport:
    asked = {"purpose": "grader", "grader": "Anna", "format": "masks", "source": "Elsewhere", **said}
    answer = client.post(f"/studies/{study.public_id}/annotations/", {**asked, "file": file})
    assert answer.status_code == 302, answer.content.decode()
    row = AnnotationImport.objects.latest("pk")
    assert row.looking is not None
    run_job(row.looking.pk)
    return row


def page_of(study: Study, row: AnnotationImport) -> str:
    return f"/studies/{study.public_id}/annotations/{row.public_id}/"


def confirm(client: Client, study: Study, row: AnnotationImport, **said: str) -> str:
    """Press the button of the page that is shown now; what the page says then."""
    shown = client.get(page_of(study, row))
    answer = client.post(page_of(study, row), {"seen": shown.context["plan"]["digest"], **said})
    if answer.status_code == 302:
        row.refresh_from_db()
        assert row.applying is not None
        run_job(row.applying.pk)
        answer = client.get(page_of(study, row))
    return answer.content.decode()


def test_what_was_looked_at_is_shown_and_then_imported(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, archive(picture_1=png(square(9)), picture_2=png(square(10))))
    shown = client.get(page_of(bare, row)).content.decode()
    assert "Import 2 answers" in shown
    assert not Reading.objects.exists()

    after = confirm(client, bare, row)

    assert "2 readings were imported." in after
    assert f'href="/studies/{bare.public_id}/table/"' in after.partition("2 readings were imported.")[2]
    assert Reading.objects.count() == 2
    assert not folder_of(row).exists()


def test_rejected_entries_are_listed_with_their_reasons_and_as_a_table(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, archive(picture_1=png(square(9)), unknown=png(square(10))))

    shown = client.get(page_of(bare, row)).content.decode()
    table = client.get(page_of(bare, row) + "table.csv").content.decode()

    assert "No image of the study is called “unknown”." in shown
    rows = {one["image"]: one for one in csv.DictReader(io.StringIO(table))}
    assert rows["unknown"]["outcome"] == "rejected"
    assert (rows["picture-1"]["case"], rows["picture-1"]["outcome"]) == ("1", "new")
    assert "Some entries are rejected" in confirm(client, bare, row)
    assert "1 reading was imported." in confirm(client, bare, row, without_rejected="on")


def test_where_everything_is_rejected_nobody_is_told_that_it_is_there_already(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, archive(unknown=png(square(10))))

    shown = client.get(page_of(bare, row)).content.decode()

    assert "Every entry is rejected" in shown
    assert "Nothing of it is new" not in shown


def test_references_come_in_by_the_same_page(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, archive(picture_1=png(square(9))), purpose="references", grader="")

    assert "1 reference was imported." in confirm(client, bare, row)

    assert Reference.objects.get().source == "Elsewhere"


def test_a_file_that_is_no_archive_is_named_as_such(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, SimpleUploadedFile("bomb.zip", b"PK\x03\x04 but nothing more"))

    shown = client.get(page_of(bare, row)).content.decode()

    assert "It could not be used" in shown
    assert "bomb.zip: The archive is damaged" in shown


@pytest.mark.parametrize("name", ["masks.zip", "masks.rar"])
def test_a_file_that_is_only_called_an_archive_is_not_taken_for_annotations(
    name: str, bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, SimpleUploadedFile(name, b"Rar! or anything else"))

    shown = client.get(page_of(bare, row)).content.decode()

    assert f"{name}: The file is not a .zip, .tar or .tar.gz archive." in shown


def test_what_is_missing_in_the_form_is_said_at_its_field(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    said = {"purpose": "grader", "format": "masks", "source": "Elsewhere", "called": "x", "file": archive()}

    answer = browser_of(organiser).post(f"/studies/{bare.public_id}/annotations/", said)

    assert answer.status_code == 400
    assert "Name the grader." in answer.content.decode()
    assert "Write NAME=TARGET" in answer.content.decode()


def test_a_job_that_is_rung_again_after_a_kill_imports_once(
    bare: Study, organiser: User, browser_of: Callable[[User], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, archive(picture_1=png(square(9))))
    seen = client.get(page_of(bare, row)).context["plan"]["digest"]
    client.post(page_of(bare, row), {"seen": seen})
    row.refresh_from_db()
    assert row.applying is not None
    monkeypatch.setattr("annotator.services.job_run._end", lambda *args, **fields: None)  # killed before its end
    monkeypatch.setattr("consensus.services.annotations.drop", lambda row: None)
    run_job(row.applying.pk)
    Job.objects.filter(pk=row.applying.pk).update(state="queued", worker="", heartbeat=None)
    monkeypatch.undo()

    run_job(row.applying.pk)

    assert Job.objects.get(pk=row.applying.pk).state == "done"
    assert Reading.objects.count() == 1


def test_a_discarded_file_goes_and_nothing_is_imported(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    client = browser_of(organiser)
    row = send(client, bare, archive(picture_1=png(square(9))))
    remove_abandoned()
    assert folder_of(row).exists()

    client.post(page_of(bare, row) + "drop/")

    assert not folder_of(row).exists()
    assert "Not imported" in client.get(f"/studies/{bare.public_id}/annotations/").content.decode()


def test_the_log_names_who_imported_and_not_who_sent_the_file(
    bare: Study, organiser: User, senior: User, browser_of: Callable[[User], Client]
) -> None:
    row = send(browser_of(organiser), bare, archive(picture_1=png(square(4))))
    add_member(study=bare, user=senior, role=Role.ORGANISER, actor=organiser)
    confirm(browser_of(senior), bare, row)
    told = AuditEvent.objects.filter(study=bare, action__in=["annotations.imported", "member.added"])
    assert {event.actor for event in told.order_by("-pk")[:2]} == {senior}
    assert Reading.objects.get().submitted_by == senior

    row = send(browser_of(organiser), bare, archive(picture_2=png(square(4))), purpose="references")
    confirm(browser_of(senior), bare, row)
    assert AuditEvent.objects.get(study=bare, action="references.imported").actor == senior
    assert ConsensusRun.objects.get().started_by == senior


def test_nobody_else_on_the_machine_reads_a_file_on_its_way(
    bare: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    row = send(browser_of(organiser), bare, archive(picture_1=png(square(4))))
    assert folder_of(row).stat().st_mode & 0o077 == 0


def test_a_look_that_was_taken_for_dead_does_not_spoil_the_one_that_took_over(tmp_path: Path) -> None:
    """A worker that slept, and wakes up while another does its work, writes into nothing that the other has."""
    item = Item("picture-1.png", None, "")

    def slow(packed: bytes) -> Iterator[tuple[Item, bytes | None]]:
        yield item, packed
        if packed == b"first":
            Spool(tmp_path / "spool").write(slow(b"other"))
            raise JobLost

    with pytest.raises(JobLost):
        Spool(tmp_path / "spool").write(slow(b"first"))
    kept = Spool(tmp_path / "spool")
    assert [kept.packed(one) for one in kept.items()] == [b"other"]
    assert sorted(path.name for path in kept.folder.iterdir()) == ["items.jsonl", "runs.bin"]
