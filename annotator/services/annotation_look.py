"""A file of annotations is looked at: read by several processes into a spool, from which it can be compared with the
study as often as somebody wants to see what would happen."""

import hashlib
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from django.db import connection
from django.utils.translation import gettext as _

from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.annotation_workers import Sizes, Task, read_items
from annotator.errors import Conflict, DomainError
from annotator.formats.annotation_files import FORMATS
from annotator.formats.archive import BadArchive, members
from annotator.formats.bad_archive import bad_archive
from annotator.formats.bad_file import BadFile
from annotator.formats.file_names import is_left_behind, is_unsafe
from annotator.formats.folder import FolderFile, folder_files
from annotator.formats.tree import LIMITS
from annotator.models import Study
from annotator.selectors.photographs import photographs_by_name
from annotator.selectors.recipes import recipe_of

PIECE = 1024 * 1024
GZIP = b"\x1f\x8b"
PACKED = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")  # what is called so is no table and no picture


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
    place = _as_tree(place, shown, spool.folder)
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


def _as_tree(place: Path, shown: str, folder: Path) -> Path:
    """A folder or archive whose files can be read in any order: a single file in a folder of its own; what is packed as
    one stream is unpacked once."""
    if place.is_dir():
        return place
    folder.mkdir(parents=True, exist_ok=True)
    with place.open("rb") as file:
        start = file.read(512)
    if start.startswith(GZIP):
        unpacked = folder / "unpacked.zip"
        try:
            with zipfile.ZipFile(unpacked, "w", zipfile.ZIP_STORED) as archive:
                for member in members(place, LIMITS):
                    with member.open() as content, archive.open(member.name, "w", force_zip64=True) as copy:
                        shutil.copyfileobj(content, copy, PIECE)
        except BadArchive as fault:
            raise DomainError(fault.code, _(fault.message) % fault.params, field="file") from None
        return unpacked
    if start.startswith(b"PK") or start[257:262] == b"ustar":
        return place
    if shown.lower().endswith(PACKED):
        refusal = bad_archive("not_an_archive")
        raise DomainError(refusal.code, f"{shown}: {_(refusal.message) % refusal.params}", field="file")
    alone = folder / "single"
    shutil.rmtree(alone, ignore_errors=True)
    alone.mkdir()
    shutil.copyfile(place, alone / (shown if not is_unsafe(shown) and not is_left_behind(shown) else "file"))
    return alone


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
