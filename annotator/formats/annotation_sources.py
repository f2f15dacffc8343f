"""Which files of a folder or archive a reader of drawings looks at, and what becomes of faults that end one."""

from collections.abc import Callable, Iterator, Sequence

from annotator.formats.bad_file import BadFile
from annotator.formats.bad_mark import bad_mark
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded, without_ending
from annotator.formats.marks import Found, Unusable, Where
from annotator.formats.mask_folders import below
from annotator.formats.tree import FileTree


def sources(tree: FileTree, endings: Sequence[str], *own: str) -> Iterator[str | Unusable]:
    """Names of files with one of these endings, in one of the program's own folders if there is one; any other file is
    named, but not pictures."""
    for name, path in without_pictures(below(tree, *own)):
        if folded(path).endswith(tuple(endings)):
            yield name
        else:
            yield Unusable(Where(name), bad_mark("not_read"))


def without_pictures(files: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Photographs lie beside their annotations as a rule and say nothing of them."""
    return [(name, path) for name, path in files if without_ending(path) == path]


def refusing(name: str, read: Callable[[], Found]) -> Found:
    """What is read, and where it ends with a fault, that."""
    try:
        yield from read()
    except BadFile as refusal:
        yield Unusable(Where(name), refusal.fault)
    except Fault as fault:
        yield Unusable(Where(name, getattr(fault, "line", None)), fault)
