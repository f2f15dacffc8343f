"""Both surfaces of one chamber angle, from the spur towards the middle of the scan.

The gap between them is found by a threshold, its borders are drawn to the edges, and what lies too deep in the angle to
be seen is carried on: the cornea as an arc of a circle, the iris straight until it meets the cornea. From there to the
spur, in a closed angle, the iris lies on the cornea and both lines are one.
"""

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.imaging.tracing.arc import Arc, fitted_arc
from annotator.imaging.tracing.edges import drawn_to_edge
from annotator.imaging.tracing.gap import Gap, find_gap
from annotator.imaging.tracing.untraceable import Reason, UntraceableError

Points = NDArray[np.float64]
Line = tuple[tuple[float, float], ...]

_WIDTH = 2130.0  # all lengths below are in pixels of a scan this wide, which shows about 16 mm
_LEAST = (300, 150)
_NARROWEST = 5.0  # rows between the borders, where each can still be seen by itself
_LEAP = 12.0  # rows from one column to the next: the border of the pupil, not of the iris
_FIT = 330.0
_CORNER = 15.0  # from the spur, and from the first that is seen: the corner's blur draws the edge away
_STRAIGHT = 60.0
_BEHIND = 40.0
_AHEAD = 200.0
_FURTHEST_CARRIED = 200.0
_SHORTEST = 100.0
_SPUR_OFF = 45.0
_RADIUS = (500.0, 1900.0)  # 4 to 14 mm; the back of a cornea has 6 to 8
_ROUGHEST = 1.5  # px, mean distance of the cornea from its arc
_BEND = 0.2  # px that a line may lose where vertices are left out


@dataclass(frozen=True, slots=True)
class TracedAngle:
    """Vertices in pixels of the picture, both from the angle towards the middle of the scan. `touches_px`: how far from
    the spur iris and cornea lie together, 0 in an open angle."""

    cornea: Line
    iris: Line
    touches_px: float


def trace_angle(
    grey: NDArray[np.uint8] | NDArray[np.uint16], spur: tuple[float, float], *, towards_x: float, aspect: float = 1.0
) -> TracedAngle:
    """`towards_x`: the column of the scan's middle. `aspect`: height of a pixel over its width. Raises
    UntraceableError, a ValueError, where no surface can be followed."""
    if grey.ndim != 2:
        raise ValueError(f"grey has {grey.ndim} dimensions, expected 2")
    if not (np.isfinite(aspect) and aspect > 0):
        raise ValueError(f"aspect is {aspect}, expected a positive number")
    height, width = grey.shape
    if width < _LEAST[0] or height < _LEAST[1]:
        raise UntraceableError(Reason.SMALL)
    unit = width / _WIDTH
    if not (0 <= spur[0] < width and 0 <= spur[1] < height and abs(towards_x - spur[0]) > _AHEAD * 2 * unit):
        raise UntraceableError(Reason.OUTSIDE)
    light = _levelled(grey)
    gap = _seen(find_gap(light, spur, towards_x, unit), unit)
    cornea = drawn_to_edge(light, gap.cornea, into=1.0, unit=unit)
    iris = drawn_to_edge(light, gap.iris, into=-1.0, unit=unit)
    arc = _arc(cornea, spur, towards_x, aspect, unit)
    return _lines(arc, cornea, iris, unit, (width, height))


def _levelled(grey: NDArray[np.uint8] | NDArray[np.uint16]) -> NDArray[np.float32]:
    """As if of eight bits, whatever the depth and gain."""
    brightest = float(np.percentile(grey[::4, ::4], 99.5))
    return np.asarray(grey, dtype=np.float32) * np.float32(255.0 / max(brightest, 1.0))


def _seen(gap: Gap, unit: float) -> Gap:
    """Without the corner, where the two borders are one blur, and without what comes after a leap of the iris."""
    wide = gap.iris[:, 1] - gap.cornea[:, 1] >= max(_NARROWEST * unit, 2.5)
    if not wide.any():
        raise UntraceableError(Reason.SURFACE)
    first = int(np.flatnonzero(~wide).max(initial=-1)) + 1
    leaps = np.flatnonzero(np.abs(np.diff(gap.iris[first:, 1])) > max(_LEAP * unit, _LEAP / 2))
    end = first + int(leaps.min(initial=len(gap.iris) - first - 1)) + 1
    if end - first < _SHORTEST * unit / 2:
        raise UntraceableError(Reason.SURFACE)
    return Gap(gap.cornea[first:], gap.iris[first:end])


