"""How far a ranking would have come out the same with other cases of the same kind.

Cases are drawn again and again; a metric that is a mean over cases is then one matrix product for all resamples and
entries.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Numbers
from evaluation.metrics.tally import Counts, ratio
from evaluation.scoring.drawing import Design, resampled
from evaluation.scoring.ranks import NOT_RANKED, Ints, competition_ranks

# Equal sums in another order differ in their last digits; entries must not be set apart by that.
_DECIMALS = 12


@dataclass(frozen=True, eq=False)
class Stability:
    """`low` and `high` bound the rank of each entry; `shares` (entries × ranks) say how often it had which rank.

    `taus`: Kendall's τ-b of every resample with the ranking of all cases.
    """

    ranks: Ints
    low: Ints
    high: Ints
    shares: Numbers
    taus: Numbers


def rank_stability(ranks: Ints, drawn: Ints, level: float = 0.95) -> Stability:
    """Of ranks (entries) and of those in resamples (resamples × entries); without a rank, no interval (0 to 0)."""
    entries = len(ranks)
    shares = np.stack([(drawn == place + 1).mean(axis=0) for place in range(entries)], axis=1)
    tails = [100 * (1 - level) / 2, 100 * (1 + level) / 2]
    bounds = np.full((entries, 2), NOT_RANKED)
    for entry in range(entries):
        known = drawn[:, entry][drawn[:, entry] != NOT_RANKED]
        if len(known):
            bounds[entry] = np.percentile(known, tails, method="inverted_cdf")
    return Stability(ranks, bounds[:, 0], bounds[:, 1], shares, kendall_tau(ranks, drawn))


def stability_of_means(
    values: Numbers, *, higher: bool, design: Design, resamples: int = 1000, seed: int = 0, level: float = 0.95
) -> Stability:
    """Of entries ranked by the mean of their per-case values (entries × cases)."""
    if values.ndim != 2 or values.shape[1] != design.cases:
        raise ValueError(f"values has shape {values.shape}, expected entries × {design.cases} cases")
    if not np.isfinite(values).all():
        raise ValueError("values holds a number that is not finite; leave such cases out for every entry")
    better_is_less = -values.T if higher else values.T

    def means(counts: Counts) -> Numbers:
        found: Numbers = np.round(counts @ better_is_less / counts.sum(axis=1, keepdims=True), _DECIMALS)
        return found

    full = competition_ranks(means(np.ones((1, design.cases))))[0]
    drawn = competition_ranks(resampled(means, design, resamples=resamples, seed=seed))
    return rank_stability(full, drawn, level)


def kendall_tau(ranks: Ints, others: Ints) -> Numbers:
    """τ-b of a ranking (entries) with each of others (… × entries); ties in both are allowed for.

    Σ sign·sign over all pairs / √(untied pairs in one · untied pairs in the other) (Kendall, Biometrika
    1945;33:239–251). Pairs with an entry that is not ranked do not count; NaN where everything is tied.
    """
    first, second = np.triu_indices(len(ranks), 1)
    both = (others[..., first] != NOT_RANKED) & (others[..., second] != NOT_RANKED)
    both &= (ranks[first] != NOT_RANKED) & (ranks[second] != NOT_RANKED)
    own = np.where(both, np.sign(ranks[first] - ranks[second]), 0)
    theirs = np.where(both, np.sign(others[..., first] - others[..., second]), 0)
    agree: NDArray[np.int64] = (own * theirs).sum(axis=-1)
    untied = np.sqrt((own != 0).sum(axis=-1) * (theirs != 0).sum(axis=-1).astype(np.float64))
    return ratio(agree.astype(np.float64), untied)
