"""Areas under several ROC curves of the same cases, with their covariances.

DeLong, DeLong and Clarke-Pearson, Biometrics 1988;44:837–845, computed by midranks (Sun and Xu, IEEE Signal Process
Lett 2014;21:1389–1393). With m positive cases X, n negative cases Y, midranks T_Z among all, T_X and T_Y among their
own:

    AUC = ΣT_Z(X) / mn − (m + 1) / 2n,   V₁₀ = (T_Z(X) − T_X) / n,   V₀₁ = 1 − (T_Z(Y) − T_Y) / m
    covariance = cov(V₁₀) / m + cov(V₀₁) / n
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from consensus.agreement.icc import Interval
from evaluation.metrics.evidence import Flags, Numbers
from evaluation.scoring.ranks import midranks

NO_INTERVAL = Interval(math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class Areas:
    """One area for each entry; the covariance (entries × entries) is NaN with fewer than two cases of a class."""

    values: Numbers
    covariance: NDArray[np.float64]


@dataclass(frozen=True)
class AreaTest:
    """The difference of two areas, its standard error, z and the two-sided p."""

    difference: float
    standard_error: float
    z: float
    p: float


def areas_under_curves(positive: Flags, scores: Numbers) -> Areas:
    """`scores` (entries × cases), the higher the more positive. ValueError without a positive or a negative case."""
    if scores.ndim != 2 or scores.shape[1] != len(positive):
        raise ValueError(f"scores has shape {scores.shape}, expected entries × {len(positive)} cases")
    if not np.isfinite(scores).all():
        raise ValueError("scores holds a value that is not finite")
    of_positive, of_negative = scores[:, positive], scores[:, ~positive]
    m, n = of_positive.shape[1], of_negative.shape[1]
    if not m or not n:
        raise ValueError(f"there are {m} positive and {n} negative cases; both are needed")
    together = midranks(np.hstack((of_positive, of_negative)))
    v10 = (together[:, :m] - midranks(of_positive)) / n
    v01 = 1 - (together[:, m:] - midranks(of_negative)) / m
    if m < 2 or n < 2:
        return Areas(v10.mean(axis=1), np.full((len(scores), len(scores)), np.nan))
    return Areas(v10.mean(axis=1), np.atleast_2d(np.cov(v10)) / m + np.atleast_2d(np.cov(v01)) / n)


def area_interval(areas: Areas, entry: int, *, level: float = 0.95, logit: bool = False) -> Interval:
    """AUC ± z·SE, cut to 0 … 1; or, near 1, of ln(AUC / (1 − AUC)) ± z·SE / (AUC (1 − AUC)) turned back.

    The logit has no interval at 0 and 1 (NaN): there the variance is 0 and says nothing.
    """
    area, error = float(areas.values[entry]), math.sqrt(areas.covariance[entry, entry])
    half = float(ndtri((1 + level) / 2)) * error
    if not logit:
        return Interval(max(0.0, area - half), min(1.0, area + half))
    if not 0 < area < 1:
        return NO_INTERVAL
    middle, half = math.log(area / (1 - area)), half / (area * (1 - area))
    return Interval(1 / (1 + math.exp(half - middle)), 1 / (1 + math.exp(-half - middle)))


def compare_areas(areas: Areas, first: int, second: int) -> AreaTest:
    """Paired test of two areas of the same cases; equal curves have no difference and p = 1."""
    difference = float(areas.values[first] - areas.values[second])
    spread = areas.covariance
    variance = float(spread[first, first] + spread[second, second] - 2 * spread[first, second])
    if math.isnan(variance):
        return AreaTest(difference, math.nan, math.nan, math.nan)
    error = math.sqrt(max(0.0, variance))
    if difference == 0:
        return AreaTest(0.0, error, 0.0, 1.0)
    z = difference / error if error else math.copysign(math.inf, difference)
    return AreaTest(difference, error, z, 2 * float(ndtr(-abs(z))))
