"""The outline of a mask along the edges of its pixels, so that it encloses exactly the marked pixels.

A ring runs clockwise on the screen around an area and the other way round a hole. Pixels that touch at a corner only
belong to different areas.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annotator.geometry.row_runs import row_runs
from annotator.geometry.runs import Toggles

Corner = tuple[int, int]
"""x and y of a corner between pixels; the first pixel's corners are (0, 0) to (1, 1)."""

Walk = dict[Corner, Corner]


@dataclass(frozen=True)
class Outline:
    """One connected area: its outer ring, and the rings of its holes."""

    ring: tuple[Corner, ...]
    holes: tuple[tuple[Corner, ...], ...]


def outlines(toggles: Toggles, width: int, height: int) -> list[Outline]:
    """In the order in which the areas begin when the picture is read row by row."""
    runs = row_runs(toggles, width, height)
    if not len(runs.rows):
        return []
    top, left = int(runs.rows.min()), int(runs.first.min())
    shape = int(runs.rows.max()) - top + 3, int(runs.last.max()) - left + 3
    marked = np.zeros(shape, np.int8)  # with a border of one pixel all around
    np.add.at(marked, (runs.rows - top + 1, runs.first - left + 1), 1)
    np.add.at(marked, (runs.rows - top + 1, runs.last - left + 2), -1)
    area = np.cumsum(marked, axis=1, dtype=np.int8).astype(np.bool_)
    labels, count = ndimage.label(area)
    rings: list[tuple[Corner, ...] | None] = [None] * count
    holes: list[list[tuple[Corner, ...]]] = [[] for _label in range(count)]
    for corners, label, is_outer in _rings(area, labels):
        moved = tuple((x + left - 1, y + top - 1) for x, y in corners)
        if is_outer:
            rings[label - 1] = moved
        else:
            holes[label - 1].append(moved)
    return [Outline(ring, tuple(inner)) for ring, inner in zip(rings, holes, strict=True) if ring is not None]


def _rings(area: NDArray[np.bool_], labels: NDArray[np.int32]) -> list[tuple[list[Corner], int, bool]]:
    """Corners of every ring, its area's label, and whether it is the outer one.

    Upper edges are walked to the right, right-hand ones down, lower ones to the left and left-hand ones up. Where two
    areas touch at a corner, one goes on to the right and so stays with the own area.
    """
    right = {(x0, y): (x1, y) for y, x0, x1 in _segments(area[1:] & ~area[:-1])}
    left = {(x1, y): (x0, y) for y, x0, x1 in _segments(area[:-1] & ~area[1:])}
    down = {(x, y0): (x, y1) for x, y0, y1 in _segments((area[:, :-1] & ~area[:, 1:]).T)}
    up = {(x, y1): (x, y0) for x, y0, y1 in _segments((area[:, 1:] & ~area[:, :-1]).T)}
    found = []
    while right:
        start = next(iter(right))
        corners, here, enclosed = [], start, 0
        walk, vertical = right, False
        while True:
            there = walk.pop(here)
            corners.append(here)
            if not vertical:
                enclosed -= (there[0] - here[0]) * here[1]
            nearer, farther = _turns(walk, right, down, left, up)
            if there == start and there not in nearer:
                break
            walk = nearer if there in nearer else farther
            here, vertical = there, not vertical
        found.append((corners, int(labels[start[1], start[0]]), enclosed > 0))
    return found


def _turns(walk: Walk, right: Walk, down: Walk, left: Walk, up: Walk) -> tuple[Walk, Walk]:
    """Where to turn to: to the right, or else to the left."""
    if walk is right:
        return down, up
    if walk is down:
        return left, right
    return (up, down) if walk is left else (right, left)


def _segments(edges: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Every run of edges: its line (from 1), where it begins and where it ends."""
    padded = np.zeros((edges.shape[0], edges.shape[1] + 2), np.int8)
    padded[:, 1:-1] = edges
    steps = np.diff(padded, axis=1)
    lines, begins = np.nonzero(steps == 1)
    _lines, ends = np.nonzero(steps == -1)
    return list(zip((lines + 1).tolist(), begins.tolist(), ends.tolist(), strict=True))
