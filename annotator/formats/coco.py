"""Annotations as COCO keeps them: categories, pictures, and one annotation for each area, object or point.

Areas are written twice, because neither way serves everybody: as packed run lengths, exact to the pixel, or as polygons
along the edges of the pixels, with a hole joined to its ring by a line that is walked both ways. Integer coordinates of
areas are corners between pixels; those of a key point name a pixel, so that half a pixel is subtracted.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.formats.case_answers import Place
from annotator.formats.coco_rle import column_lengths, packed
from annotator.geometry.outlines import Corner, outlines
from annotator.geometry.row_runs import row_runs
from annotator.geometry.runs import Toggles, area

HALF_A_PIXEL = 0.5
SEEN = 2
Annotation = dict[str, Any]


def rle(toggles: Toggles, width: int, height: int) -> dict[str, Any]:
    return {"size": [height, width], "counts": packed(column_lengths(toggles, width, height))}


def polygons(toggles: Toggles, width: int, height: int) -> list[list[int]]:
    """One for each connected area."""
    return [_joined(one.ring, one.holes) for one in outlines(toggles, width, height)]


def _joined(ring: Sequence[Corner], holes: Sequence[Sequence[Corner]]) -> list[int]:
    corners = list(ring)
    for hole in holes:
        corners += [ring[0], *hole, hole[0]]
    if holes:
        corners.append(ring[0])
    return [number for corner in corners for number in corner]


def area_facts(toggles: Toggles, width: int, height: int) -> Annotation:
    """Area in pixels, and the box x, y, width, height around it; the mask is not empty."""
    runs = row_runs(toggles, width, height)
    left, top = int(runs.first.min()), int(runs.rows.min())
    right, bottom = int(runs.last.max()) + 1, int(runs.rows.max()) + 1
    return {"area": area(toggles, width, height), "bbox": [left, top, right - left, bottom - top], "iscrowd": 0}


def key_point(place: Place) -> Annotation:
    x, y = place[0] - HALF_A_PIXEL, place[1] - HALF_A_PIXEL
    return {"keypoints": [x, y, SEEN], "num_keypoints": 1, "bbox": [x, y, 0, 0], "area": 0, "iscrowd": 0}


def document(
    info: Mapping[str, Any], categories: Sequence[Mapping[str, Any]], pictures: Iterator[bytes], marks: Iterator[bytes]
) -> Iterator[bytes]:
    """The file in portions; `pictures` and `marks` are lines of JSON without their commas."""
    yield b'{"info":' + line(info) + b',"licenses":[],"categories":' + line(list(categories)) + b',"images":[\n'
    yield from _listed(pictures)
    yield b'],"annotations":[\n'
    yield from _listed(marks)
    yield b"]}\n"


def line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def _listed(lines: Iterator[bytes]) -> Iterator[bytes]:
    for number, one in enumerate(lines):
        yield (b",\n" if number else b"") + one.rstrip(b"\n")
