"""Label Studio: ellipses, brush strokes, polygons, key points and choices of several annotators, from its JSON export.

Geometry is in per cent of the picture's width and height, from the corner of the first pixel. An ellipse lies around x
and y, its centre (the program draws it so, whatever its reference says), and is turned clockwise on the screen after
its radii have become pixels. Of brush strokes the pixels count that are at least half as opaque as the most opaque one.
A polygon that is not closed is a line. Labels are targets; choices answer the target that their tag is called like.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from annotator.formats.annotation_sources import refusing, sources
from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault
from annotator.formats.file_names import without_ending
from annotator.formats.json_file import Entry, entry, listed, name, number, read_json, shown, whole
from annotator.formats.label_words import worded
from annotator.formats.marks import Found, Place, Size, Unusable, Wanted, Where
from annotator.formats.rle_pack import opacity, painted
from annotator.formats.shapes import Area, Picture, Shape, marks_of, polygon, polyline
from annotator.formats.tree import FileTree
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import Toggles, encode

_UPLOADED = re.compile(r"[0-9a-f]{8}-(.+)", re.ASCII)  # what the program puts before the name of a file
_SHAPES = ("ellipse", "brush", "polygon", "keypoint")
_ANY_SIZE = (100, 100)


def read_label_studio_marks(tree: FileTree, wanted: Wanted) -> Found:
    for found in sources(tree, (".json",)):
        if isinstance(found, Unusable):
            yield found
        else:
            yield from refusing(found, partial(_file, tree, found, wanted))


def _file(tree: FileTree, file: str, wanted: Wanted) -> Found:
    tasks = read_json(tree.read(file))
    if not isinstance(tasks, list) or not all(isinstance(one, dict) and "annotations" in one for one in tasks):
        raise bad_shape("other_format", field="annotations")
    for place, task in enumerate(tasks, start=1):
        item = f"task {shown(task.get('id'), place)}"
        try:
            called = _picture(task, wanted)
            annotations = listed(task["annotations"], "annotations")
        except Fault as fault:
            yield Unusable(Where(file, item=item), fault)
            continue
        for number_of, value in enumerate(annotations, start=1):
            told = value.get("id") if isinstance(value, dict) else None
            where = Where(file, item=f"{item}, annotation {shown(told, number_of)}")
            try:
                yield from _annotation(where, called, entry(value, "annotations"), wanted)
            except Fault as fault:
                yield Unusable(where, fault)


def _annotation(where: Where, called: str, one: Entry, wanted: Wanted) -> Found:
    if one.get("was_cancelled") is True:
        raise bad_shape("cancelled")
    results = [entry(value, "result") for value in listed(one.get("result"), "result")]
    sizes = {size for result in results if (size := _size(result)) is not None}
    if len(sizes) > 1:
        raise bad_shape("bad_field", field="original_width")
    stated = next(iter(sizes), None)
    picture = Picture(where.file, called, stated, _grader(one.get("completed_by")))
    size = wanted.size_of(called) or _ANY_SIZE  # of a picture that nobody knows nothing is drawn
    yield from marks_of(picture, _shapes(where.item, results, size, wanted), wanted)


def _shapes(item: str, results: Sequence[Entry], size: Size, wanted: Wanted) -> Iterator[Shape]:
    labelled = {result.get("id") for result in results if result.get("type") == "labels" and _is_key(result.get("id"))}
    for place, result in enumerate(results, start=1):
        kind = result.get("type")
        if kind in _SHAPES and _is_key(result.get("id")) and result["id"] in labelled:
            continue  # the same drawing stands there once more, with its label
        called, where = "", f"{item}, result {shown(result.get('id'), place)}"
        try:
            value = entry(result.get("value"), "value")
            if kind == "choices":
                called = name(result.get("from_name"), "from_name")
                words = [name(word, "choices") for word in listed(value.get("choices"), "choices")]
                said = worded(wanted, called, words)
                yield Shape(item=where, called=said.target, label=said.label, answer=said.answer, signs=said.signs)
                continue
            if (turn := number(result.get("image_rotation") or 0, "image_rotation")) != 0:
                raise bad_shape("turned", degrees=turn)
            for called in _labels(result, value):
                yield _drawn(where, called, _kind(kind, value), value, size)
        except Fault as fault:
            yield Shape(item=where, called=called, fault=fault)


def _drawn(item: str, called: str, kind: str, value: Mapping[str, Any], size: Size) -> Shape:
    width, height = size
    if kind == "brush":
        return Shape(item=item, called=called, area=_brush(value))
    if kind == "polygon":
        points = [_place(listed(point, "points"), size) for point in listed(value.get("points"), "points")]
        if value.get("closed") is False:
            return Shape(item=item, called=called, line=polyline(points))
        return Shape(item=item, called=called, area=polygon(points))
    centre = _place([value.get("x"), value.get("y")], size)
    if kind == "keypoint":
        return Shape(item=item, called=called, point=centre)
    radii = (
        number(value.get("radiusX"), "radiusX") * width / 100,
        number(value.get("radiusY"), "radiusY") * height / 100,
    )
    if min(radii) <= 0:
        raise bad_shape("bad_number", field="radiusX" if radii[0] <= 0 else "radiusY")
    turn = number(value.get("rotation") or 0, "rotation")
    try:
        return Shape(item=item, called=called, ellipse=Ellipse(*centre, *radii, turn))
    except ValueError:
        raise bad_shape("bad_number", field="radiusX") from None


def _brush(value: Mapping[str, Any]) -> Area:
    packed = listed(value.get("rle"), "rle")

    def toggles(width: int, height: int) -> Toggles:
        return encode(painted(opacity(packed, width, height)))

    return toggles


def _kind(kind: Any, value: Mapping[str, Any]) -> str:
    """By the name of the kind, with or without “labels” behind it; of bare labels by what is drawn."""
    bare = str(kind).removesuffix("labels")
    if bare in _SHAPES:
        return bare
    signs = {"rle": "brush", "radiusX": "ellipse", "points": "polygon"}
    drawn = next((shape for field, shape in signs.items() if field in value), "")
    if kind == "labels" and (drawn or "height" not in value):
        return drawn or "keypoint"
    raise bad_shape("other_shape", kind=str(kind)[:60])


def _labels(result: Entry, value: Mapping[str, Any]) -> list[str]:
    """What the drawing is called; without a label, like the tag by which it was drawn."""
    given = value.get(str(result.get("type"))) or value.get("labels") or [result.get("from_name")]
    return [name(one, "labels") for one in listed(given, "labels")]


def _place(point: Sequence[Any], size: Size) -> Place:
    if len(point) != 2:
        raise bad_shape("bad_field", field="points")
    return number(point[0], "x") * size[0] / 100, number(point[1], "y") * size[1] / 100


def _size(result: Entry) -> Size | None:
    if result.get("original_width") is None:
        return None
    width = whole(result["original_width"], "original_width", least=1)
    return width, whole(result.get("original_height"), "original_height", least=1)


def _grader(told: Any) -> str:
    """By mail address, else by number."""
    if told is None:
        return ""
    return name(told.get("email") or told.get("id") if isinstance(told, dict) else told, "completed_by")


def _is_key(value: Any) -> bool:
    return isinstance(value, str | int)


def _picture(task: Entry, wanted: Wanted) -> str:
    """The only picture that the task's data name, without what the program puts before it when it is uploaded."""
    told = [value for value in entry(task.get("data"), "data").values() if isinstance(value, str)]
    files = [file for value in told if without_ending(file := _file_name(value)) != file]
    if len(files) != 1:
        raise bad_shape("no_picture")
    found = name(files[0], "data")
    uploaded = _UPLOADED.fullmatch(found)
    return uploaded[1] if uploaded and wanted.size_of(found) is None else found


def _file_name(address: str) -> str:
    """The last part of a path or address; of a local file it stands in the query."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    local = parse_qs(parts.query).get("d", [""])[0]
    return (local or unquote(parts.path)).replace("\\", "/").rsplit("/", 1)[-1]
