"""Confidence intervals where a statistic has no closed form, and for shares."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.icc import Interval

_COVERS_95 = 1.959963984540054


@dataclass(frozen=True)
class Resampled:
    """The interval, and in how many resamples the statistic was undefined; those are left out."""

    interval: Interval
    undefined: int


def draws(units: int, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """The numbers of the units drawn with replacement, resample after resample: `default_rng(seed).integers(0, n, n)`
    one after another, so that anyone can repeat them."""
    if units < 1 or resamples < 1:
        raise ValueError(f"units is {units} and resamples {resamples}; both must be at least 1")
    rng = np.random.default_rng(seed)
    for _resample in range(resamples):
        yield rng.integers(0, units, units)


def percentiles(values: NDArray[np.float64], level: float = 0.95) -> Resampled:
    """The middle `level` of the resampled values, linear between two of them."""
    known = values[np.isfinite(values)]
    if not len(known):
        return Resampled(Interval(math.nan, math.nan), len(values))
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(known, [tail, 100 - tail])
    return Resampled(Interval(float(low), float(high)), len(values) - len(known))


def bootstrap(
    statistic: Callable[[NDArray[np.int64]], float],
    subjects: int,
    *,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Resampled:
    """Percentiles of the statistic over subjects drawn with replacement; it gets the numbers of those drawn."""
    return percentiles(np.array([statistic(drawn) for drawn in draws(subjects, resamples, seed)]), level)


def wilson(successes: int, trials: int) -> Interval:
    """95 % interval of a share (Wilson, J Am Stat Assoc 1927;22:209–212); NaN without trials."""
    if not 0 <= successes <= trials:
        raise ValueError(f"successes is {successes} of {trials} trials")
    if not trials:
        return Interval(math.nan, math.nan)
    share, square = successes / trials, _COVERS_95**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = math.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    # At the ends the formula gives exactly 0 or 1 but for rounding.
    return Interval(0.0 if successes == 0 else middle - half, 1.0 if successes == trials else middle + half)
