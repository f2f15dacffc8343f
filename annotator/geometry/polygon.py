"""Polygons and the pixels they hold."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.geometry.ellipse import LARGEST_PX, Mask

Points = NDArray[np.float64]

# A crossing closer than this to a pixel centre is decided again in rational arithmetic. The rounding
# error of a crossing is below 1e-8 px for coordinates up to LARGEST_PX.
_DOUBT_PX = 1e-6


def rasterise_polygon(points: ArrayLike, width: int, height: int) -> Mask:
    """Mask of the pixels whose centre lies inside (even-odd rule) or on the closed polygon.

    Exact: each row is cut at the edges' crossings, and a crossing too near to a pixel centre for
    floating point is decided with fractions. The last vertex is joined to the first.
    """
    return rasterise_rings([points], width, height)


def rasterise_rings(rings: Sequence[ArrayLike], width: int, height: int) -> Mask:
    """The same for several closed polygons under one even-odd rule: a ring in another is a hole, its border is not."""
    checked = [_checked(points) for points in rings]
    if width < 1 or height < 1:
        raise ValueError(f"picture of {width}×{height} pixels has no pixel")
    flips = np.zeros((height, width + 1), dtype=np.bool_)
    on_edge = np.zeros((height, width), dtype=np.bool_)
    for vertices in checked:
        for start, end in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
            _cut_rows(flips, on_edge, start, end)
    inside: Mask = np.logical_xor.accumulate(flips[:, :width], axis=1)
    return inside | on_edge


def _checked(points: ArrayLike) -> Points:
    vertices = np.asarray(points, dtype=np.float64)
    if vertices.ndim != 2 or vertices.shape[1] != 2:
        raise ValueError(f"points has shape {vertices.shape}, expected (n, 2)")
    if len(vertices) < 3:
        raise ValueError(f"points holds {len(vertices)} vertices, a polygon needs at least 3")
    if not np.isfinite(vertices).all() or np.abs(vertices).max() > LARGEST_PX:
        raise ValueError(f"points holds a coordinate that is not finite or beyond {LARGEST_PX:g}")
    return vertices


def _cut_rows(flips: Mask, on_edge: Mask, start: Points, end: Points) -> None:
    """Record where one edge flips each row, and the pixel centres that lie on it."""
    if start[1] == end[1]:
        _mark_level_edge(on_edge, start, end)
        return
    upper, lower = (start, end) if start[1] < end[1] else (end, start)
    height, width = on_edge.shape
    first = max(0, math.ceil(upper[1] - 0.5))
    last = min(height - 1, math.floor(lower[1] - 0.5))
    if first > last:
        return
    rows = np.arange(first, last + 1)
    share = (rows + 0.5 - upper[1]) / (lower[1] - upper[1])
    crossing = upper[0] + share * (lower[0] - upper[0]) - 0.5
    column = np.ceil(crossing)
    nearest = np.round(crossing)
    for index in np.flatnonzero(np.abs(crossing - nearest) < _DOUBT_PX):
        side = _side(upper, lower, int(nearest[index]), int(rows[index]))
        column[index] = nearest[index] + (1 if side < 0 else 0)
        if side == 0 and 0 <= nearest[index] < width:
            on_edge[rows[index], int(nearest[index])] = True
    # An edge owns its upper end but not its lower one, so that a vertex flips a row once.
    owned = rows + 0.5 < lower[1]
    columns = np.clip(column, 0, width).astype(np.intp)
    np.logical_xor.at(flips, (rows[owned], columns[owned]), True)


def _mark_level_edge(on_edge: Mask, start: Points, end: Points) -> None:
    height, width = on_edge.shape
    row = start[1] - 0.5
    if row != math.floor(row) or not 0 <= row < height:
        return
    left, right = sorted((float(start[0]), float(end[0])))
    first = max(0, math.ceil(left - 0.5))
    last = min(width - 1, math.floor(right - 0.5))
    if first <= last:
        on_edge[int(row), first : last + 1] = True


def _side(upper: Points, lower: Points, column: int, row: int) -> int:
    """Exact sign of (pixel centre − crossing) along the row: negative when the centre lies left of the edge."""
    ux, uy, lx, ly = (Fraction(float(value)) for value in (*upper, *lower))
    half = Fraction(1, 2)
    offset = (column + half - ux) * (ly - uy) - (row + half - uy) * (lx - ux)
    return (offset > 0) - (offset < 0)
