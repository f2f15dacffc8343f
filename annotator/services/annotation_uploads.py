"""A file of annotations arrives by the browser: kept in a folder of its own, looked at in the background, and there to
be compared with the study until it is taken over or dropped."""

import hashlib
import shutil
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.errors import DomainError
from annotator.ids import new_public_id
from annotator.models import AnnotationImport, Job, Study, User
from annotator.services.annotation_look import PIECE, checked_wish, look
from annotator.services.annotation_readings import begin
from annotator.services.jobs import request_job

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

LOOK = "look_at_annotations"
LONGEST_SOURCE = 500
KEPT_FOR_S = 14 * 24 * 3600  # what nobody takes over goes after two weeks


def folder_of(row: AnnotationImport) -> Path:
    return _folder() / row.public_id


def spool_of(row: AnnotationImport) -> Spool:
    return Spool(folder_of(row) / "spool")


def wish_of(row: AnnotationImport) -> ImportWish:
    known = {field.name for field in fields(ImportWish)}
    return ImportWish(**{name: value for name, value in row.wish.items() if name in known})


def checked_source(source: str) -> str:
    source = source.strip()
    if not source:
        message = _("Say who made the annotations and how; it is kept with them.")
        raise DomainError("source_missing", message, field="source")
    if len(source) > LONGEST_SOURCE:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_SOURCE}
        raise DomainError("too_long", message, field="source")
    return source


def request_look(
    *, study: Study, actor: User, wish: ImportWish, source: str, file_name: str, content: BinaryIO
) -> AnnotationImport:
    """The wish is checked now, the file later."""
    wish, source = checked_wish(study, wish), checked_source(source)
    name = new_public_id()
    folder = _folder() / name
    _folder().mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700)
    try:
        sealed = hashlib.sha256()
        with (folder / "upload").open("wb") as kept:
            while block := content.read(PIECE):
                sealed.update(block)
                kept.write(block)
        with transaction.atomic():
            row = begin(
                study=study,
                actor=actor,
                wish=wish,
                source=source,
                file_name=file_name,
                sha256=sealed.hexdigest(),
                public_id=name,
            )
            row.looking = request_job(kind=LOOK, owner=actor, study=study, arguments={"import": name})
            row.save(update_fields=["looking"])
        return row
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def run_look_job(job: Job, progress: "Progress") -> dict[str, Any]:
    row = AnnotationImport.objects.select_related("study").get(public_id=job.arguments["import"])
    spool = spool_of(row)
    place = folder_of(row) / "upload"
    shown = Path(row.file_name).name
    count = look(study=row.study, wish=wish_of(row), place=place, shown=shown, spool=spool, report=progress.report)
    return {"items": count}


def drop(row: AnnotationImport) -> None:
    """The files go; that somebody looked stays."""
    shutil.rmtree(folder_of(row), ignore_errors=True)


def remove_abandoned() -> None:
    """What was taken over needs its files no longer, and what nobody takes over does not stay for ever."""
    if not _folder().is_dir():
        return
    for folder in _folder().iterdir():
        row = AnnotationImport.objects.filter(public_id=folder.name).only("applied_at").first()
        old = time.time() - folder.stat().st_mtime > KEPT_FOR_S
        arriving = row is None and time.time() - folder.stat().st_mtime < 3600
        if not arriving and (row is None or row.applied_at is not None or old):
            shutil.rmtree(folder, ignore_errors=True)


def _folder() -> Path:
    return Path(settings.DATA_ROOT) / "incoming" / "annotations"
