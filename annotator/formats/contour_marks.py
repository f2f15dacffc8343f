"""Contours as text: a file for each contour, `x y` in each line, as the PAPILA dataset has them.

The file's name says photograph, structure and grader: `RET002OD_disc_exp1.txt`; without a grader `RET002OD_disc.txt`.
Where the name tells no target, the folders do, as with masks: `disc/exp1/RET002OD.txt`. Coordinates name pixels, as the
dataset's own program draws them, and half a pixel is added; the area is that of the closed polygon. For a target that
is a line, the contour is the line.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from annotator.formats.annotation_sources import refusing, without_pictures
from annotator.formats.bad_mark import bad_mark
from annotator.formats.bad_shape import bad_line, bad_shape
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded
from annotator.formats.marks import Found, Place, Unusable, Wanted, Where
from annotator.formats.mask_folders import below, placed
from annotator.formats.shapes import Picture, Shape, marks_of, polygon, polyline
from annotator.formats.tree import FileTree
from annotator.geometry.ellipse import LARGEST_PX
from protocols.names import Kind
from protocols.targets import Target

ENDINGS = (".txt", ".csv", ".dat")
MAX_BYTES = 16 * 1024 * 1024
MOST_FAULTS = 20
_HALF = 0.5
_LINE = re.compile(r"([-+0-9.eE]{1,40})(?:[ \t]*[,;][ \t]*|[ \t]+)([-+0-9.eE]{1,40})", re.ASCII)


def read_contour_marks(tree: FileTree, wanted: Wanted) -> Found:
    for name, path in without_pictures(below(tree)):
        yield from refusing(name, partial(_file, tree, name, path, wanted))


def _file(tree: FileTree, name: str, path: str, wanted: Wanted) -> Found:
    if not folded(path).endswith(ENDINGS):
        raise bad_mark("not_read")
    image, target, grader = _named(path, wanted)
    points: list[Place] = []
    faulty = False
    for entry in _points(tree.read(name)):
        if isinstance(entry, Fault):
            faulty = True
            yield Unusable(Where(name, getattr(entry, "line", None)), entry)
        else:
            points.append(entry)
    if not faulty:
        shape = _shape(target, points)
        yield from marks_of(Picture(name, image, grader=grader), [shape], wanted)


def _named(path: str, wanted: Wanted) -> tuple[str, Target, str]:
    """Photograph, target and grader by the parts of the name between underscores, else by the folders."""
    *folders, file = path.split("/")
    parts = file[: file.rindex(".")].split("_")
    spans = [(first, last) for first in range(1, len(parts)) for last in range(first + 1, len(parts) + 1)]
    found = [(span, target) for span in spans if (target := _target(parts[slice(*span)], wanted)) is not None]
    if len({target.key for _span, target in found}) > 1:
        raise bad_mark("two_targets", first=found[0][1].key, second=found[-1][1].key)
    if found:
        (first, last), target = found[0]
        return "_".join(parts[:first]), target, "_".join(parts[last:])
    target, grader = placed(folders, wanted)
    return "_".join(parts), target, grader


def _target(parts: Sequence[str], wanted: Wanted) -> Target | None:
    return wanted.target("_".join(parts)) or wanted.target(" ".join(parts)) or wanted.target("-".join(parts))


def _points(data: bytes) -> Iterator[Place | Fault]:
    """The places, or for each line that is none its fault."""
    if len(data) > MAX_BYTES:
        raise bad_shape("too_large", limit=MAX_BYTES)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise bad_line("not_a_place", data.count(b"\n", 0, error.start) + 1, text="…") from None
    faults = 0
    for number, line in enumerate(lines, start=1):
        written = line.strip()
        if not written or written.startswith("#"):
            continue
        found = _LINE.fullmatch(written)
        try:
            place = (float(found[1]) + _HALF, float(found[2]) + _HALF) if found else None
        except ValueError:
            place = None
        if place is None or not max(abs(place[0]), abs(place[1])) <= LARGEST_PX:
            yield bad_line("not_a_place", number, text=written[:60])
            faults += 1
            if faults == MOST_FAULTS:
                return
        else:
            yield place


def _shape(target: Target, points: Sequence[Place]) -> Shape:
    called = target.key
    if target.kind is not Kind.POLYLINE:
        return Shape(item="", called=called, area=polygon(points))
    return Shape(item="", called=called, line=polyline(points))
