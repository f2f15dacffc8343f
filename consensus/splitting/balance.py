"""How alike the parts of a split came out: counts and chi-square for labels, medians and Kruskal–Wallis for measures.

Both tests take cases for independent; where a subject has several, p is smaller than it should be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Outcome:
    """Without a result where there is nothing to compare: one value only, or one part only."""

    statistic: float | None = None
    freedom: int | None = None
    p: float | None = None


@dataclass(frozen=True, slots=True)
class LabelBalance:
    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]  # part × value
    chi_square: Outcome
    smallest_expected: float | None  # below 5 the test is not to be relied on


@dataclass(frozen=True, slots=True)
class Spread:
    count: int
    low: float | None = None  # first quartile
    median: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class MeasureBalance:
    spreads: tuple[Spread, ...]  # by part
    missing: int
    kruskal_wallis: Outcome


def label_balance(values: Mapping[str, str], parts: Sequence[Sequence[str]]) -> LabelBalance:
    """`values` by case, `parts` the cases of each part."""
    names = tuple(sorted({values.get(case, "") for part in parts for case in part}))
    counts = np.array([[sum(values.get(case, "") == name for case in part) for name in names] for part in parts])
    test, smallest = _chi_square(counts)
    return LabelBalance(names, tuple(tuple(int(one) for one in row) for row in counts), test, smallest)


def measure_balance(values: Mapping[str, float | None], parts: Sequence[Sequence[str]]) -> MeasureBalance:
    found = [[value for case in part if (value := values.get(case)) is not None] for part in parts]
    missing = sum(len(part) for part in parts) - sum(len(part) for part in found)
    return MeasureBalance(tuple(_spread(part) for part in found), missing, kruskal_wallis(found))


def _chi_square(counts: NDArray[np.int64]) -> tuple[Outcome, float | None]:
    if counts.size == 0:
        return Outcome(), None
    filled = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    if min(filled.shape) < 2:
        return Outcome(), None
    from scipy.stats import chi2_contingency  # half a second to load: only for those who make a split

    found = chi2_contingency(filled, correction=False)
    return Outcome(float(found.statistic), int(found.dof), float(found.pvalue)), float(found.expected_freq.min())


def kruskal_wallis(parts: Sequence[Sequence[float]]) -> Outcome:
    """H, corrected for ties, and its p by chi-square (Kruskal and Wallis, J Am Stat Assoc 1952;47:583–621)."""
    filled = [part for part in parts if part]
    if len(filled) < 2 or len({value for part in filled for value in part}) < 2:
        return Outcome()
    from scipy.stats import kruskal

    found = kruskal(*filled)
    return Outcome(float(found.statistic), len(filled) - 1, float(found.pvalue))


def _spread(values: Sequence[float]) -> Spread:
    if not values:
        return Spread(0)
    if len(values) == 1:
        return Spread(1, values[0], values[0], values[0])
    low, median, high = quantiles(values, n=4, method="inclusive")
    return Spread(len(values), low, median, high)
