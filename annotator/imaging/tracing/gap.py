"""The dark gap between cornea and iris, column by column, from the chamber outwards into the angle."""

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.filters import threshold_otsu

from annotator.imaging.tracing.untraceable import Reason, UntraceableError

Plane = NDArray[np.float32]
Points = NDArray[np.float64]

_BLUR = 2.0
_THINNEST_CORNEA = 25.0
_BEYOND_SPUR = 80.0  # columns; the gap of an open angle ends behind the spur
_DARKEST = 4.0  # of 255; keeps the logarithm of black finite
_CONTRAST = 0.6  # of the two classes' mean logarithms, at least: tissue is nearly twice as bright


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows at which the chamber begins and ends, from the angle towards the middle of the scan."""

    cornea: Points
    iris: Points


def find_gap(grey: Plane, spur: tuple[float, float], towards_x: float, unit: float) -> Gap:
    """Begins half-way to the middle, where the chamber is deep: there the cornea is the first tissue from above and the
    chamber the first darkness behind it. From column to column the darkness that continues it is followed outwards
    until there is none. `unit` is the size of a pixel of a scan 2130 wide."""
    columns = _columns(spur[0], towards_x, unit, grey.shape[1])
    dark = _dark(grey, int(columns.min()), int(columns.max()) + 1, unit)
    here = _behind_cornea(dark[:, columns[0] - columns.min()], _THINNEST_CORNEA * unit)
    found = []
    for column in columns:
        onward = _continuing(dark[:, column - columns.min()], here)
        if onward is None:
            break
        here = onward
        found.append((column + 0.5, *here))
    rows = np.array(found, dtype=np.float64)[::-1]
    return Gap(rows[:, [0, 1]], rows[:, [0, 2]])


def _columns(spur_x: float, towards_x: float, unit: float, width: int) -> NDArray[np.int64]:
    way = 1 if towards_x > spur_x else -1
    columns = np.arange(int((spur_x + towards_x) / 2), int(spur_x - way * _BEYOND_SPUR * unit), -way)
    return np.asarray(columns[(columns >= 0) & (columns < width)])


def _dark(grey: Plane, first: int, end: int, unit: float) -> NDArray[np.bool_]:
    smooth = cv2.GaussianBlur(grey[:, first:end], (0, 0), max(1.0, _BLUR * unit))
    light = np.log(smooth + np.float32(_DARKEST))
    if float(np.ptp(light)) < _CONTRAST:
        raise UntraceableError(Reason.FLAT)
    dark = light < threshold_otsu(light)
    if float(light[~dark].mean() - light[dark].mean()) < _CONTRAST:
        raise UntraceableError(Reason.FLAT)
    return np.asarray(dark)


def _runs(dark: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(n, 2): first row and the row after the last of each run of darkness."""
    steps = np.diff(np.concatenate(([0], dark.astype(np.int8), [0])))
    return np.stack((np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)), axis=1)


def _behind_cornea(dark: NDArray[np.bool_], thinnest: float) -> tuple[int, int]:
    runs = _runs(dark)
    for above, below in itertools.pairwise(runs):
        if below[0] - above[1] >= thinnest:
            return int(below[0]), int(below[1])
    raise UntraceableError(Reason.CHAMBER)


def _continuing(dark: NDArray[np.bool_], gap: tuple[int, int]) -> tuple[int, int] | None:
    for begins, ends in _runs(dark):
        if begins < gap[1] and ends > gap[0]:
            return int(begins), int(ends)
    return None
