"""The difference of two entries, from resamples in which both had the same cases."""

import math
from dataclasses import dataclass

import numpy as np

from consensus.agreement.icc import Interval
from consensus.agreement.intervals import percentiles
from evaluation.metrics.evidence import Numbers


@dataclass(frozen=True)
class PairedDifference:
    """First minus second; `undefined` counts the resamples in which either had no value, which are left out."""

    difference: float
    interval: Interval
    p: float
    undefined: int


def share_not_above(differences: Numbers) -> float:
    """(1 + k) / (1 + B), k of B differences being 0 or less: no finite number of resamples proves a p of 0.

    Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 4.2. Undefined ones are left out; NaN
    if all are.
    """
    known = differences[np.isfinite(differences)]
    return float(1 + (known <= 0).sum()) / (1 + len(known)) if len(known) else math.nan


def paired_difference(
    first: float, second: float, drawn_first: Numbers, drawn_second: Numbers, level: float = 0.95
) -> PairedDifference:
    """Values of all cases and of the same resamples of both; two-sided p by the share of resamples on either side."""
    if drawn_first.shape != drawn_second.shape or drawn_first.ndim != 1:
        raise ValueError(f"resamples of shapes {drawn_first.shape} and {drawn_second.shape} are not paired")
    apart = drawn_first - drawn_second
    found = percentiles(apart, level)
    p = float(np.minimum(1.0, 2 * min(share_not_above(apart), share_not_above(-apart))))
    return PairedDifference(first - second, found.interval, p, found.undefined)
