"""VGG Image Annotator: polygons, lines, points, circles and ellipses.

Coordinates are those of its canvas, where (0, 0) is the corner of the first pixel: the house's own, nothing is shifted.
The angle of an ellipse is in radians, clockwise on the screen; version 3 knows none. What a region is called is told by
the one of its attributes whose value (or ticked box) names a target; attributes of the file answer targets by theirs.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from annotator.formats.annotation_sources import refusing, sources
from annotator.formats.bad_mark import bad_mark
from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault
from annotator.formats.file_names import stem
from annotator.formats.json_file import Entry, listed, number, pairs, read_json
from annotator.formats.label_words import worded
from annotator.formats.marks import Found, Unusable, Wanted, Where
from annotator.formats.shapes import Picture, Shape, marks_of, polygon, polyline
from annotator.formats.tree import FileTree
from annotator.formats.via_files import Annotated, from_csv, from_json
from annotator.geometry.ellipse import Ellipse


def read_via_marks(tree: FileTree, wanted: Wanted) -> Found:
    for found in sources(tree, (".json", ".csv")):
        if isinstance(found, Unusable):
            yield found
        else:
            yield from refusing(found, partial(_file, tree, found, wanted))


def _file(tree: FileTree, file: str, wanted: Wanted) -> Found:
    data = tree.read(file)
    annotated: list[Annotated] = []
    for one in from_csv(data) if file.casefold().endswith(".csv") else from_json(read_json(data)):
        if isinstance(one, Annotated):
            annotated.append(one)
        else:
            yield Unusable(Where(file, one[1], one[0]), one[2])
    names = Counter(stem(one.file_name) for one in annotated)
    for one in annotated:
        if names[stem(one.file_name)] > 1:
            yield Unusable(Where(file, item=one.file_name), bad_shape("repeated_picture", name=one.file_name))
            continue
        shapes = [*_regions(one, wanted), *_answers(one, wanted)]
        yield from marks_of(Picture(file, one.file_name), shapes, wanted)


def _regions(one: Annotated, wanted: Wanted) -> Iterator[Shape]:
    for region in one.regions:
        called = ""
        try:
            called = _called(region.attributes, wanted)
            yield _drawn(region.item, called, region.drawn)
        except Fault as fault:
            yield Shape(item=region.item, called=called, fault=fault)


def _called(attributes: Entry, wanted: Wanted) -> str:
    words = [word for value in attributes.values() for word in _words(value)]
    words += [key for key, value in attributes.items() if value is True]
    targets = {target.key for word in words if (target := wanted.target(word)) is not None}
    if len(targets) > 1:
        first, second = sorted(targets)[:2]
        raise bad_mark("two_targets", first=first, second=second)
    if not targets and len(wanted.targets) == 1 and not words:
        return wanted.targets[0].key
    return targets.pop() if targets else next(iter(words), "–")


def _words(value: Any) -> list[str]:
    """A text, or of boxes those that are ticked."""
    if isinstance(value, dict):
        return [key for key, ticked in value.items() if ticked is True]
    return [value] if isinstance(value, str) and value else []


def _answers(one: Annotated, wanted: Wanted) -> Iterator[Shape]:
    for key, value in one.attributes.items():
        words = _words(value)
        if wanted.target(key) is None or not words:
            continue
        item = f"{one.file_name}: {key}"[:200]
        try:
            said = worded(wanted, key, words)
            yield Shape(item=item, called=said.target, label=said.label, answer=said.answer, signs=said.signs)
        except Fault as fault:
            yield Shape(item=item, called=key, fault=fault)


def _drawn(item: str, called: str, drawn: Mapping[str, Any]) -> Shape:
    kind = drawn.get("name")
    if kind in ("polygon", "polyline"):
        across, down = (
            listed(drawn.get("all_points_x"), "all_points_x"),
            listed(drawn.get("all_points_y"), "all_points_y"),
        )
        if len(across) != len(down):
            raise bad_shape("odd_numbers", count=len(across) + len(down))
        points = pairs([value for place in zip(across, down, strict=True) for value in place], "all_points_x")
        if kind == "polyline":
            return Shape(item=item, called=called, line=polyline(points))
        return Shape(item=item, called=called, area=polygon(points))
    if kind not in ("point", "circle", "ellipse"):
        raise bad_shape("other_shape", kind=str(kind)[:60])
    centre = number(drawn.get("cx"), "cx"), number(drawn.get("cy"), "cy")
    if kind == "point":
        return Shape(item=item, called=called, point=centre)
    fields = ("r", "r") if kind == "circle" else ("rx", "ry")
    radii = [number(drawn.get(field), field) for field in fields]
    if min(radii) <= 0:
        raise bad_shape("bad_number", field=fields[0])
    turn = math.degrees(number(drawn.get("theta") or 0, "theta"))
    try:
        return Shape(item=item, called=called, ellipse=Ellipse(*centre, radii[0], radii[1], turn))
    except ValueError:
        raise bad_shape("bad_number", field="theta") from None
