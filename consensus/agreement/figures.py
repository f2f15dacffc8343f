"""A statistic with its interval and what it rests on, as every report of agreement gives it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.intervals import bootstrap

RESAMPLES = 1000
_FENCE = 1.5  # of the interquartile range (Tukey, Exploratory Data Analysis, 1977)
Table = NDArray[np.float64]
"""Images by graders; NaN where there is nothing."""


@dataclass(frozen=True)
class Figure:
    """`n` cases went in, `left_out` could not: somebody did not read them, or there was nothing to compare."""

    key: str
    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    left_out: int = 0


def resampled(
    key: str, statistic: Callable[[NDArray[np.int64]], float], subjects: Sequence[int], *, left_out: int = 0
) -> Figure:
    """The statistic of all rows, with a 95 % interval from subjects drawn with replacement; all rows of a drawn subject
    come along. `statistic` gets the numbers of rows."""
    count = len(subjects)
    if not count:
        return Figure(key, math.nan, left_out=left_out)
    value = statistic(np.arange(count))
    _names, inverse = np.unique(np.asarray(subjects), return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(inverse))[:-1])
    alone = len(rows) == count  # one row each: the drawn subjects are the drawn rows

    def of_drawn(chosen: NDArray[np.int64]) -> float:
        return statistic(order[chosen] if alone else np.concatenate([rows[one] for one in chosen]))

    drawn = bootstrap(of_drawn, len(rows), resamples=RESAMPLES)
    return Figure(key, value, drawn.interval.low, drawn.interval.high, count, left_out)


def mean_of_others(table: Table) -> Table:
    """For each grader's value the mean of what the others have in the same row; NaN where nobody else has anything."""
    known = np.isfinite(table)
    filled = np.where(known, table, 0.0)
    totals, counts = filled.sum(axis=1, keepdims=True) - filled, known.sum(axis=1, keepdims=True) - known
    means: Table = np.divide(totals, counts, out=np.full(table.shape, np.nan), where=counts > 0)
    return means


def low_outliers(table: Table) -> NDArray[np.bool_]:
    """Values below the lower fence of all values together: a quarter and one and a half interquartile ranges."""
    known = table[np.isfinite(table)]
    if len(known) < 4:
        return np.zeros(table.shape, dtype=np.bool_)
    first, third = np.percentile(known, [25, 75])
    with np.errstate(invalid="ignore"):
        return np.asarray(table < first - _FENCE * (third - first))


def high_outliers(table: Table) -> NDArray[np.bool_]:
    return low_outliers(-table)


def mean_known(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else math.nan


def median_known(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else math.nan
