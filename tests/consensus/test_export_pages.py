"""Exports on pages and for programs: asked for, watched, taken away in pieces, removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from annotator.answers import Given
from annotator.models import AuditEvent, Study, User
from annotator.services.job_run import run_job
from consensus.models import DatasetVersion, Export
from consensus.sending import file_name
from consensus.services.exporting import archive_path
from consensus.services.freezing import freeze_dataset
from tests.consensus import scene

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


@pytest.fixture
def version(fused_study: Study, senior: User) -> DatasetVersion:
    return freeze_dataset(study=fused_study, actor=senior, name="First")


@pytest.fixture
def olga(organiser: User, browser_of: Browser) -> Client:
    return browser_of(organiser)


def new_at(version: DatasetVersion) -> str:
    return f"/studies/{version.study.public_id}/datasets/{version.public_id}/export/"


def at(export: Export, rest: str = "") -> str:
    return f"/studies/{export.version.study.public_id}/exports/{export.public_id}/{rest}"


@pytest.fixture
def export(version: DatasetVersion, olga: Client) -> Export:
    """Asked for on the page, made by the worker."""
    answer = olga.post(new_at(version), {"formats": ["masks", "tables"], "licence": "CC BY 4.0", "split": ""})
    export = Export.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, at(export))
    assert "Making the archive" in olga.get(at(export)).content.decode()
    assert export.job is not None
    run_job(export.job.pk)
    export.refresh_from_db()
    return export


def test_the_page_offers_what_the_protocol_has_and_names_files_it_cannot_write(
    version: DatasetVersion, olga: Client
) -> None:
    page = olga.get(new_at(version)).content.decode()
    assert [words for words in ("Masks as PNG", "COCO", "STAPLE posteriors") if words not in page] == []
    assert "classification.csv" in page
    assert "have no reference for “Glaucoma”" in page


def test_asking_for_nothing_is_refused_on_the_page(version: DatasetVersion, olga: Client) -> None:
    assert olga.post(new_at(version), {"licence": "", "split": ""}).status_code == 400
    assert olga.post(new_at(version), {"formats": ["xml"], "split": ""}).status_code == 400
    assert olga.post(new_at(version), {"formats": ["masks"], "split": "nosuchsplit"}).status_code == 404
    assert not Export.objects.exists()


def test_a_made_archive_is_shown_listed_and_downloaded_and_the_log_knows(export: Export, olga: Client) -> None:
    page = olga.get(at(export)).content.decode()
    assert export.sha256 in page
    assert "CC BY 4.0" in page
    listed = olga.get(f"/studies/{export.version.study.public_id}/datasets/{export.version.public_id}/")
    assert "Masks as PNG, Tables as CSV" in listed.content.decode()
    answer = olga.get(at(export, "file"))
    assert b"".join(answer.streaming_content) == archive_path(export).read_bytes()  # type: ignore[attr-defined]
    assert answer["ETag"] == f'"{export.sha256}"'
    assert AuditEvent.objects.filter(action="dataset.downloaded").count() == 1


def test_the_exports_of_a_version_are_listed_in_pages(export: Export, olga: Client) -> None:
    """The one that was asked for first stands on the last page, however many followed."""
    said, came = ("version", "formats", "language", "asked_by", "code_version"), ("sha256", "byte_count", "file_count")
    fields = {name: getattr(export, name) for name in (*said, *came, "made_at")}
    Export.objects.bulk_create(Export(**fields) for _number in range(60))
    address = f"/studies/{export.version.study.public_id}/datasets/{export.version.public_id}/"

    pages = [olga.get(f"{address}?page={number}").content.decode() for number in (1, 3, "nonsense")]

    assert [f"/exports/{export.public_id}/" in page for page in pages] == [False, True, False]
    assert [words in page for page, words in zip(pages, ("1–25 of 61", "51–61 of 61", "1–25"), strict=True)] == [
        True
    ] * 3


def test_a_download_that_broke_off_goes_on_where_it_stopped(export: Export, olga: Client) -> None:
    whole = archive_path(export).read_bytes()

    def part(asked: str, **more: str) -> tuple[int, bytes, str]:
        answer = olga.get(at(export, "file"), headers={"Range": asked, **more})
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        return answer.status_code, body, answer.get("Content-Range", "")

    size = len(whole)
    assert part("bytes=100-") == (206, whole[100:], f"bytes 100-{size - 1}/{size}")
    assert part("bytes=5-9") == (206, whole[5:10], f"bytes 5-9/{size}")
    assert part("bytes=-20") == (206, whole[-20:], f"bytes {size - 20}-{size - 1}/{size}")
    assert part(f"bytes={size}-") == (416, b"", f"bytes */{size}")
    assert part(f"bytes={'9' * 99}-")[0] == part("bytes=-0")[0] == 416
    assert part(f"Bytes=5-{'9' * 99}") == (206, whole[5:], f"bytes 5-{size - 1}/{size}")
    assert AuditEvent.objects.filter(action="dataset.downloaded").count() == 1  # the first piece that was not the start
    for nonsense in ("bytes=9-5", f"bytes={'9' * 5000}-", "bytes=-", "bytes=a-b", "lines=1-2"):
        assert part(nonsense) == (200, whole, ""), nonsense
    assert part("bytes=5-9", **{"If-Range": '"of another file"'}) == (200, whole, "")
    assert part("bytes=1-2,4-5") == (200, whole, "")
    assert AuditEvent.objects.filter(action="dataset.downloaded").count() == 8  # and the seven whole ones


def test_a_removed_archive_is_gone_and_can_be_made_again(export: Export, olga: Client) -> None:
    before = archive_path(export).read_bytes()
    olga.post(at(export, "remove/"))
    assert olga.get(at(export, "file")).status_code == 404
    assert "The archive was removed" in olga.get(at(export)).content.decode()
    listed = olga.get(f"/studies/{export.version.study.public_id}/datasets/{export.version.public_id}/")
    assert "removed" in listed.content.decode()
    assert olga.post(at(export, "remove/")).status_code == 409
    olga.post(at(export, "again/"))
    again = Export.objects.exclude(pk=export.pk).get()
    assert again.job is not None
    run_job(again.job.pk)
    assert archive_path(again).read_bytes() == before


def test_programs_ask_for_exports_and_take_them_away(version: DatasetVersion, olga: Client) -> None:
    address = f"/api/v1/studies/{version.study.public_id}/datasets/{version.public_id}/exports/"
    refused = olga.post(address, json.dumps({"formats": ["xml"]}), content_type="application/json")
    assert (refused.status_code, refused.json()["field"]) == (400, "formats.0")
    told = olga.post(address, json.dumps({"formats": ["tables"]}), content_type="application/json")
    assert told.status_code == 201
    assert olga.get(f"{address}{told.json()['id']}/file").status_code == 404
    job = Export.objects.get().job
    assert job is not None
    run_job(job.pk)
    one = olga.get(f"{address}{told.json()['id']}/").json()
    archive = olga.get(f"{address}{one['id']}/file")
    assert len(b"".join(archive.streaming_content)) == one["bytes"]  # type: ignore[attr-defined]
    assert [row["id"] for row in olga.get(address).json()["results"]] == [one["id"]]


def test_who_may_not_take_data_out_gets_neither_page_nor_file(
    export: Export, senior: User, graders: list[User], outsider: User, browser_of: Browser
) -> None:
    for person, status in ((senior, 403), (graders[0], 403), (outsider, 404)):
        client = browser_of(person)
        addresses = (new_at(export.version), at(export), at(export, "file"))
        assert [client.get(address).status_code for address in addresses] == [status] * 3


def test_the_program_on_the_page_runs_on_its_archive(
    export: Export,
    olga: Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = unescape(olga.get(at(export)).content.decode())
    program = page.partition('<pre class="code" tabindex="0">')[2].partition("</pre>")[0]
    (tmp_path / file_name(export)).write_bytes(archive_path(export).read_bytes())
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "page", "exec"), {})
    printed = capsys.readouterr().out.split()
    assert printed[0] == "c0001"
    assert [int(area) > 0 for area in printed[1:3]] == [True, True]  # disc and cup
    assert printed[3].startswith("Point(x=")


@pytest.mark.parametrize(("formats", "disc"), [(["masks"], False), (["masks", "tables"], True)])
def test_the_program_asks_for_a_structure_that_was_not_seen_only_where_tables_say_so(
    formats: list[str], disc: bool, organiser: User, senior: User, graders: list[User], olga: Client
) -> None:
    given = [
        *(Given(key, answer="not-visible") for key in ("disc", "fovea")),
        *(Given(key, answer="absent") for key in ("drusen", "exudate", "hemorrhage", "scar", "other")),
    ]
    study = scene.read_study("adam", organiser=organiser, senior=senior, graders=graders[:1], answers=[given])
    scene.fuse_all(study, actor=senior)
    version = freeze_dataset(study=study, actor=senior, name="First")
    olga.post(new_at(version), {"formats": formats, "split": ""})
    export = Export.objects.get()
    assert export.job is not None
    run_job(export.job.pk)

    page = unescape(olga.get(at(export)).content.decode())

    assert ('photograph.mask("disc")' in page, 'photograph.mask("drusen")' in page) == (disc, True)
