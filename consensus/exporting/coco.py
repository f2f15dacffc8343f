"""References as COCO files: `coco/PART-rle.json` and `coco/PART-polygons.json`, or `coco/all-….json` without a split.

COCO has no place for labels, for ellipses as such, or for the statement that a structure is absent; the tables have.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.formats import coco
from consensus.exporting.record import AREAS, Agreed, Entry, Record, Writer
from consensus.exporting.sheet import scratch
from protocols.names import Kind
from protocols.targets import Target

WHOLE = "all"
WAYS = {"rle": coco.rle, "polygons": coco.polygons}


class _Shelf:
    """The pictures and annotations of one part, on the disk."""

    def __init__(self) -> None:
        self.pictures, self.marks = 0, 0
        self._files = {name: scratch() for name in ("images", *WAYS)}

    def write(self, name: str, value: Mapping[str, Any]) -> None:
        self._files[name].write(coco.line(value) + b"\n")

    def lines(self, name: str) -> Iterator[bytes]:
        self._files[name].seek(0)
        yield from self._files[name]


class Coco(Writer):
    def __init__(self, info: Mapping[str, Any], targets: Sequence[Target]) -> None:
        self._info = info
        drawn = [target for target in targets if target.kind in AREAS or target.kind is Kind.POINT]
        self._categories = [_category(number, target) for number, target in enumerate(drawn, start=1)]
        self._numbers = {target.key: number for number, target in enumerate(drawn, start=1)}
        self._shelves: dict[str, _Shelf] = {}

    def add(self, record: Record) -> Iterator[Entry]:
        one = record.photograph
        if one.withheld:
            return
        shelf = self._shelves.setdefault(one.part or WHOLE, _Shelf())
        shelf.pictures += 1
        picture = {"id": shelf.pictures, "file_name": f"{one.name}.{one.ending}", "width": one.width}
        shelf.write("images", {**picture, "height": one.height})
        for agreed in record.agreed:
            self._add_marks(shelf, agreed, record.size)
        yield from ()

    def _add_marks(self, shelf: _Shelf, agreed: Agreed, size: tuple[int, int]) -> None:
        category = self._numbers.get(agreed.target)
        if category is None:
            return
        for mask in (mask for mask in agreed.masks if len(mask)):
            shelf.marks += 1
            facts = {**_place(shelf, category), **coco.area_facts(mask, *size)}
            for way, segmentation in WAYS.items():
                shelf.write(way, {**facts, "segmentation": segmentation(mask, *size)})
        if agreed.point is not None:
            shelf.marks += 1
            facts = {**_place(shelf, category), **coco.key_point(agreed.point)}
            for way in WAYS:
                shelf.write(way, facts)

    def finish(self) -> Iterator[Entry]:
        for part, shelf in self._shelves.items():
            for way in WAYS:
                portions = coco.document(self._info, self._categories, shelf.lines("images"), shelf.lines(way))
                file = scratch()
                file.writelines(portions)
                file.seek(0)
                yield Entry(f"coco/{part}-{way}.json", file)


def _place(shelf: _Shelf, category: int) -> dict[str, int]:
    return {"id": shelf.marks, "image_id": shelf.pictures, "category_id": category}


def _category(number: int, target: Target) -> dict[str, Any]:
    told = {"id": number, "name": target.key, "supercategory": target.kind.value}
    return {**told, "keypoints": [target.key], "skeleton": []} if target.kind is Kind.POINT else told
