"""Annotations in tables: points, ellipses, lines, labels with signs and confidence, and answers without a drawing.

One line says something of one image. Which target it is about says a column `target`, or the name of the file
(`fovea.csv`), or the columns themselves (`fovea_x`, `fovea_y`; a label target's own name heads its labels); a single
one that was chosen needs no name. What the tables of a folder say of one image, target and grader is put together; two
that differ are a fault and neither counts.

Coordinates are the house's own, the centre of the first pixel being (0.5, 0.5). Where a column `pixel_index` says 1, or
the reader is told so, they name pixels, and half a pixel is added. Angles are degrees, clockwise on the screen; `a` and
`b` are semi-axes.

Of an archive that this program exported, the folder `tables` is read and the rest is left alone.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from annotator.formats.annotation_sources import without_pictures
from annotator.formats.annotation_table import AnnotationTable
from annotator.formats.any_table import read_any_table
from annotator.formats.bad_file import BadFile
from annotator.formats.bad_mark import bad_mark
from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded, without_ending
from annotator.formats.marks import Found, Mark, Unusable, Wanted, Where
from annotator.formats.mask_folders import below, mark_of, placed
from annotator.formats.table_answers import TableAnswers
from annotator.formats.tree import FileTree
from protocols.targets import Target

MOST_LINES = 600_000  # of all tables together, since what they say is put together in memory
TABLES, READINGS = "tables", "readings"  # folders of an archive that this program exported
_BESIDE = frozenset({"measures.csv"})  # what follows from the answers; read on its own it is refused for lack of any
ENDINGS = (".csv", ".tsv", ".txt")


def read_csv_marks(tree: FileTree, wanted: Wanted) -> Found:
    return _read(tree, wanted, pixel_index=False)


def read_pixel_csv_marks(tree: FileTree, wanted: Wanted) -> Found:
    """The same where coordinates name pixels."""
    return _read(tree, wanted, pixel_index=True)


def read_exported_readings(tree: FileTree, wanted: Wanted) -> Found:
    """The folder `readings` of an archive that this program exported: tables, and pictures of areas."""
    answers = TableAnswers()
    tables = []
    for name, path in below(tree, READINGS):
        if folded(path).endswith(ENDINGS):
            tables.append((name, path))
            continue
        try:
            if not folded(path).endswith(".png"):
                raise bad_mark("not_read")
            target, grader = placed(path.split("/")[:-1], wanted)
            picture = partial(_picture, tree, name, path, target, grader)
            answers.add_picture(Where(name), without_ending(path.rpartition("/")[2]), target, grader, picture)
        except Fault as fault:
            yield Unusable(Where(name), fault)
    yield from _gather(tree, tables, wanted, answers)
    yield from answers.marks()


def _picture(tree: FileTree, name: str, path: str, target: Target, grader: str) -> Mark:
    try:
        return mark_of(tree.read(name), Where(name), path, target, grader)
    except BadFile as refusal:
        raise refusal.fault from None


def _read(tree: FileTree, wanted: Wanted, *, pixel_index: bool) -> Found:
    answers = TableAnswers()
    yield from _gather(tree, without_pictures(below(tree, TABLES)), wanted, answers, pixel_index=pixel_index)
    yield from answers.marks()


def _gather(
    tree: FileTree,
    files: Sequence[tuple[str, str]],
    wanted: Wanted,
    answers: TableAnswers,
    *,
    pixel_index: bool = False,
) -> Iterator[Unusable]:
    lines = 0
    for name, path in files:
        if path in _BESIDE:
            continue
        try:
            if not folded(path).endswith(ENDINGS):
                raise bad_mark("not_read")
            table = AnnotationTable(name, read_any_table(tree.read(name)), wanted, pixel_index)
            for found in table.said():
                lines += 1
                if lines > MOST_LINES:
                    answers.forget()
                    yield Unusable(Where(name), bad_table("too_many_rows", None, limit=MOST_LINES))
                    return
                fault = found if isinstance(found, BadTable) else answers.add(found)
                if fault is not None:
                    yield Unusable(Where(name, fault.line), fault)
        except BadFile as refusal:
            yield Unusable(Where(name), refusal.fault)
        except Fault as refused:
            yield Unusable(Where(name, getattr(refused, "line", None)), refused)
