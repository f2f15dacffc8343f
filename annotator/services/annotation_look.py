"""A file of annotations is looked at: read by several processes into a spool, from which it can be compared with the
study as often as somebody wants to see what would happen."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from django.db import connection
from django.utils.translation import gettext as _

from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.annotation_workers import Sizes, Task, read_items
from annotator.errors import Conflict, DomainError
from annotator.formats.annotation_files import FORMATS
from annotator.formats.bad_file import BadFile
from annotator.formats.folder import FolderFile, folder_files
from annotator.models import Study
from annotator.selectors.photographs import photographs_by_name
from annotator.selectors.recipes import recipe_of

PIECE = 1024 * 1024


def checked_wish(study: Study, wish: ImportWish) -> ImportWish:
    """DomainError names what is wrong with it."""
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; nothing can be imported."))
    if wish.format not in FORMATS:
        message = _("“%(format)s” is not a format. Choose among: %(known)s.")
        words = {"format": wish.format, "known": ", ".join(FORMATS)}
        raise DomainError("unknown_format", message % words, field="format")
    if sum((wish.as_reference, bool(wish.grader.strip()), wish.by_folder)) != 1:
        message = _("Say what the answers are: one grader's, those of graders whom the files name, or references.")
        raise DomainError("no_purpose", message, field="grader")
    if wish.by_folder and not FORMATS[wish.format].graders:
        message = _("Files of this format do not say which grader an answer is of. Name the grader.")
        raise DomainError("names_no_graders", message, field="grader")
    known = {target.key for target in recipe_of(study).targets}
    for key in filter(None, (wish.target, *wish.called.values())):
        if key not in known:
            raise DomainError("unknown_target", _("“%(name)s” is not a target.") % {"name": key}, field="target")
    return wish


def look(
    *,
    study: Study,
    wish: ImportWish,
    place: Path,
    shown: str,
    spool: Spool,
    workers: int = 2,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """The number of items; DomainError when the folder or archive cannot be used at all."""
    by_name = photographs_by_name(study)
    sizes = {name: (rows[0].image.width, rows[0].image.height) for name, rows in by_name.items() if len(rows) == 1}
    task = Task(place, wish.format, recipe_of(study), Sizes(sizes), shown, wish.target, dict(wish.called))
    if workers and not connection.in_atomic_block:
        connection.close()  # workers may be copies of this process, and must not share its connection or its locks
    try:
        count = spool.write(read_items(task, workers=workers, report=report))
    except BadFile as refusal:
        fault = refusal.fault
        raise DomainError(fault.code, f"{refusal.name}: {_(fault.message) % fault.params}", field="file") from None
    if not count:
        raise DomainError("nothing_found", _("There is no annotation in it."), field="file")
    return count


def sha256_of(place: Path) -> str:
    """Of a file its own; of a folder that of the list of its files with theirs."""
    if place.is_file():
        return _digest(place)
    entries = [entry for entry in folder_files(place) if isinstance(entry, FolderFile)]
    lines = [f"{_digest(entry.path)}  {entry.name}" for entry in entries]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
