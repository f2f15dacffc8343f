"""Entries on groups of the cases: glaucoma or not, stages of AMD, benign or malignant, devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Called, Numbers, Scored
from evaluation.scoring.differences import Groups, RankSum, groups_differ, rank_sum
from evaluation.scoring.entries import Questions, values_by_case, values_of_entries
from evaluation.scoring.resampling import Question

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Stratum:
    """By metric, the value of each entry on the cases of the stratum."""

    cases: int
    values: Mapping[str, Numbers]


def cases_by_stratum(names: Sequence[str]) -> dict[str, Rows]:
    """The numbers of the cases of each stratum, in the order in which strata first occur."""
    found: dict[str, list[int]] = {}
    for case, name in enumerate(names):
        found.setdefault(name, []).append(case)
    return {name: np.array(cases) for name, cases in found.items()}


def values_by_stratum(field: Sequence[Questions], keys: Sequence[str], names: Sequence[str]) -> dict[str, Stratum]:
    """Every metric on each stratum alone; `names`: of each case, its stratum.

    A stratum without a negative case, such as a stage of a disease, stands against all negative cases, where a metric
    tells positive from negative.
    """
    found = {}
    for name, cases in cases_by_stratum(names).items():
        inside = [{key: _restricted(asked[key], cases) for key in asked} for asked in field]
        found[name] = Stratum(len(cases), values_of_entries(inside, keys))
    return found


def strata_differ(question: Question, names: Sequence[str]) -> RankSum | Groups | None:
    """Whether an entry's values of single cases differ between strata: rank-sum test of two, Kruskal–Wallis of more.

    None where the metric is no mean over cases, or fewer than two strata have a value.
    """
    by_case = values_by_case(question)
    if by_case is None:
        return None
    numbers = np.arange(len(by_case)) if question.cases is None else question.cases
    known = np.flatnonzero(np.isfinite(by_case))
    strata = cases_by_stratum([names[numbers[row]] for row in known])
    groups = [by_case[known[rows]].tolist() for rows in strata.values()]
    if len(groups) < 2:
        return None
    return rank_sum(*groups) if len(groups) == 2 else groups_differ(groups)


def common_cases(values: Numbers) -> Rows:
    """The cases (columns) on which every entry has a value."""
    return np.flatnonzero(np.isfinite(values).all(axis=0))


def _restricted(question: Question, cases: Rows) -> Question:
    numbers = np.arange(len(question.evidence)) if question.cases is None else question.cases
    inside = np.isin(numbers, cases)
    if isinstance(question.evidence, Scored | Called) and question.evidence.positive[inside].all():
        inside |= ~question.evidence.positive
    rows = np.flatnonzero(inside)
    return replace(question, evidence=question.evidence.take(rows), cases=numbers[rows])
