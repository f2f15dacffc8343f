"""Intraclass correlation in the six forms of McGraw and Wong (Psychological Methods 1996;1:30–46).

Subjects are rows, graders columns, nothing missing. R, C, E and W are the mean squares of rows, columns, error and
within rows:

    ICC(1)   = (R − W) / (R + (k−1)W)                      ICC(k)   = (R − W) / R
    ICC(C,1) = (R − E) / (R + (k−1)E)                      ICC(C,k) = (R − E) / R
    ICC(A,1) = (R − E) / (R + (k−1)E + k(C − E)/n)         ICC(A,k) = (R − E) / (R + (C − E)/n)

For points every sum of squares is a sum of squared Euclidean distances; such an ICC does not change when the picture
is turned, and reduces to the plain one when all points lie on a line.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtri

FORMS = ("1", "A,1", "C,1", "k", "A,k", "C,k")
YARDSTICK = ((0.5, "poor"), (0.75, "moderate"), (0.9, "good"), (math.inf, "excellent"))
"""Below each limit, what Koo and Li (J Chiropr Med 2016;15:155–163) call it."""


@dataclass(frozen=True)
class MeanSquares:
    subjects: int
    graders: int
    rows: float
    columns: float
    error: float
    within: float


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


def mean_squares(ratings: ArrayLike) -> MeanSquares:
    """Of n × k numbers, or n × k × d coordinates."""
    table = _checked(ratings)
    n, k = table.shape[:2]
    grand = table.mean(axis=(0, 1))
    by_row, by_column = table.mean(axis=1), table.mean(axis=0)
    rows = k * float(((by_row - grand) ** 2).sum())
    columns = n * float(((by_column - grand) ** 2).sum())
    within = float(((table - by_row[:, np.newaxis]) ** 2).sum())
    error = float(((table - by_row[:, np.newaxis] - by_column[np.newaxis] + grand) ** 2).sum())
    return MeanSquares(
        subjects=n,
        graders=k,
        rows=rows / (n - 1),
        columns=columns / (k - 1),
        error=error / ((n - 1) * (k - 1)),
        within=within / (n * (k - 1)),
    )


def icc(squares: MeanSquares) -> dict[str, float]:
    """All six forms; NaN where nothing varies."""
    n, k = squares.subjects, squares.graders
    r, c, e, w = squares.rows, squares.columns, squares.error, squares.within
    return {
        "1": _ratio(r - w, r + (k - 1) * w),
        "A,1": _ratio(r - e, r + (k - 1) * e + k * (c - e) / n),
        "C,1": _ratio(r - e, r + (k - 1) * e),
        "k": _ratio(r - w, r),
        "A,k": _ratio(r - e, r + (c - e) / n),
        "C,k": _ratio(r - e, r),
    }


def icc_intervals(squares: MeanSquares, level: float = 0.95) -> dict[str, Interval]:
    """Confidence intervals of the six forms for plain numbers; for points resample the subjects instead."""
    n, k = squares.subjects, squares.graders
    one_way = _by_f(_ratio(squares.rows, squares.within), n - 1, n * (k - 1), level)
    two_way = _by_f(_ratio(squares.rows, squares.error), n - 1, (n - 1) * (k - 1), level)
    agreement = _absolute_agreement(squares, level)
    return {
        "1": _single(one_way, k),
        "A,1": agreement,
        "C,1": _single(two_way, k),
        "k": _mean(one_way),
        "A,k": Interval(_spearman_brown(agreement.low, k), _spearman_brown(agreement.high, k)),
        "C,k": _mean(two_way),
    }


def called(value: float) -> str:
    """What the yardstick calls an intraclass correlation."""
    return next(word for limit, word in YARDSTICK if not value >= limit)


def _by_f(observed: float, above: float, below: float, level: float) -> Interval:
    quantile = 1 - (1 - level) / 2
    low = observed / float(fdtri(above, below, quantile))
    return Interval(low, observed * float(fdtri(below, above, quantile)))


def _absolute_agreement(squares: MeanSquares, level: float) -> Interval:
    """McGraw and Wong, table 7, with Satterthwaite's degrees of freedom."""
    n, k = squares.subjects, squares.graders
    r, c, e = squares.rows, squares.columns, squares.error
    rho = icc(squares)["A,1"]
    if not rho < 1:
        return Interval(rho, rho)
    a, b = k * rho / (n * (1 - rho)), 1 + k * rho * (n - 1) / (n * (1 - rho))
    freedom = (a * c + b * e) ** 2 / ((a * c) ** 2 / (k - 1) + (b * e) ** 2 / ((n - 1) * (k - 1)))
    quantile = 1 - (1 - level) / 2
    lower = float(fdtri(n - 1, freedom, quantile))
    upper = float(fdtri(freedom, n - 1, quantile))
    rest = k * c + (k * n - k - n) * e
    return Interval(
        n * (r - lower * e) / (lower * rest + n * r),
        n * (upper * r - e) / (rest + n * upper * r),
    )


def _single(ratio: Interval, k: int) -> Interval:
    return Interval((ratio.low - 1) / (ratio.low + k - 1), (ratio.high - 1) / (ratio.high + k - 1))


def _mean(ratio: Interval) -> Interval:
    return Interval(1 - 1 / ratio.low, 1 - 1 / ratio.high)


def _spearman_brown(single: float, k: int) -> float:
    return _ratio(k * single, 1 + (k - 1) * single)


def _ratio(above: float, below: float) -> float:
    return above / below if below else math.nan


def _checked(ratings: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim == 2:
        table = table[:, :, np.newaxis]
    if table.ndim != 3 or table.shape[0] < 2 or table.shape[1] < 2:
        raise ValueError(f"ratings has shape {table.shape}, expected at least 2 subjects and 2 graders")
    if not np.isfinite(table).all():
        raise ValueError("ratings holds a number that is not finite; leave incomplete subjects out and count them")
    return table
