"""Sums over cases: most metrics are a function of them.

`counts` (resamples × cases) says how often each case takes part in each resample; a plain value is the resample in
which every case takes part once. A metric that is a function of sums is pooled anew in all resamples by one matrix
product.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Numbers

Counts = NDArray[np.float64]
Addends = Callable[[Any], Sequence[NDArray[Any]]]
"""From evidence to columns of finite numbers, one row for each case."""


def sums(addends: Addends) -> Callable[[Any, Counts], Numbers]:
    """The summary of a metric: the sum of each column in each resample (resamples × columns)."""

    def summarise(evidence: Any, counts: Counts) -> Numbers:
        return counts @ np.stack(addends(evidence)).astype(np.float64).T  # columns in one piece: a third of the time

    return summarise


def ratio(above: Numbers, below: Numbers) -> Numbers:
    """above / below; NaN where below is 0."""
    unknown = np.full(np.broadcast(above, below).shape, np.nan)
    quotient: Numbers = np.divide(above, below, out=unknown, where=np.asarray(below != 0))
    return quotient


def share(totals: Numbers) -> Numbers:
    """First sum by second sum, such as values by the number of cases; NaN without cases."""
    return ratio(totals[:, 0], totals[:, 1])


def mean_where(values: Numbers, takes_part: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Addends of the mean over the cases that take part; what stands at the others does not matter."""
    return np.where(takes_part, values, 0.0), takes_part.astype(np.float64)


def mean_of(values: Numbers) -> tuple[Numbers, Numbers]:
    """Addends of the mean over all cases."""
    return values, np.ones(len(values))
