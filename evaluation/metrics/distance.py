"""Euclidean distance between marked points, and the rules for points that are not visible."""

import numpy as np

from evaluation.metrics.evidence import Flags, Numbers, Points
from evaluation.metrics.tally import mean_of, mean_where


def visible(points: Numbers) -> Flags:
    return np.isfinite(points[:, 0]) & np.isfinite(points[:, 1])


def distance(points: Points) -> Numbers:
    """√((x − x*)² + (y − y*)²) of each case; NaN where a side is not visible."""
    apart = points.candidate - points.reference
    return np.hypot(apart[:, 0], apart[:, 1])


def at_zero(points: Points) -> Points:
    """The rule of ADAM: a point that is not visible is (0, 0)."""
    sides = (points.reference, points.candidate)
    return Points(*(np.where(visible(side)[:, None], side, 0.0) for side in sides))


def mean_distance(points: Points) -> tuple[Numbers, Numbers]:
    """ValueError when a point is not visible: no rule says how far it is."""
    if not (visible(points.reference) & visible(points.candidate)).all():
        raise ValueError("points are not visible everywhere")
    return mean_of(distance(points))


def mean_distance_at_zero(points: Points) -> tuple[Numbers, Numbers]:
    return mean_of(distance(at_zero(points)))


def mean_distance_where_both(points: Points) -> tuple[Numbers, Numbers]:
    return mean_where(distance(points), visible(points.reference) & visible(points.candidate))


def mean_distance_where_determinable(points: Points) -> tuple[Numbers, Numbers]:
    """Over points determinable in the reference; ValueError when the candidate leaves one of them out, so that
    omission is never rewarded."""
    there = visible(points.reference)
    if (there & ~visible(points.candidate)).any():
        raise ValueError("candidate has no point where the reference has one")
    return mean_where(distance(points), there)


def visibility(points: Points) -> tuple[Numbers, Numbers]:
    """Whether both sides say the same about visibility."""
    return mean_of((visible(points.reference) == visible(points.candidate)).astype(float))
