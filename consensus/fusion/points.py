"""Points become one point. Rows of `points` are the graders' (x, y); there is at least one."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]

_MOST_ROUNDS = 200
_MOST_HALVINGS = 60
_TOUCHES = 1e-9  # of the largest distance: nearer to a data point than this is on it
_OUTLIER_SPREADS = 3.0
_SPREAD_OF_MEDIAN = 1.4826  # makes the median distance an estimate of the standard deviation of normal errors


def is_visible(seen: int, not_seen: int) -> bool:
    """Whether a vote of those who saw the structure against those who did not lets a point be fused at all."""
    return seen > not_seen


def mean_point(points: ArrayLike) -> Points:
    """Summed without rounding in between, so that the order of the graders does not matter: the same readings, brought
    into another study, give the same point to the last bit."""
    rows = _checked(points)
    return np.array([math.fsum(column) for column in rows.T.tolist()]) / len(rows)


def median_point(points: ArrayLike) -> Points:
    """The median of each coordinate by itself."""
    return np.median(_checked(points), axis=0)


def geometric_median(points: ArrayLike) -> Points:
    """The point with the smallest sum of distances to all points.

    A data point is the answer when the unit vectors from it to all others sum to no more than its own weight (Kuhn).
    Otherwise the sum of distances is smooth and convex around the answer, and Newton's steps, halved until the sum
    falls, find it in a few rounds, also where points lie nearly on a line and Weiszfeld's iteration creeps. Even
    numbers of points on a line have many answers; their middle is given.
    """
    rows = _checked(points)
    if (middle := _on_a_line(rows)) is not None:
        return middle
    for row in rows:
        if _pull(rows, row) <= int((rows == row).all(axis=1).sum()):
            found: Points = row.copy()
            return found
    at: Points = rows.mean(axis=0)
    for _round in range(_MOST_ROUNDS):
        following = _nearer(rows, at)
        if following is None:
            break
        at = following
    return at


def outliers(points: ArrayLike) -> NDArray[np.bool_]:
    """Points farther from the geometric median than the median of these distances by three robust spreads."""
    rows = _checked(points)
    distances = np.linalg.norm(rows - geometric_median(rows), axis=1)
    middle = float(np.median(distances))
    far: NDArray[np.bool_] = distances > middle + _OUTLIER_SPREADS * _SPREAD_OF_MEDIAN * middle
    return far


def _nearer(rows: Points, at: Points) -> Points | None:
    """A place with a smaller sum of distances, None when there is none to be found."""
    total = float(np.linalg.norm(rows - at, axis=1).sum())
    step = _step(rows, at)
    for _halving in range(_MOST_HALVINGS):
        following: Points = at + step
        if float(np.linalg.norm(rows - following, axis=1).sum()) < total:
            return following
        step = step / 2
    return None


def _step(rows: Points, at: Points) -> Points:
    """Newton's; at a data point, where the sum has an edge and no slope, towards where the others pull."""
    offsets = at - rows
    distances = np.linalg.norm(offsets, axis=1)
    away = distances > _TOUCHES * float(distances.max())
    units = offsets[away] / distances[away, np.newaxis]
    slope = units.sum(axis=0)
    if not away.all():
        pull: Points = -slope * (float(distances.max()) / float(np.linalg.norm(slope)))
        return pull
    curvature = np.eye(2) * (1 / distances).sum() - (units / distances[:, np.newaxis]).T @ units
    step: Points = -np.linalg.lstsq(curvature, slope, rcond=None)[0]
    return step


def _pull(rows: Points, at: Points) -> float:
    """Length of the sum of the unit vectors from a place to all points that are not there."""
    away = rows[(rows != at).any(axis=1)] - at
    return float(np.linalg.norm((away / np.linalg.norm(away, axis=1, keepdims=True)).sum(axis=0)))


def _on_a_line(rows: Points) -> Points | None:
    """The median along the line when all points lie on one, exactly or to rounding; None otherwise."""
    centred = rows - rows.mean(axis=0)
    _left, spreads, axes = np.linalg.svd(centred, full_matrices=False)
    if len(spreads) > 1 and spreads[1] > 1e-12 * max(1.0, float(np.abs(rows).max())):
        return None
    along = centred @ axes[0]
    middle: Points = rows.mean(axis=0) + np.median(along) * axes[0]
    return middle


def _checked(points: ArrayLike) -> Points:
    rows = np.asarray(points, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 2 or not len(rows):
        raise ValueError(f"points has shape {rows.shape}, expected (n, 2) with n at least 1")
    if not np.isfinite(rows).all():
        raise ValueError("points holds a coordinate that is not finite")
    return rows
