"""LabelMe: polygons, masks, circles, lines and points, a JSON file for each picture; labels are targets.

Coordinates are those of its canvas, where (0, 0) is the corner of the first pixel: the house's own, nothing is shifted.
A mask is a PNG picture in base64 that begins at the first of its two points. A circle is its centre and a place on it.
Flags of the picture that are set answer the label target whose option they are called like.
"""

import base64
import binascii
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from annotator.formats.annotation_sources import refusing, sources
from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault
from annotator.formats.grey_picture import read_grey
from annotator.formats.json_file import Entry, entry, listed, name, pairs, read_json, whole
from annotator.formats.label_words import worded
from annotator.formats.marks import Found, Place, Unusable, Wanted
from annotator.formats.shapes import Area, Picture, Shape, marks_of, polygon, polyline
from annotator.formats.tree import FileTree
from annotator.geometry.areas import box_toggles
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import Toggles

_LINES = ("line", "linestrip")
_POINTS = ("point", "points")


def read_labelme_marks(tree: FileTree, wanted: Wanted) -> Found:
    for found in sources(tree, (".json",)):
        if isinstance(found, Unusable):
            yield found
        else:
            yield from refusing(found, partial(_file, tree, found, wanted))


def _file(tree: FileTree, file: str, wanted: Wanted) -> Found:
    found = read_json(tree.read(file))
    for field in ("shapes", "imagePath"):
        if not isinstance(found, dict) or field not in found:
            raise bad_shape("other_format", field=field)
    called = name(found["imagePath"], "imagePath")
    size = (
        whole(found.get("imageWidth"), "imageWidth", least=1),
        whole(found.get("imageHeight"), "imageHeight", least=1),
    )
    shapes = [
        shape for place, one in enumerate(listed(found["shapes"], "shapes"), start=1) for shape in _shapes(place, one)
    ]
    shapes += _flags(entry(found.get("flags") or {}, "flags"), wanted)
    yield from marks_of(Picture(file, called, size), shapes, wanted)


def _shapes(place: int, value: Any) -> Iterator[Shape]:
    item, called = f"shape {place}", ""
    try:
        one = entry(value, "shapes")
        called = name(one.get("label"), "label")
        points = [_place(point) for point in listed(one.get("points"), "points")]
        yield from list(_drawn(item, called, one, points))
    except Fault as fault:
        yield Shape(item=item, called=called, fault=fault)


def _drawn(item: str, called: str, one: Entry, points: list[Place]) -> Iterator[Shape]:
    kind = one.get("shape_type") or "polygon"
    if kind == "polygon":
        yield Shape(item=item, called=called, area=polygon(points))
    elif kind == "mask":
        yield Shape(item=item, called=called, area=_mask(one.get("mask"), points))
    elif kind == "circle":
        yield Shape(item=item, called=called, ellipse=_circle(points))
    elif kind in _LINES:
        yield Shape(item=item, called=called, line=polyline(points))
    elif kind in _POINTS:
        if not points:
            raise bad_shape("few_points", count=0, least=1)
        for point in points:
            yield Shape(item=item, called=called, point=point)
    else:
        raise bad_shape("other_shape", kind=str(kind)[:60])


def _circle(points: list[Place]) -> Ellipse:
    if len(points) != 2:
        raise bad_shape("few_points", count=len(points), least=2)
    radius = math.dist(*points)
    try:
        return Ellipse(*points[0], radius, radius, 0.0)
    except ValueError:
        raise bad_shape("bad_number", field="points") from None


def _mask(told: Any, points: list[Place]) -> Area:
    if not isinstance(told, str) or len(points) != 2:
        raise bad_shape("bad_field", field="mask")
    left, top, right, bottom = (whole(value, "points") for point in points for value in point)

    def toggles(width: int, height: int) -> Toggles:
        if right >= width or bottom >= height:
            raise ValueError("the box of the mask leaves the picture")
        try:
            inside = read_grey(base64.b64decode(told, validate=True)) != 0
        except binascii.Error as error:
            raise ValueError(str(error)) from None
        if inside.shape != (bottom - top + 1, right - left + 1):
            raise ValueError(f"the mask has {inside.shape[1]}×{inside.shape[0]} pixels, its box others")
        return box_toggles(inside, left, top, width, height)

    return toggles


def _flags(flags: Entry, wanted: Wanted) -> Iterator[Shape]:
    ticked = [flag for flag, value in flags.items() if value is True]
    if not ticked:
        return
    try:
        said = worded(wanted, "", ticked)
        yield Shape(item="flags", called=said.target, label=said.label, answer=said.answer, signs=said.signs)
    except Fault as fault:
        yield Shape(item="flags", called=", ".join(ticked)[:60], fault=fault)


def _place(value: Any) -> Place:
    point = listed(value, "points")
    if len(point) != 2:
        raise bad_shape("bad_field", field="points")
    return pairs(point, "points")[0]
