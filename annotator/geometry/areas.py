"""Areas of a picture as toggles, made from what covers only a part of it: work and memory follow the part."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.geometry.ellipse import LARGEST_PX, Mask
from annotator.geometry.polygon import rasterise_rings
from annotator.geometry.runs import Toggles


def box_toggles(mask: Mask, left: int, top: int, width: int, height: int) -> Toggles:
    """The mask laid into a picture with its first pixel at (left, top); ValueError when it does not fit."""
    rows, columns = mask.shape
    if left < 0 or top < 0 or left + columns > width or top + rows > height:
        raise ValueError(f"a mask of {columns}×{rows} at ({left}, {top}) leaves the picture of {width}×{height}")
    edged = np.zeros((rows, columns + 2), np.int8)
    edged[:, 1:-1] = mask
    row, column = np.nonzero(np.diff(edged, axis=1))
    return _joined((row + top) * width + column + left, width * height)


def polygon_toggles(points: ArrayLike, width: int, height: int) -> Toggles:
    """The pixels of `rasterise_polygon`, looked for only in the polygon's box."""
    return rings_toggles([points], width, height)


def rings_toggles(rings: Sequence[ArrayLike], width: int, height: int) -> Toggles:
    """The pixels of `rasterise_rings`, looked for only in the box around all rings.

    The box begins at whole pixels between 0 and the least coordinate, so that subtracting it is exact.
    """
    outlines = [np.asarray(points, dtype=np.float64) for points in rings]
    for one in outlines:
        if one.ndim != 2 or one.shape[1:] != (2,) or len(one) < 3:
            raise ValueError(f"points has shape {one.shape}, expected at least three pairs")
        if not np.isfinite(one).all() or np.abs(one).max() > LARGEST_PX:
            raise ValueError(f"points holds a coordinate that is not finite or beyond {LARGEST_PX:g}")
    if not outlines:
        return np.zeros(0, np.int32)
    low = np.min([one.min(axis=0) for one in outlines], axis=0)
    high = np.max([one.max(axis=0) for one in outlines], axis=0)
    left, top = (max(0, math.floor(float(value))) for value in low)
    right, bottom = min(width, math.ceil(float(high[0])) + 1), min(height, math.ceil(float(high[1])) + 1)
    if left >= right or top >= bottom:
        return np.zeros(0, np.int32)
    mask = rasterise_rings([one - (left, top) for one in outlines], right - left, bottom - top)
    return box_toggles(mask, left, top, width, height)


def united(areas: Sequence[Toggles], width: int, height: int) -> Toggles:
    """Every pixel that is in one of them."""
    if len(areas) == 1:
        return areas[0]
    pixels = width * height
    whole = [one if len(one) % 2 == 0 else np.append(one, pixels) for one in areas]
    if not sum(map(len, whole)):
        return np.zeros(0, np.int32)
    places, which = np.unique(np.concatenate(whole), return_inverse=True)
    steps = np.concatenate([np.tile((1, -1), len(one) // 2) for one in whole])
    inside = np.cumsum(np.bincount(which, weights=steps)) > 0.5
    flips = np.append(inside[:1], inside[1:] != inside[:-1])
    kept: Toggles = places[flips & (places < pixels)].astype(np.int32)
    return kept


def _joined(places: NDArray[np.int64], pixels: int) -> Toggles:
    """Where a run reaches the right border and the next row begins with one, the two are one."""
    kept = places < pixels
    meet = np.flatnonzero(places[1:] == places[:-1])
    kept[meet] = kept[meet + 1] = False
    return places[kept].astype(np.int32)
