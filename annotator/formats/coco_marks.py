"""COCO: areas as polygons or run lengths, points as key points; categories are targets.

Integer coordinates of polygons are corners between pixels, and a pixel belongs to an area whose outline its centre lies
in or on, by the even-odd rule for each polygon; the polygons of one annotation, and the annotations of one category on
one picture, are united (objects stay one each). The reference implementation draws polygons on a grid of fifths of a
pixel, so that at an oblique border single pixels differ; along the edges of pixels both give the same. Key points name
pixels, and half a pixel is added; one that is not labelled (0) says nothing.

Of an archive that this program exported, the folder `coco` is read; of two files that say the same, the exact one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from annotator.formats.annotation_sources import refusing, sources
from annotator.formats.bad_shape import bad_shape
from annotator.formats.coco import HALF_A_PIXEL
from annotator.formats.coco_rle import toggles_of, unpacked
from annotator.formats.fault import Fault
from annotator.formats.file_names import stem
from annotator.formats.json_file import Entry, entry, listed, name, number, pairs, read_json, shown, whole
from annotator.formats.marks import Found, Unusable, Wanted, Where
from annotator.formats.shapes import Area, Picture, Shape, marks_of, polygon
from annotator.formats.tree import FileTree
from annotator.geometry.areas import united
from annotator.geometry.runs import Toggles

OWN = "coco"
EXACT, OUTLINED = "-rle.json", "-polygons.json"
_LONGEST_RUN = 2**31


def read_coco_marks(tree: FileTree, wanted: Wanted) -> Found:
    for found in sources(tree, (".json",), OWN):
        if isinstance(found, Unusable):
            yield found
        elif not (found.endswith(OUTLINED) and found.removesuffix(OUTLINED) + EXACT in tree.names):
            yield from refusing(found, partial(_file, tree, found, wanted))


def _file(tree: FileTree, file: str, wanted: Wanted) -> Found:
    yield from _document(file, read_json(tree.read(file)), wanted)


def _document(file: str, found: Any, wanted: Wanted) -> Found:
    for field in ("images", "annotations", "categories"):
        if not isinstance(found, dict) or not isinstance(found.get(field), list):
            raise bad_shape("other_format", field=field)
    categories: dict[str, _Category] = {}
    for place, value in enumerate(found["categories"], start=1):
        try:
            categories |= _category(value, categories)
        except Fault as fault:
            yield Unusable(Where(file, item=f"category {place}"), fault)
    pictures: dict[str, Picture] = {}
    yield from _pictures(file, found["images"], pictures)
    drawings: dict[str, list[tuple[str, Entry]]] = {}
    for place, value in enumerate(found["annotations"], start=1):
        told = value.get("id") if isinstance(value, dict) else None
        item = shown(told, place)
        try:
            one = entry(value, "annotations")
            picture = name(one.get("image_id"), "image_id")
            if picture not in pictures:
                raise bad_shape("unknown_picture", number=picture)
            drawings.setdefault(picture, []).append((item, one))
        except Fault as fault:
            yield Unusable(Where(file, item=item), fault)
    for key, drawn in drawings.items():
        shapes = (shape for item, one in drawn for shape in _shapes(item, one, categories))
        yield from marks_of(pictures[key], shapes, wanted)


@dataclass(frozen=True)
class _Category:
    name: str
    points: Sequence[str] = ()


def _category(value: Any, known: Mapping[str, _Category]) -> dict[str, _Category]:
    one = entry(value, "categories")
    key = name(one.get("id"), "id")
    if key in known:
        raise bad_shape("repeated_number", number=key)
    points = one.get("keypoints") or []
    return {
        key: _Category(
            name(one.get("name"), "name"), [name(point, "keypoints") for point in listed(points, "keypoints")]
        )
    }


def _pictures(file: str, values: Sequence[Any], pictures: dict[str, Picture]) -> Iterator[Unusable]:
    """Fills `pictures`; of two with one number or one name neither stays, since nobody knows which is meant."""
    named: dict[str, str] = {}
    gone: set[str] = set()
    for place, value in enumerate(values, start=1):
        item = f"image {shown(value.get('id') if isinstance(value, dict) else None, place)}"
        try:
            one = entry(value, "images")
            key, called = name(one.get("id"), "id"), name(one.get("file_name"), "file_name")
            if key in pictures or key in gone:
                gone.add(key)
                raise bad_shape("repeated_number", number=key)
            if (other := named.setdefault(stem(called), key)) != key:
                gone |= {key, other}
                raise bad_shape("repeated_picture", name=called)
            size = whole(one.get("width"), "width", least=1), whole(one.get("height"), "height", least=1)
            pictures[key] = Picture(file, called, size)
        except Fault as fault:
            yield Unusable(Where(file, item=item), fault)
    for key in gone:
        pictures.pop(key, None)


def _shapes(item: str, one: Entry, categories: Mapping[str, _Category]) -> Iterator[Shape]:
    called = ""
    try:
        key = name(one.get("category_id"), "category_id")
        if key not in categories:
            raise bad_shape("unknown_category", number=key)
        called = categories[key].name
        drawn, marked = one.get("segmentation"), one.get("keypoints")
        if not drawn and not marked:
            raise bad_shape("no_drawing")
        if drawn:
            yield Shape(item=item, called=called, area=_area(drawn))
        if marked:
            yield from list(_points(item, listed(marked, "keypoints"), categories[key]))
    except Fault as fault:
        yield Shape(item=item, called=called, fault=fault)


def _points(item: str, values: Sequence[Any], category: _Category) -> Iterator[Shape]:
    names = category.points if category.points else [category.name]
    if len(values) != 3 * len(names):
        raise bad_shape("bad_field", field="keypoints")
    for place, called in enumerate(names):
        x, y, seen = (number(value, "keypoints") for value in values[3 * place : 3 * place + 3])
        if seen:
            yield Shape(item=item, called=called, point=(x + HALF_A_PIXEL, y + HALF_A_PIXEL))


def _area(drawn: Any) -> Area:
    if isinstance(drawn, dict):
        return _runs(drawn)
    areas = [polygon(pairs(listed(ring, "segmentation"), "segmentation")) for ring in listed(drawn, "segmentation")]
    return lambda width, height: united([area(width, height) for area in areas], width, height)


def _runs(drawn: Entry) -> Area:
    size = [whole(value, "size", least=1) for value in listed(drawn.get("size"), "size")]
    counts = drawn.get("counts")
    if len(size) != 2 or not isinstance(counts, list | str):
        raise bad_shape("bad_field", field="size" if len(size) != 2 else "counts")
    if isinstance(counts, list) and not all(
        isinstance(run, int) and not isinstance(run, bool) and abs(run) < _LONGEST_RUN for run in counts
    ):
        raise bad_shape("bad_number", field="counts")

    def toggles(width: int, height: int) -> Toggles:
        if size != [height, width]:
            stated = {"width": size[1], "height": size[0], "image_width": width, "image_height": height}
            raise bad_shape("runs_of_other_size", **stated)
        lengths = unpacked(counts) if isinstance(counts, str) else np.array(counts, np.int64)
        return toggles_of(lengths, width, height)

    return toggles
