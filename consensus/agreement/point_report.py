"""Agreement on points: how close to one another graders put the same mark in many images."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.figures import (
    Figure,
    Table,
    high_outliers,
    mean_known,
    mean_of_others,
    median_known,
    resampled,
)
from consensus.agreement.icc import FORMS, icc, mean_squares


@dataclass(frozen=True, eq=False)
class Points:
    """n × k × 2 coordinates in pixels; NaN where a grader has not read the image or saw nothing to mark."""

    places: NDArray[np.float64]
    subjects: Sequence[int]


@dataclass(frozen=True, eq=False)
class PointReport:
    """`offsets` are n × k × 2, from the mean of the others to the grader's point; the lists go by grader. `distance` is
    the median: one point at the wrong place of the picture does not make a careful grader the worst."""

    figures: list[Figure]
    offsets: NDArray[np.float64]
    distances: Table  # to the mean of the others
    bias: list[tuple[float, float]]
    distance: list[float]
    apart: Table  # mean distance of every two graders
    outliers: list[int]
    read: list[int]
    widest: NDArray[np.float64]  # per image, the largest distance to the mean of all


def point_report(points: Points) -> PointReport:
    places = points.places
    known = _known(places)
    complete: NDArray[np.bool_] = known.all(axis=1) & (places.shape[1] > 1)
    subjects = np.asarray(points.subjects)[complete].tolist()
    table, missing = places[complete], int((~complete).sum())
    others = np.stack([mean_of_others(places[:, :, axis]) for axis in (0, 1)], axis=2)
    offsets = places - others
    distances = np.hypot(offsets[:, :, 0], offsets[:, :, 1])
    to_mean = _to_mean(places)
    figures = [
        resampled(f"icc-euclidean {form}", lambda rows, form=form: _icc(table[rows], form), subjects, left_out=missing)  # type: ignore[misc]
        for form in FORMS
    ]
    compared = known.sum(axis=1) > 1
    means = np.array([mean_known(row) for row in to_mean])[compared]
    figures.append(
        resampled(
            "distance-to-mean",
            lambda rows: mean_known(means[rows]),
            np.asarray(points.subjects)[compared].tolist(),
            left_out=int((~compared).sum()),
        )
    )
    return PointReport(
        figures=figures,
        offsets=offsets,
        distances=distances,
        bias=[
            (mean_known(offsets[:, grader, 0]), mean_known(offsets[:, grader, 1])) for grader in range(known.shape[1])
        ],
        distance=[median_known(column) for column in distances.T],
        apart=_apart(places),
        outliers=high_outliers(distances).sum(axis=0).tolist(),
        read=known.sum(axis=0).tolist(),
        widest=np.array([float(np.nanmax(row)) if np.isfinite(row).any() else math.nan for row in to_mean]),
    )


def _icc(table: NDArray[np.float64], form: str) -> float:
    if len(table) < 2:
        return math.nan
    return icc(mean_squares(table))[form]


def _to_mean(places: NDArray[np.float64]) -> Table:
    """Distance to the mean of all who marked it; NaN where only one did."""
    known = _known(places)
    counts = known.sum(axis=1)
    sums = np.where(known[:, :, np.newaxis], places, 0.0).sum(axis=1)
    means = np.divide(sums, counts[:, np.newaxis], out=np.full(sums.shape, np.nan), where=counts[:, np.newaxis] > 1)
    offsets = places - means[:, np.newaxis, :]
    distances: Table = np.hypot(offsets[:, :, 0], offsets[:, :, 1])
    return distances


def _known(places: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.isfinite(places[:, :, 0]) & np.isfinite(places[:, :, 1])


def _apart(places: NDArray[np.float64]) -> Table:
    size = places.shape[1]
    apart = np.full((size, size), np.nan)
    for first in range(size):
        for second in range(first):
            steps = places[:, first] - places[:, second]
            apart[first, second] = apart[second, first] = mean_known(np.hypot(steps[:, 0], steps[:, 1]))
    return apart
