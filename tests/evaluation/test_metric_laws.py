"""Laws over the whole registry, so that no metric enters untested (after scikit-learn's test_common)."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from evaluation.metrics.definition import Law, MetricDefinition
from evaluation.metrics.evidence import Evidence, Scored
from evaluation.metrics.registry import METRICS
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey
from tests.evaluation.invented import INVENTED


def value(metric: MetricDefinition, evidence: Evidence, counts: Any = None) -> float:
    taken = np.ones((1, len(evidence))) if counts is None else counts[None, :].astype(float)
    (number,) = metric.value(metric.summarise(evidence, taken), **metric.parameters)
    return float(number)


def same(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or one == pytest.approx(other, rel=1e-12, abs=1e-12)


def obeying(law: Law) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("metric", [m for m in METRICS.values() if law in m.laws], ids=lambda m: m.id)


def samples(metric: MetricDefinition) -> Iterator[tuple[Any, np.random.Generator]]:
    """Invented evidence of 1 to 11 cases, and the numbers that go on from it."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        yield INVENTED[metric.needs].make(rng, int(rng.integers(1, 12))), rng


@obeying(Law.RANGE)
def test_values_lie_in_their_range_or_are_undefined(metric: MetricDefinition) -> None:
    for evidence, _rng in samples(metric):
        found = value(metric, evidence)
        assert math.isnan(found) or metric.low <= found <= metric.high


@obeying(Law.PERMUTATION)
def test_the_order_of_cases_does_not_matter(metric: MetricDefinition) -> None:
    for evidence, rng in samples(metric):
        assert same(value(metric, evidence), value(metric, evidence.take(rng.permutation(len(evidence)))))


@obeying(Law.REPETITION)
def test_a_case_drawn_twice_counts_as_two_cases(metric: MetricDefinition) -> None:
    for evidence, rng in samples(metric):
        drawn = rng.integers(0, len(evidence), len(evidence))
        counts = np.bincount(drawn, minlength=len(evidence))
        assert same(value(metric, evidence, counts), value(metric, evidence.take(drawn)))


@obeying(Law.IDENTITY)
def test_a_candidate_equal_to_the_reference_is_the_best(metric: MetricDefinition) -> None:
    for evidence, _rng in samples(metric):
        found = value(metric, INVENTED[metric.needs].agreeing(evidence))
        assert math.isnan(found) or found == pytest.approx(metric.best)


@obeying(Law.SYMMETRY)
def test_reference_and_candidate_can_be_exchanged(metric: MetricDefinition) -> None:
    exchanged = INVENTED[metric.needs].exchanged
    assert exchanged is not None
    for evidence, _rng in samples(metric):
        assert same(value(metric, evidence), value(metric, exchanged(evidence)))


@obeying(Law.RANKS_ONLY)
def test_only_the_order_of_scores_matters(metric: MetricDefinition) -> None:
    for evidence, _rng in samples(metric):
        other = Scored(evidence.positive, np.exp(3 * evidence.score) - 7)
        assert same(value(metric, evidence), value(metric, other))


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda m: m.id)
def test_every_metric_has_the_laws_of_all_and_says_its_empty_rule(metric: MetricDefinition) -> None:
    assert {Law.RANGE, Law.PERMUTATION, Law.REPETITION} <= metric.laws
    assert metric.empty


@pytest.mark.parametrize("protocol", list(PUBLISHED))
@pytest.mark.parametrize("edition", list(EditionKey))
def test_every_metric_of_a_recipe_is_known_with_its_parameters(protocol: str, edition: EditionKey) -> None:
    for track in PUBLISHED[protocol].scoring.tracks:
        for metric in track.metrics:
            known = METRICS[metric.rule(edition)]
            given = {parameter.key for parameter in metric.parameters}
            assert known.direction is metric.direction
            assert given - {"above"} == set(known.parameters)  # `above` makes yes and no of scores, for any metric
