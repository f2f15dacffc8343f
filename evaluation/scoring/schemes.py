"""Three ways from per-case values to a ranking, side by side; where they differ, a ranking says little.

Maier-Hein et al., Nat Commun 2018;9:5217; Wiesenfarth et al., Sci Rep 2021;11:2369.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.metrics.evidence import Numbers
from evaluation.scoring.ranks import Ints, competition_ranks
from evaluation.scoring.significance import Significance, corrected, superior_by_cases


@dataclass(frozen=True, eq=False)
class ThreeWays:
    """Ranks by each way, and the numbers they are made of."""

    means: Numbers
    mean_ranks: Numbers
    significance: Significance
    aggregate_then_rank: Ints
    rank_then_aggregate: Ints
    test_then_rank: Ints


def rank_three_ways(values: Numbers, *, higher: bool, alpha: float = 0.05) -> ThreeWays:
    """`values` is entries × cases, all finite: take `common_cases` first.

    Aggregate then rank: by the mean over cases. Rank then aggregate: entries are ranked on every case, then by the mean
    of these ranks. Test then rank: by the number of others than which an entry is significantly better (one-sided
    Wilcoxon signed-rank tests, Holm).
    """
    if values.ndim != 2 or not values.shape[1] or not np.isfinite(values).all():
        raise ValueError(f"values has shape {values.shape}; expected entries × cases, all finite")
    means = values.mean(axis=1)
    places = competition_ranks((-values if higher else values).T).sum(axis=0)
    significance = corrected(superior_by_cases(values, higher=higher), alpha)
    return ThreeWays(
        means=means,
        mean_ranks=places / values.shape[1],
        significance=significance,
        aggregate_then_rank=competition_ranks(-means if higher else means),
        rank_then_aggregate=competition_ranks(places),
        test_then_rank=significance.ranks_by_wins(),
    )
