"""Cases in groups: glaucoma or not, stages of AMD, benign or malignant, devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Numbers
from evaluation.scoring.differences import RankSum, rank_sum
from evaluation.scoring.ranks import Bools, Ints, competition_ranks

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class StratumScores:
    """Means of each entry over the cases of one stratum, and its rank by them."""

    cases: int
    means: Numbers
    ranks: Ints


def common_cases(values: Numbers) -> Rows:
    """The cases (columns) on which every entry has a value."""
    return np.flatnonzero(np.isfinite(values).all(axis=0))


def cases_by_stratum(names: Sequence[str]) -> dict[str, Rows]:
    """The numbers of the cases of each stratum, in the order in which strata first occur."""
    found: dict[str, list[int]] = {}
    for case, name in enumerate(names):
        found.setdefault(name, []).append(case)
    return {name: np.array(cases) for name, cases in found.items()}


def each_against_negatives(names: Sequence[str], negative: Bools) -> dict[str, Rows]:
    """For each stratum of positive cases, these and all negative ones: stages of a disease against no disease."""
    without = np.flatnonzero(negative)
    return {
        name: np.sort(np.concatenate((positive, without)))
        for name, cases in cases_by_stratum(names).items()
        if len(positive := cases[~negative[cases]])
    }


def scores_by_stratum(values: Numbers, strata: Mapping[str, Rows], *, higher: bool) -> dict[str, StratumScores]:
    """`values` is entries × cases, finite; strata without a case are left out."""
    found = {}
    for name, cases in strata.items():
        if len(cases):
            means = values[:, cases].mean(axis=1)
            found[name] = StratumScores(len(cases), means, competition_ranks(-means if higher else means))
    return found


def strata_differ(values: Numbers, first: Rows, second: Rows) -> list[RankSum]:
    """For each entry, whether its values on the first cases differ from those on the second ones."""
    return [rank_sum(own[first], own[second]) for own in values]
