"""Tests of whether two or more groups of per-case values differ, each with an effect that a p alone does not tell.

All take cases for independent; where subjects have several, the bootstrap of `drawing.py` is the honest way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from consensus.splitting.balance import kruskal_wallis
from evaluation.metrics.evidence import Numbers
from evaluation.scoring.ranks import midranks

Alternative = Literal["two-sided", "greater", "less"]
_MOST_EXACT = 50


@dataclass(frozen=True)
class SignedRank:
    """`statistic` is the smaller of the two sums of ranks; `effect` their difference by their sum, from −1 to 1."""

    statistic: float
    p: float
    effect: float
    pairs: int
    """Pairs that differ; only they are ranked."""


@dataclass(frozen=True)
class RankSum:
    """`u` counts the pairs in which the first group is larger, ties half; `rank_sum` is that of the first group.

    `effect` is Cliff's delta 2U/mn − 1: how much oftener the first group is larger than smaller.
    """

    u: float
    rank_sum: float
    p: float
    effect: float


@dataclass(frozen=True)
class Groups:
    """Kruskal–Wallis; `effect` is ε² = H / (n − 1): 0 without a difference, 1 if groups do not overlap at all."""

    h: float | None
    freedom: int | None
    p: float | None
    effect: float | None


def signed_rank(differences: ArrayLike, alternative: Alternative = "two-sided") -> SignedRank:
    """Wilcoxon's test of paired differences (Biometrics Bull 1945;1:80–83); "greater": they tend to be above 0.

    Differences of 0 are left out, as Wilcoxon did. Exact up to 50 pairs without ties, as in R, else normal with
    correction for ties and none for continuity. Nothing differs: p = 1 and no effect.
    """
    given = np.asarray(differences, dtype=np.float64)
    if given.ndim != 1 or not np.isfinite(given).all():
        raise ValueError(f"differences has shape {given.shape}; expected one finite number a pair")
    apart = given[given != 0]
    if not len(apart):
        return SignedRank(0.0, 1.0, 0.0, 0)
    from scipy.stats import wilcoxon  # half a second to load: not at the start of every process

    ranks = midranks(np.abs(apart))
    above = float(ranks[apart > 0].sum())
    below = float(ranks.sum()) - above
    exact = len(apart) <= _MOST_EXACT and len(np.unique(ranks)) == len(ranks)
    method = "exact" if exact else "asymptotic"
    p = float(wilcoxon(apart, alternative=alternative, method=method).pvalue)
    return SignedRank(min(above, below), p, (above - below) / (above + below), len(apart))


def rank_sum(first: ArrayLike, second: ArrayLike, alternative: Alternative = "two-sided") -> RankSum:
    """Wilcoxon's rank-sum test, which is that of Mann and Whitney (Ann Math Stat 1947;18:50–60).

    Exact where one group has at most eight values and there are no ties, else normal with corrections for ties and
    continuity.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    for name, group in {"first": a, "second": b}.items():
        if group.ndim != 1 or not len(group) or not np.isfinite(group).all():
            raise ValueError(f"{name} has shape {group.shape}; expected at least one number, all finite")
    from scipy.stats import mannwhitneyu

    u = float(midranks(np.concatenate((a, b)))[: len(a)].sum() - len(a) * (len(a) + 1) / 2)
    p = float(mannwhitneyu(a, b, alternative=alternative).pvalue)
    return RankSum(u, u + len(a) * (len(a) + 1) / 2, p, 2 * u / (len(a) * len(b)) - 1)


def groups_differ(groups: Sequence[Sequence[float]]) -> Groups:
    """Whether any of several groups differs; None where there is nothing to compare."""
    found = kruskal_wallis(groups)
    many = sum(len(group) for group in groups)
    effect = None if found.statistic is None else found.statistic / (many - 1)
    return Groups(found.statistic, found.freedom, found.p, effect)


def holm(p_values: ArrayLike) -> Numbers:
    """p values of several tests, so that the chance of any false finding stays what it was for one.

    The k-th smallest of n is multiplied by n − k + 1, is not smaller than the one before it and at most 1; NaN stays
    NaN and is not counted (Holm, Scand J Stat 1979;6:65–70).
    """
    given = np.asarray(p_values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(given.ravel()))
    order = known[np.argsort(given.ravel()[known], kind="stable")]
    adjusted = given.ravel().copy()
    steps = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(given.ravel()[order] * steps))
    return adjusted.reshape(given.shape)
