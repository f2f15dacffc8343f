"""Entries ranked by a protocol's rule, with what can be said about the ranking: intervals, stability, who is better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np

from consensus.agreement.icc import Interval
from consensus.agreement.intervals import percentiles
from evaluation.metrics.evidence import Numbers, Scored
from evaluation.scoring.delong import Areas, areas_under_curves
from evaluation.scoring.entries import Field, resample_entries, values_by_case, values_of_entries
from evaluation.scoring.joined import Ensembles, join
from evaluation.scoring.paired import PairedDifference, paired_difference
from evaluation.scoring.ranking import Standing, rank_entries, usable_columns
from evaluation.scoring.ranks import NOT_RANKED, Ints, competition_ranks
from evaluation.scoring.resampling import Question
from evaluation.scoring.schemes import ThreeWays, rank_three_ways
from evaluation.scoring.significance import Significance, corrected, superior_by_area, superior_by_resampling
from evaluation.scoring.stability import Stability, rank_stability
from evaluation.scoring.strata import common_cases
from protocols import Recipe
from protocols.scoring import Ranking
from protocols.scoring_names import Direction, EditionKey, EnsembleRule, MetricRule


class PairTest(StrEnum):
    SIGNED_RANK = "wilcoxon-signed-rank"
    DELONG = "delong"
    BOOTSTRAP = "bootstrap"


@dataclass(frozen=True, eq=False)
class MetricCompared:
    """One metric: values, intervals and ranks of the entries, and by which test some are better than others.

    `differences` of each pair of entries, from the same resamples. `three_ways` only for a mean over cases; `ensembles`
    only where the recipe joins entries and their answers can be joined. Entries without a value are in no test.
    """

    values: Numbers
    intervals: tuple[Interval, ...]
    ranks: Ints
    test: PairTest
    significance: Significance
    differences: Mapping[tuple[int, int], PairedDifference]
    three_ways: ThreeWays | None
    ensembles: Ensembles | None


@dataclass(frozen=True, eq=False)
class Contest:
    """`significance` is that of the final scores in the resamples."""

    metrics: Mapping[str, MetricCompared]
    standing: Standing
    stability: Stability
    significance: Significance


def hold(recipe: Recipe, edition: EditionKey, field: Field, *, resamples: int, seed: int) -> Contest:
    """Rank the entries and compare them, all on the same resamples. ValueError if nothing that was scored is ranked."""
    higher = {
        metric.key: metric.direction is Direction.HIGHER for track in recipe.scoring.tracks for metric in track.metrics
    }
    ranking, columns = _ranking(recipe, edition, field.keys)
    values = values_of_entries(field.questions, field.keys)
    drawn = resample_entries(field.questions, field.keys, field.design(), resamples=resamples, seed=seed)
    rising = [column for column in columns if higher[column]]
    whole = rank_entries(ranking, {column: values[column] for column in columns}, rising)
    parts = rank_entries(ranking, {column: drawn[column] for column in columns}, rising)
    of_parts = parts.boards[parts.final]
    scores = np.where(of_parts.ranks == NOT_RANKED, np.nan, of_parts.units / of_parts.denominator)
    return Contest(
        {
            key: _compared(
                [asked.get(key) for asked in field.questions],
                values[key],
                drawn[key],
                higher[key],
                recipe.scoring.statistics.ensembles,
            )
            for key in field.keys
        },
        whole,
        rank_stability(whole.boards[whole.final].ranks, of_parts.ranks),
        corrected(superior_by_resampling(scores, higher=False)),
    )


def _ranking(recipe: Recipe, edition: EditionKey, metrics: Sequence[str]) -> tuple[Ranking, list[str]]:
    """The first ranking of the edition that these metrics can fill, and its columns."""
    for ranking in recipe.scoring.rankings_in(edition):
        if columns := usable_columns(ranking, metrics):
            return ranking, columns
    raise ValueError(f"nothing of {', '.join(metrics)} is ranked by this protocol")


def _compared(
    questions: Sequence[Question | None],
    values: Numbers,
    drawn: Numbers,
    higher: bool,
    rules: Sequence[EnsembleRule],
) -> MetricCompared:
    known = np.isfinite(values)
    asked = [own for own, has_value in zip(questions, known, strict=True) if own is not None and has_value]
    three_ways = _over_cases(asked, higher)
    if three_ways is not None:
        test, significance = PairTest.SIGNED_RANK, three_ways.significance
    elif asked and asked[0].metric.id == MetricRule.AUC:
        test, significance = PairTest.DELONG, corrected(superior_by_area(_areas(asked)))
    else:
        test, significance = PairTest.BOOTSTRAP, corrected(superior_by_resampling(drawn[:, known], higher=higher))
    p = np.full((len(values), len(values)), np.nan)
    p[np.ix_(known, known)] = significance.p
    ranks = competition_ranks(-values if higher else values, known)
    intervals = tuple(percentiles(own).interval for own in drawn.T)
    found = Significance(p, significance.alpha)
    ensembles = join(questions, values, rules, higher=higher)
    pairs = combinations(np.flatnonzero(known).tolist(), 2)
    differences = {(a, b): paired_difference(values[a], values[b], drawn[:, a], drawn[:, b]) for a, b in pairs}
    return MetricCompared(values, intervals, ranks, test, found, differences, three_ways, ensembles)


def _over_cases(asked: Sequence[Question], higher: bool) -> ThreeWays | None:
    """Over the cases that all entries have a value of; None for what is no mean over cases."""
    found = [own for question in asked if (own := values_by_case(question)) is not None]
    if not found or not len(cases := common_cases(np.array(found))):
        return None
    return rank_three_ways(np.array(found)[:, cases], higher=higher)


def _areas(asked: Sequence[Question]) -> Areas:
    scored = [question.evidence for question in asked if isinstance(question.evidence, Scored)]
    return areas_under_curves(scored[0].positive, np.array([own.score for own in scored]))
