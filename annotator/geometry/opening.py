"""Angle opening distance: how wide the angle between cornea and iris is open, at a distance from the scleral spur.

From the spur's nearest place on the back of the cornea one goes 500 µm along it, away from the angle; there the
perpendicular to the cornea is followed to the front of the iris (Pavlin, Harasiewicz, Foster, Am J Ophthalmol 1992).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

AT_UM = 500.0
_SPAN_UM = 100.0  # of cornea on both sides, over which its direction is taken: a line drawn by hand is not smooth
_NOTHING = 1e-9

Points = Sequence[tuple[float, float]]
Line = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scale:
    """Micrometres per pixel; the pixels of a scan are seldom square."""

    x_um: float
    y_um: float


def opening_distance_mm(
    spur: tuple[float, float], cornea: Points, iris: Points, *, towards_x: float, scale: Scale, at_um: float = AT_UM
) -> float | None:
    """`towards_x`: the column of the scan's middle, to which one goes from the angle. None where the cornea drawn ends
    before, or the perpendicular does not meet the iris."""
    back, front = _in_um(cornea, scale), _in_um(iris, scale)
    if back[0, 0] != back[-1, 0] and abs(back[0, 0] - towards_x * scale.x_um) < abs(
        back[-1, 0] - towards_x * scale.x_um
    ):
        back = back[::-1]
    along = _lengths(back)
    begin = _place(back, along, np.array([spur[0] * scale.x_um, spur[1] * scale.y_um]))
    if begin + at_um > along[-1]:
        return None
    here = _at(back, along, begin + at_um)
    direction = _at(back, along, begin + at_um + _SPAN_UM) - _at(back, along, begin + at_um - _SPAN_UM)
    distance = _nearest_crossing(here, np.array([-direction[1], direction[0]]), front)
    return None if distance is None else distance / 1000


def _in_um(points: Points, scale: Scale) -> Line:
    return np.asarray(points, dtype=np.float64) * (scale.x_um, scale.y_um)


def _lengths(line: Line) -> NDArray[np.float64]:
    """From the first point to each point, along the line."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _place(line: Line, along: NDArray[np.float64], point: NDArray[np.float64]) -> float:
    """How far along the line its nearest place to the point is."""
    starts, steps = line[:-1], np.diff(line, axis=0)
    squares = np.maximum((steps**2).sum(axis=1), _NOTHING)
    shares = np.clip(((point - starts) * steps).sum(axis=1) / squares, 0.0, 1.0)
    feet = starts + shares[:, None] * steps
    nearest = int(np.argmin(((feet - point) ** 2).sum(axis=1)))
    return float(along[nearest] + shares[nearest] * (along[nearest + 1] - along[nearest]))


def _at(line: Line, along: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    return np.array([np.interp(length, along, line[:, 0]), np.interp(length, along, line[:, 1])])


def _nearest_crossing(here: NDArray[np.float64], normal: NDArray[np.float64], line: Line) -> float | None:
    """How far from `here`, on the straight line along `normal`, the other line is met."""
    normal = normal / max(float(np.hypot(*normal)), _NOTHING)
    across = np.array([-normal[1], normal[0]])
    aside, ahead = (line - here) @ across, (line - here) @ normal
    found = [abs(float(ahead[at])) for at in np.flatnonzero(np.abs(aside) < _NOTHING)]
    for at in np.flatnonzero(aside[:-1] * aside[1:] < 0):
        share = aside[at] / (aside[at] - aside[at + 1])
        found.append(abs(float(ahead[at] + share * (ahead[at + 1] - ahead[at]))))
    return min(found, default=None)
