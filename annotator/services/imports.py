"""Importing many images: a folder or an archive, with or without a table of what they are."""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.archive import BadArchive, members
from annotator.formats.file_names import folded
from annotator.formats.folder import folder_files
from annotator.formats.metadata_csv import ImageRow, read_metadata
from annotator.imaging.pipeline import Known, Rejected, Source, Taken, take_in_files
from annotator.models import Eye, Image, Job, Study, User
from annotator.services.images import Refused, add_images, check_facts, image_store
from annotator.services.intake_desk import Facts
from annotator.services.jobs import request_job

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

CHUNK = 24  # pictures per transaction: few enough to hold the database for well under 100 ms
MOST_FAULTS = 50
ABANDONED_AFTER_S = 3600  # an archive that is still arriving is younger


@dataclass
class Report:
    """What became of every file."""

    added: int = 0
    duplicates: list[dict[str, str]] = field(default_factory=list)
    rejected: list[dict[str, str]] = field(default_factory=list)

    def reject(self, name: str, message: str) -> None:
        self.rejected.append({"name": name, "message": message})


def import_images(
    *,
    study: Study,
    place: Path,
    actor: User,
    metadata: bytes | None = None,
    workers: int = 2,
    report_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Take in a folder or archive. Rows are written in handfuls, each picture whole or not at all; run again after a
    break, it goes on where it ended, because what is already there is recognised by its digest."""
    report = Report()
    rows = _rows(metadata)
    names = list(_names(place, report))
    _refuse_rows_without_files(rows, names)
    known = frozenset(Image.objects.filter(study=study).values_list("sha256", flat=True))
    if workers and not connection.in_atomic_block:
        connection.close()  # workers may be copies of this process, and must not share its connection or its locks
    waiting: list[tuple[Taken, Facts]] = []
    outcomes = take_in_files(_sources(place, rows, report), image_store().root, known, workers=workers)
    try:
        for done, outcome in enumerate(outcomes, start=1):
            if isinstance(outcome, Rejected):
                report.reject(outcome.name, _(outcome.message) % outcome.params)
            elif isinstance(outcome, Known):
                report.duplicates.append({"name": outcome.name, "same_as": outcome.first or ""})
            else:
                waiting.append((outcome, _facts(rows, outcome.name)))
            if len(waiting) >= CHUNK:
                _add(study, waiting, actor, report)
                waiting = []
            report_progress(done, len(names))
    except BadArchive as fault:
        raise DomainError(fault.code, _(fault.message) % fault.params, field="file") from None
    if waiting:
        _add(study, waiting, actor, report)
    return report


def _add(study: Study, waiting: list[tuple[Taken, Facts]], actor: User, report: Report) -> None:
    for outcome in add_images(study=study, arrivals=waiting, actor=actor):
        if isinstance(outcome, Refused):
            report.reject(outcome.name, outcome.message)
        else:
            report.added += 1


def _rows(metadata: bytes | None) -> dict[str, ImageRow] | None:
    """The table by file; every fault of a bad one is told at once, by line."""
    if metadata is None:
        return None
    table = read_metadata(metadata)
    if table.faults:
        lines = [
            _("line %(line)s: %(fault)s") % {"line": fault.line or 1, "fault": _(fault.message) % fault.params}
            for fault in table.faults
        ]
        raise DomainError("bad_table", _listed(_("The table cannot be used:"), lines), field="metadata")
    return {folded(row.file): row for row in table.rows}


def _listed(head: str, lines: list[str]) -> str:
    more = [_("… and %(count)s more") % {"count": len(lines) - MOST_FAULTS}] if len(lines) > MOST_FAULTS else []
    return "\n".join([head, *lines[:MOST_FAULTS], *more])


def _refuse_rows_without_files(rows: Mapping[str, ImageRow] | None, names: list[str]) -> None:
    present = {folded(name) for name in names}
    absent = [row for key, row in (rows or {}).items() if key not in present]
    if absent:
        lines = [_("line %(line)s: there is no file %(file)s") % {"line": r.line, "file": r.file} for r in absent]
        raise DomainError(
            "file_missing", _listed(_("The table names files that are not there:"), lines), field="metadata"
        )


def _facts(rows: Mapping[str, ImageRow] | None, name: str) -> Facts:
    row = rows[folded(name)] if rows is not None else None
    if row is None:
        return Facts()
    return Facts(
        subject=row.subject or "",
        side=row.eye or Eye.Side.UNKNOWN,
        order=row.position,
        device=row.device or "",
        um_per_px_x=row.um_per_px_x,
        um_per_px_y=row.um_per_px_y,
        strata=row.strata | row.labels,
    )


def _names(place: Path, report: Report) -> Iterator[str]:
    """The files there are; what may not be followed is rejected here, once."""
    if not place.is_dir():
        try:
            yield from (member.name for member in members(place))
        except BadArchive as fault:
            raise DomainError(fault.code, _(fault.message) % fault.params, field="file") from None
        return
    for entry in folder_files(place):
        if isinstance(entry, BadArchive):
            report.reject(str(entry.params.get("member", "")), _(entry.message) % entry.params)
        else:
            yield entry.name


def _sources(place: Path, rows: Mapping[str, ImageRow] | None, report: Report) -> Iterator[Source]:
    """What may be read. A refusal by name comes before the bytes are kept."""
    for source in _all_sources(place):
        if rows is not None and folded(source.name) not in rows:
            report.reject(source.name, _("The table has no line for this file."))
            continue
        try:
            check_facts(name=source.name, facts=_facts(rows, source.name))
        except DomainError as refusal:
            report.reject(source.name, refusal.message)
        else:
            yield source


def _all_sources(place: Path) -> Iterator[Source]:
    if place.is_dir():
        entries = (entry for entry in folder_files(place) if not isinstance(entry, BadArchive))
        yield from (Source(entry.name, entry.path) for entry in entries)
    else:
        yield from (Source(member.name, member.open) for member in members(place))


def _incoming() -> Path:
    return Path(settings.DATA_ROOT) / "incoming"


def request_import(*, study: Study, archive: BinaryIO, actor: User) -> Job:
    """Keep an uploaded archive and import it in the background; a bad archive is refused at once."""
    folder = _incoming()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".archive", delete=False) as kept:
        place = Path(kept.name)
        try:
            while block := archive.read(1024 * 1024):
                kept.write(block)
            kept.flush()
            list(_names(place, Report()))
            return request_job(kind="import_images", owner=actor, study=study, arguments={"archive": place.name})
        except BaseException:
            place.unlink(missing_ok=True)
            raise


def run_import_job(job: Job, progress: "Progress") -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    place = _incoming() / Path(job.arguments["archive"]).name
    progress.afterwards.append(lambda: place.unlink(missing_ok=True))
    report = import_images(study=job.study, place=place, actor=job.owner, workers=1, report_progress=progress.report)
    return asdict(report)


def remove_abandoned_archives() -> None:
    """Patients' pictures do not stay behind a job that was cancelled before it began, or never written down."""
    waiting = Job.objects.filter(kind="import_images", finished_at=None).values_list("arguments", flat=True)
    wanted = {arguments["archive"] for arguments in waiting}
    for place in _incoming().glob("*.archive"):
        if place.name not in wanted and time.time() - place.stat().st_mtime > ABANDONED_AFTER_S:
            place.unlink(missing_ok=True)
