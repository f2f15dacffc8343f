"""Importing many images: a folder or an archive, with or without a table of what they are."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from django.db import connection
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.archive import BadArchive, members
from annotator.formats.file_names import photographs_among
from annotator.formats.folder import folder_files
from annotator.imaging.pipeline import Known, Rejected, Source, Taken, take_in_files
from annotator.models import Image, Job, Study, User
from annotator.services.batches import Batch, Said, listed
from annotator.services.images import Refused, add_images, image_store
from annotator.services.incoming import incoming
from annotator.services.intake_desk import Facts
from annotator.services.intake_plan import Named
from annotator.services.jobs import request_job
from annotator.services.kept_batches import keep_batch, kept_batch

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

CHUNK = 24  # pictures per transaction: few enough to hold the database for well under 100 ms


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
    batch: Batch | None = None,
    workers: int = 2,
    report_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Take in a folder or archive. Rows are written in handfuls, each picture whole or not at all; run again after a
    break, it goes on where it ended, because what is already there is recognised by its digest."""
    report = Report()
    batch = batch or Batch(Said())
    names = [file.name for file in place_files(place, report)]
    _refuse_lines_without_files(batch, names)
    told = batch.sort(names)
    known = frozenset(Image.objects.filter(study=study).values_list("sha256", flat=True))
    if workers and not connection.in_atomic_block:
        connection.close()  # workers may be copies of this process, and must not share its connection or its locks
    waiting: list[tuple[Taken, Facts]] = []
    outcomes = take_in_files(_sources(place, told, report), image_store().root, known, workers=workers)
    try:
        for done, outcome in enumerate(outcomes, start=1):
            if isinstance(outcome, Rejected):
                report.reject(outcome.name, _(outcome.message) % outcome.params)
            elif isinstance(outcome, Known):
                report.duplicates.append({"name": outcome.name, "same_as": outcome.first or ""})
            else:
                facts = told[outcome.name]
                if isinstance(facts, DomainError):
                    raise TypeError("a file that was left out cannot be taken in")
                waiting.append((outcome, facts))
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
    outcomes = add_images(study=study, arrivals=waiting, actor=actor)
    for (taken, _said), outcome in zip(waiting, outcomes, strict=True):
        if isinstance(outcome, Refused):
            report.reject(outcome.name, outcome.message)
        else:
            report.added += taken.frames


def _refuse_lines_without_files(batch: Batch, names: list[str]) -> None:
    absent = batch.lines_without_files(names)
    if absent:
        lines = [_("line %(line)s: there is no file %(file)s") % {"line": r.line, "file": r.file} for r in absent]
        raise DomainError(
            "file_missing", listed(_("The table names files that are not there:"), lines), field="metadata"
        )


def archive_files(place: Path) -> list[Named]:
    """The files of an archive; a bad one is refused as a whole."""
    try:
        return _photographs([Named(member.name, member.byte_count) for member in members(place)])
    except BadArchive as fault:
        raise DomainError(fault.code, _(fault.message) % fault.params, field="file") from None


def place_files(place: Path, report: Report) -> list[Named]:
    """The files there are; what may not be followed is rejected here, once."""
    if not place.is_dir():
        return archive_files(place)
    found = []
    for entry in folder_files(place):
        if isinstance(entry, BadArchive):
            report.reject(str(entry.params.get("member", "")), _(entry.message) % entry.params)
        else:
            found.append(Named(entry.name, entry.path.stat().st_size))
    return _photographs(found)


def _photographs(files: list[Named]) -> list[Named]:
    wanted = photographs_among([file.name for file in files])
    return [file for file in files if file.name in wanted]


def _sources(place: Path, told: Mapping[str, Facts | DomainError], report: Report) -> Iterator[Source]:
    """What may be read. A refusal by name comes before the bytes are kept."""
    for source in _all_sources(place):
        facts = told.get(source.name)
        if facts is None:
            continue
        if isinstance(facts, DomainError):
            report.reject(source.name, facts.message)
        else:
            yield replace(source, side=str(facts.side))  # a plain word: workers know no Django


def _all_sources(place: Path) -> Iterator[Source]:
    if place.is_dir():
        entries = (entry for entry in folder_files(place) if not isinstance(entry, BadArchive))
        yield from (Source(entry.name, entry.path) for entry in entries)
    else:
        yield from (Source(member.name, member.open) for member in members(place))


def request_import(*, study: Study, archive: BinaryIO, actor: User, batch: Batch | None = None) -> Job:
    """Keep an uploaded archive and import it in the background; a bad archive or table is refused at once."""
    with tempfile.NamedTemporaryFile(dir=incoming(), suffix=".archive", delete=False) as kept:
        place = Path(kept.name)
        try:
            while block := archive.read(1024 * 1024):
                kept.write(block)
            kept.flush()
            files = archive_files(place)
            return request_import_of(study=study, place=place, files=files, actor=actor, batch=batch or Batch(Said()))
        except BaseException:
            place.unlink(missing_ok=True)
            raise


def request_import_of(*, study: Study, place: Path, files: Sequence[Named], actor: User, batch: Batch) -> Job:
    """The same for an archive with these files that lies in the folder of what comes in."""
    _refuse_lines_without_files(batch, [file.name for file in files])
    key = keep_batch(study=study, batch=batch, actor=actor) if batch.said != Said() else ""
    arguments = {"archive": place.name, "batch": key}
    return request_job(kind="import_images", owner=actor, study=study, arguments=arguments)


def run_import_job(job: Job, progress: "Progress") -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    place = incoming() / Path(job.arguments["archive"]).name
    progress.afterwards.append(lambda: place.unlink(missing_ok=True))
    key = job.arguments.get("batch", "")
    batch = kept_batch(study=job.study, key=key, actor=job.owner) if key else None
    report = import_images(
        study=job.study, place=place, actor=job.owner, batch=batch, workers=1, report_progress=progress.report
    )
    return asdict(report)
