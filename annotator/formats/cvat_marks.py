"""CVAT for images 1.1: masks, ellipses, polygons, lines, points and tags; labels are targets.

Coordinates are those of its canvas, where (0, 0) is the corner of the first pixel: the house's own, nothing is shifted.
A mask is a box of pixels, read row by row, its run lengths beginning with the background. An ellipse is turned by its
rotation in degrees clockwise on the screen, `rx` lying along the x axis before. A tag answers the target that it is
called like by an attribute whose value is one of its options or answers; or it is called like an option itself.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from xml.etree.ElementTree import Element

import numpy as np

from annotator.formats.annotation_sources import refusing, sources
from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault
from annotator.formats.file_names import stem
from annotator.formats.json_file import name, number, whole
from annotator.formats.label_words import worded
from annotator.formats.marks import Found, Place, Unusable, Wanted, Where
from annotator.formats.shapes import Area, Picture, Shape, marks_of, polygon, polyline
from annotator.formats.tree import FileTree
from annotator.formats.xml_file import elements
from annotator.geometry.areas import box_toggles
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import Toggles

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
_LEFT_OUT = ("box", "cuboid")
_TRUE = ("true", "1", "yes")


def read_cvat_marks(tree: FileTree, wanted: Wanted) -> Found:
    for found in sources(tree, (".xml",)):
        if isinstance(found, Unusable):
            yield found
        else:
            yield from refusing(found, partial(_file, tree, found, wanted))


def _file(tree: FileTree, file: str, wanted: Wanted) -> Found:
    data = tree.read(file)
    names = Counter(stem(one.get("name", "")) for one in elements(data, "annotations", ("image",)))
    for one in elements(data, "annotations", ("image", "track")):
        if one.tag == "track":
            yield Unusable(Where(file, item=f"track {one.get('id', '')}"[:60]), bad_shape("other_shape", kind="track"))
            continue
        try:
            called = name(one.get("name"), "name")
            if names[stem(called)] > 1:
                raise bad_shape("repeated_picture", name=called)
            size = _whole(one, "width", least=1), _whole(one, "height", least=1)
        except Fault as fault:
            yield Unusable(Where(file, item=f"image {one.get('id', '')}"[:60]), fault)
            continue
        yield from marks_of(Picture(file, called, size), _shapes(one, called, wanted), wanted)


def _shapes(image: Element, called: str, wanted: Wanted) -> Iterator[Shape]:
    for place, one in enumerate(image, start=1):
        item = f"{called}: {one.tag} {place}"
        label = ""
        try:
            label = name(one.get("label"), "label")
            yield from list(_tag(item, label, one, wanted) if one.tag == "tag" else _drawn(item, label, one))
        except Fault as fault:
            yield Shape(item=item, called=label, fault=fault)


def _drawn(item: str, label: str, one: Element) -> Iterator[Shape]:
    if one.tag == "skeleton":
        for part in one:
            if part.tag != "attribute" and part.get("outside", "0") != "1":
                yield from _drawn(item, name(part.get("label"), "label"), part)
    elif one.tag == "mask":
        yield Shape(item=item, called=label, area=_mask(one))
    elif one.tag == "ellipse":
        yield Shape(item=item, called=label, ellipse=_ellipse(one))
    elif one.tag == "polygon":
        yield Shape(item=item, called=label, area=polygon(_places(one)))
    elif one.tag == "polyline":
        yield Shape(item=item, called=label, line=polyline(_places(one)))
    elif one.tag == "points":
        for place in _places(one):
            yield Shape(item=item, called=label, point=place)
    else:
        raise bad_shape("other_shape", kind=one.tag[:60])


def _mask(one: Element) -> Area:
    left, top = _whole(one, "left"), _whole(one, "top")
    columns, rows = _whole(one, "width", least=1), _whole(one, "height", least=1)
    written = one.get("rle", "")
    if not re.fullmatch(r"[0-9]{1,9}(, ?[0-9]{1,9})*", written, re.ASCII):
        raise bad_shape("bad_number", field="rle")

    def toggles(width: int, height: int) -> Toggles:
        if left + columns > width or top + rows > height:
            stated = {"width": left + columns, "height": top + rows}
            raise bad_shape("runs_of_other_size", **stated, image_width=width, image_height=height)
        lengths = np.fromstring(written, np.int64, sep=",")
        if int(lengths.sum()) != columns * rows:
            raise ValueError(f"the run lengths sum to {int(lengths.sum())}, the box has {columns * rows} pixels")
        inside = np.repeat(np.arange(len(lengths)) % 2 == 1, lengths).reshape(rows, columns)
        return box_toggles(inside, left, top, width, height)

    return toggles


def _ellipse(one: Element) -> Ellipse:
    rx, ry = _number(one, "rx"), _number(one, "ry")
    if min(rx, ry) <= 0:
        raise bad_shape("bad_number", field="rx" if rx <= 0 else "ry")
    turn = _number(one, "rotation") if "rotation" in one.attrib else 0.0
    return Ellipse(_number(one, "cx"), _number(one, "cy"), rx, ry, turn)


def _places(one: Element) -> list[Place]:
    places = []
    for pair in one.get("points", "").split(";"):
        x, _comma, y = pair.partition(",")
        places.append((_of(x, "points"), _of(y, "points")))
    return places


def _tag(item: str, label: str, one: Element, wanted: Wanted) -> Iterator[Shape]:
    told = [(part.get("name", ""), part.text or "") for part in one if part.tag == "attribute"]
    ticked = [name_of for name_of, value in told if value.strip().casefold() in _TRUE]
    words = [value for _name, value in told]
    said = worded(wanted, label, words if wanted.target(label) else [*words, label], ticked)
    yield Shape(item=item, called=said.target, label=said.label, answer=said.answer, signs=said.signs)


def _number(one: Element, field: str) -> float:
    return _of(one.get(field, ""), field)


def _of(text: str, field: str) -> float:
    if not _NUMBER.fullmatch(text.strip()):
        raise bad_shape("bad_number", field=field)
    return number(float(text), field)


def _whole(one: Element, field: str, *, least: int = 0) -> int:
    return whole(_number(one, field), field, least=least)
