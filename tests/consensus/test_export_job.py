"""An export in the background: it ends once, is in the log, and leaves nothing half-made."""

from __future__ import annotations

import errno
import hashlib
from typing import Any

import pytest

from annotator.errors import Forbidden
from annotator.models import AuditEvent, Job, User
from annotator.services.job_run import run_job
from consensus.models import DatasetVersion, Export
from consensus.services import exporting
from consensus.services.exporting import archive_path, checked_wish, request_export
from tests.consensus.exported import made

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


def test_an_export_is_in_the_log_and_asking_again_gives_the_same_one(version: DatasetVersion, organiser: User) -> None:
    made(version, organiser, formats=["tables"])
    export = Export.objects.get()
    event = AuditEvent.objects.get(action="dataset.exported")
    assert (
        (event.after or {})["sha256"] == export.sha256 == hashlib.sha256(archive_path(export).read_bytes()).hexdigest()
    )
    again = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    assert again.pk == export.pk


def test_a_job_that_runs_twice_ends_once(version: DatasetVersion, organiser: User) -> None:
    export = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    assert export.job is not None
    run_job(export.job.pk)
    Job.objects.filter(pk=export.job.pk).update(state=Job.State.QUEUED, finished_at=None, worker="", heartbeat=None)
    run_job(export.job.pk)
    assert AuditEvent.objects.filter(action="dataset.exported").count() == 1


def ended(version: DatasetVersion, organiser: User) -> tuple[Export, Job, list[str]]:
    """An export and its job when the worker is through with it, and what lies in the folder of archives."""
    export = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    assert export.job is not None
    run_job(export.job.pk)
    export.refresh_from_db()
    return export, Job.objects.get(pk=export.job.pk), [place.name for place in archive_path(export).parent.iterdir()]


def test_whoever_cancels_at_the_last_moment_finds_nothing_left_and_can_ask_again(
    version: DatasetVersion, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(exporting, "_sha256", lambda _place: f"{Job.objects.update(cancel_asked=True):064}")
        export, job, left = ended(version, organiser)
    assert (job.state, export.made, left) == (Job.State.CANCELLED, False, [])
    again, job, left = ended(version, organiser)
    assert (again.pk != export.pk, job.state, left) == (True, Job.State.DONE, [f"{again.public_id}.zip"])


def test_a_full_disk_is_named_and_nothing_half_made_stays(
    version: DatasetVersion, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_asked: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(exporting, "write_archive", full)
    _export, job, left = ended(version, organiser)
    assert (job.state, left) == (Job.State.FAILED, [])
    assert job.error.startswith("The server has no room for the archive.")


def test_what_a_killed_worker_left_is_cleared_away(version: DatasetVersion, organiser: User) -> None:
    export = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    folder = archive_path(export).parent
    folder.mkdir(parents=True)
    for owner in (export.public_id, "of-nobody"):
        (folder / f".making-{owner}-1234").write_bytes(b"half")
    again, _job, left = ended(version, organiser)
    assert (again.pk, left) == (export.pk, [f"{export.public_id}.zip"])


def test_only_organisers_take_data_out_of_the_house(version: DatasetVersion, senior: User) -> None:
    with pytest.raises(Forbidden):
        request_export(version=version, actor=senior, wish=checked_wish(version, formats=["masks"]))