def _arc(cornea: Points, spur: tuple[float, float], towards_x: float, aspect: float, unit: float) -> Arc:
    way = 1.0 if towards_x > spur[0] else -1.0
    before = cornea[(cornea[:, 0] - spur[0]) * way > 0][: int(_FIT * unit)]
    if len(before) < _SHORTEST * unit:
        raise UntraceableError(Reason.SURFACE)
    arc = fitted_arc(before, spur, towards_x, aspect)
    if arc is None or not _RADIUS[0] * unit < arc.radius < _RADIUS[1] * unit:
        raise UntraceableError(Reason.SURFACE)
    if float(np.abs(arc.depths(before)).mean()) > _ROUGHEST:
        raise UntraceableError(Reason.SURFACE)
    if abs(float(arc.depths(np.array([spur]))[0])) > _SPUR_OFF * unit:
        raise UntraceableError(Reason.SPUR)
    if arc.places(before).min() > _FURTHEST_CARRIED * unit:
        raise UntraceableError(Reason.SURFACE)
    return arc


def _lines(arc: Arc, cornea: Points, iris: Points, unit: float, size: tuple[int, int]) -> TracedAngle:
    """In steps of a pixel along the arc, the depth of each surface below it."""
    front = np.concatenate((_carried_on(arc, iris, unit), iris))
    front_places, front_depths = _sorted(arc, front)
    end = min(_AHEAD * unit, front_places[-1])
    if end < _SHORTEST * unit:
        raise UntraceableError(Reason.SURFACE)
    begin = min(-_BEHIND * unit, front_places[0])
    places = np.linspace(begin, end, int(end - begin) + 1)
    back = _back(arc, cornea, places, unit)
    depths = np.maximum(np.interp(places, front_places, front_depths), back)
    kept = _inside(arc.points(places, back), size) & _inside(arc.points(places, depths), size)
    first = int(np.flatnonzero(~kept & (places < 0)).max(initial=-1)) + 1
    if not kept[first:].all():
        raise UntraceableError(Reason.SURFACE)
    places, back, depths = places[first:], back[first:], depths[first:]
    meets = int(np.searchsorted(places, front_places[0]))  # before it there is no iris, or it lies on the cornea
    touches = front_depths[0] <= 0 and front_places[0] > 0
    together = _with_few_vertices(arc.points(places[: meets + 1], back[: meets + 1]))
    apart_back = _with_few_vertices(arc.points(places[meets:], back[meets:]))
    apart_front = _with_few_vertices(arc.points(places[meets:], depths[meets:]))
    return TracedAngle(
        cornea=_vertices(np.concatenate((together, apart_back[1:]))),
        iris=_vertices(np.concatenate((together, apart_front)) if touches else apart_front),
        touches_px=float(front_places[0]) if touches else 0.0,
    )


def _inside(points: Points, size: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray(((points >= 0) & (points <= size)).all(axis=1))


def _carried_on(arc: Arc, iris: Points, unit: float) -> Points:
    """Straight from the first of the iris that is seen to the cornea; nothing where it would not meet it."""
    first = iris[: max(int(_STRAIGHT * unit), 8)]
    middle = first.mean(axis=0)
    way = np.linalg.svd(first - middle)[2][0]
    way = way if (iris[0] - middle) @ way > 0 else -way
    start = middle + ((iris[0] - middle) @ way) * way
    steps = start + np.arange(1.0, _FURTHEST_CARRIED * unit)[:, None] * way
    behind = np.flatnonzero(arc.depths(steps) <= 0)
    return np.asarray(steps[: behind[0] + 1][::-1]) if len(behind) else np.empty((0, 2))


def _sorted(arc: Arc, line: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    places = arc.places(line)
    order = np.argsort(places, kind="stable")
    return places[order], arc.depths(line)[order]


def _back(arc: Arc, cornea: Points, places: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    """Behind the spur the arc alone: what is seen there is no cornea any more."""
    seen, depths = _sorted(arc, cornea)
    clear = seen > max(0.0, float(seen[0])) + _CORNER * unit
    known = np.concatenate(([seen[clear][0] - 2 * _CORNER * unit], seen[clear]))
    return np.interp(places, known, np.concatenate(([0.0], depths[clear])))


def _with_few_vertices(line: Points) -> Points:
    """Those that are needed to stay as near to it as the pixels tell, so that a person can move them."""
    return np.asarray(cv2.approxPolyDP(line.astype(np.float32), _BEND, False)[:, 0], dtype=np.float64)


def _vertices(line: Points) -> Line:
    """To a hundredth of a pixel, each once."""
    rounded = [(round(float(x), 2), round(float(y), 2)) for x, y in line]
    return tuple(vertex for vertex, _same in itertools.groupby(rounded))
