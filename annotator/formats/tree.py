"""The files of a folder or of an archive, by name, read when they are asked for.

One enclosing folder and what desktops leave behind are passed over. Links are refused, and so is an archive with any
bad member. Files may be read by several threads at a time.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from annotator.formats.archive import Limits, Member, opened
from annotator.formats.bad_archive import BadArchive, bad_archive
from annotator.formats.bad_file import BadFile
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded
from annotator.formats.folder import folder_files

# Masks that were saved without compression pack to a thousandth, so how far an archive shrinks tells nothing here; what
# protects is that no file and no archive grows beyond these sizes, and that files are read one at a time.
LIMITS = Limits(member_bytes=256 * 1024**2, total_bytes=32 * 1024**3, ratio=2000)
MANIFEST = "manifest.json"  # of an exported archive


class FileTree:
    """`names` are sorted and relative, with `/`."""

    def __init__(self, place: Path, readers: Mapping[str, Callable[[], bytes]], enclosing: str = "") -> None:
        self.place = place
        self.names = tuple(sorted(name.removeprefix(enclosing) for name in readers))
        self.chosen: Mapping[str, str] | None = None
        """Which files a reader looks at and what their paths mean, where that was told from a whole that this is a part
        of; else a reader finds it out."""
        self._readers, self._enclosing = readers, enclosing

    def read(self, name: str) -> bytes:
        """The content; BadFile when it cannot be had."""
        try:
            return self._readers[self._enclosing + name]()
        except Fault as fault:
            raise BadFile(self.shown(name), fault) from None

    def shown(self, name: str) -> str:
        """How a message calls the file."""
        return f"{self.place}/{self._enclosing}{name}"


@contextlib.contextmanager
def open_tree(
    place: Path, *, own: Collection[str] = (), least_depth: int = 1, shown: Path | None = None, exported: str = ""
) -> Iterator[FileTree]:
    """`own`: folders of the layout itself, which are never taken for an enclosing one; `least_depth`: how many folders
    deep all files must lie before the outermost is taken for it; `shown`: how messages call the place, if otherwise;
    `exported`: the folder to which a whole exported archive is narrowed."""
    named = shown or place
    with contextlib.ExitStack() as stack:
        if place.is_dir():
            readers = _in_folder(place)
        else:
            try:
                found = stack.enter_context(opened(place, LIMITS))
            except BadArchive as fault:
                raise BadFile(str(named), fault) from None
            readers = {member.name: partial(_content, member) for member in found}
        within = f"{exported}/" if exported and MANIFEST in readers else ""
        readers = {name: read for name, read in readers.items() if name.startswith(within)} or readers
        inner = [name.removeprefix(within) for name in readers]
        enclosing = _enclosing(inner, {folded(name) for name in own}, least_depth)
        yield FileTree(named, readers, within + enclosing)


def _in_folder(place: Path) -> dict[str, Callable[[], bytes]]:
    readers: dict[str, Callable[[], bytes]] = {}
    for entry in folder_files(place):
        if isinstance(entry, BadArchive):
            raise BadFile(f"{place}/{entry.params['member']}", entry)
        readers[entry.name] = partial(_bytes_of, entry.path, entry.name)
    return readers


def _bytes_of(path: Path, name: str) -> bytes:
    if path.stat().st_size > LIMITS.member_bytes:
        raise bad_archive("member_too_large", member=name, limit=LIMITS.member_bytes)
    return path.read_bytes()


def _content(member: Member) -> bytes:
    with member.open() as content:
        return content.read()


def _enclosing(names: Collection[str], own: Collection[str], least_depth: int) -> str:
    folders = {name.partition("/")[0] for name in names}
    inner = all(name.count("/") >= least_depth for name in names)
    if not names or not inner or len(folders) > 1 or folded(next(iter(folders))) in own:
        return ""
    return folders.pop() + "/"
