"""Which entries are better than which others, beyond chance.

A matrix holds, row against column, the one-sided p that the row is better. It comes from per-case values, from areas
under ROC curves, or from resamples of any metric; all pairs together are corrected by Holm.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from evaluation.metrics.evidence import Numbers
from evaluation.scoring.delong import Areas, compare_areas
from evaluation.scoring.differences import holm, signed_rank
from evaluation.scoring.paired import share_not_above
from evaluation.scoring.ranks import NOT_RANKED, Bools, Ints, competition_ranks


@dataclass(frozen=True, eq=False)
class Significance:
    """`p` after Holm's correction, row better than column; the diagonal is NaN."""

    p: Numbers
    alpha: float

    @property
    def better(self) -> Bools:
        """Whether the row's entry is significantly better than the column's."""
        beyond: Bools = np.nan_to_num(self.p, nan=1.0) < self.alpha
        return beyond

    @property
    def wins(self) -> Ints:
        """Over how many others each entry is significantly better."""
        counted: Ints = self.better.sum(axis=1).astype(np.int64)
        return counted

    def ranks_by_wins(self) -> Ints:
        """Test-then-rank: more wins come first."""
        return competition_ranks(-self.wins)

    def bands(self, ranks: Ints) -> list[tuple[int, ...]]:
        """Entries that follow one another in the ranking and of which no two can be told apart.

        Every such run that is not part of a longer one; an entry may lie in two, for not being told apart is not
        transitive. Entries that are not ranked are in none.
        """
        order = [int(entry) for entry in np.argsort(ranks, kind="stable") if ranks[entry] != NOT_RANKED]
        apart = self.better | self.better.T
        bands: list[tuple[int, ...]] = []
        reached = 0
        for first in range(len(order)):
            last = max(first + 1, reached)
            while last < len(order) and not apart[order[last], order[first:last]].any():
                last += 1
            if last > reached:
                bands.append(tuple(order[first:last]))
                reached = last
        return bands


def corrected(p: Numbers, alpha: float = 0.05) -> Significance:
    """All pairs of a matrix of one-sided p values as one family of tests."""
    if p.ndim != 2 or p.shape[0] != p.shape[1]:
        raise ValueError(f"p has shape {p.shape}, expected one row and one column an entry")
    apart = p.copy()
    np.fill_diagonal(apart, np.nan)
    return Significance(holm(apart), alpha)


def superior_by_cases(values: Numbers, *, higher: bool) -> Numbers:
    """One-sided Wilcoxon signed-rank tests over the cases (entries × cases)."""
    turned = values if higher else -values
    return _pairs(len(values), lambda row, column: signed_rank(turned[row] - turned[column], "greater").p)


def superior_by_area(areas: Areas) -> Numbers:
    """One-sided DeLong tests."""
    return _pairs(len(areas.values), lambda row, column: float(ndtr(-compare_areas(areas, row, column).z)))


def superior_by_resampling(resampled: Numbers, *, higher: bool) -> Numbers:
    """Share of the resamples (resamples × entries, paired) in which the row is not better."""
    turned = resampled if higher else -resampled
    return _pairs(turned.shape[1], lambda row, column: share_not_above(turned[:, row] - turned[:, column]))


def _pairs(entries: int, p_of: Callable[[int, int], float]) -> Numbers:
    p = np.full((entries, entries), np.nan)
    for row in range(entries):
        for column in range(entries):
            if row != column:
                p[row, column] = p_of(row, column)
    return p
