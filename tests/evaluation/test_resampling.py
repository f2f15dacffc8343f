"""Curves and intervals, beside the slow way: every threshold looked at, every resample copied."""

import numpy as np
import pytest
from numpy.typing import NDArray

from consensus.agreement.intervals import bootstrap
from evaluation.metrics.evidence import Scored
from evaluation.metrics.registry import METRICS
from evaluation.scoring.resampling import Question, answer, intervals
from protocols.scoring_names import MetricRule

CURVES: dict[MetricRule, dict[str, float]] = {
    MetricRule.AUC: {},
    MetricRule.PARTIAL_AUC: {"max_fpr": 0.1},
    MetricRule.SENSITIVITY_AT_STEP: {"specificity": 0.85},
    MetricRule.SENSITIVITY_AT_POLYLINE: {"specificity": 0.85},
}


def slowly(rule: MetricRule, cases: Scored) -> float:
    """By the points of every threshold, in floating point."""
    positive, score = cases.positive, cases.score
    if positive.all() or not positive.any():
        return np.nan
    thresholds = [np.inf, *sorted(set(score.tolist()), reverse=True)]
    sensitivity = np.array([(score[positive] >= one).mean() for one in thresholds])
    mistaken = np.array([(score[~positive] >= one).mean() for one in thresholds])
    if rule is MetricRule.SENSITIVITY_AT_STEP:
        return float(sensitivity[mistaken <= 0.15 + 1e-12].max())
    if rule is MetricRule.AUC:
        return float(np.trapezoid(sensitivity, mistaken))
    at = 0.1 if rule is MetricRule.PARTIAL_AUC else 0.15
    last = np.flatnonzero(mistaken <= at + 1e-12)[-1]
    height = sensitivity[last]
    if last + 1 < len(mistaken):
        share = max(0.0, at - mistaken[last]) / (mistaken[last + 1] - mistaken[last])
        height += share * (sensitivity[last + 1] - sensitivity[last])
    if rule is MetricRule.SENSITIVITY_AT_POLYLINE:
        return float(height)
    x, y = np.append(mistaken[: last + 1], at), np.append(sensitivity[: last + 1], height)
    return float((1 + (np.trapezoid(y, x) - 0.005) / (0.1 - 0.005)) / 2)


def some(seed: int, many: int = 40) -> Scored:
    """With ties within and between the classes."""
    rng = np.random.default_rng(seed)
    positive = rng.random(many) < 0.4
    return Scored(positive, np.round(rng.normal(positive * 1.0), 1))


@pytest.mark.parametrize("rule", CURVES)
def test_a_curve_by_its_corners_is_the_curve_of_every_threshold(rule: MetricRule) -> None:
    for seed in range(40):
        cases = some(seed, 4 + seed)
        found = answer(Question(METRICS[rule], cases, parameters=CURVES[rule]))
        assert found == pytest.approx(slowly(rule, cases), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("rule", CURVES)
def test_an_interval_is_that_of_copied_cases(rule: MetricRule) -> None:
    cases = some(7)
    expected = bootstrap(lambda drawn: slowly(rule, cases.take(drawn)), len(cases), resamples=60, seed=5)

    found = intervals({"it": Question(METRICS[rule], cases, parameters=CURVES[rule])}, range(40), resamples=60, seed=5)

    assert found["it"].interval.low == pytest.approx(expected.interval.low, abs=1e-12)
    assert found["it"].interval.high == pytest.approx(expected.interval.high, abs=1e-12)


def test_cases_of_a_subject_are_drawn_together_and_undefined_resamples_counted() -> None:
    """Five subjects of four cases, of whom one alone has positives: without it there is no curve."""
    subjects = [f"subject {number // 4}" for number in range(20)]
    cases = Scored(np.arange(20) < 2, np.linspace(1, 0, 20))

    def by_hand(drawn: NDArray[np.int64]) -> float:
        rows = np.concatenate([np.arange(4 * one, 4 * one + 4) for one in drawn])
        return slowly(MetricRule.AUC, cases.take(rows))

    expected = bootstrap(by_hand, 5, resamples=50, seed=1)

    found = intervals({"it": Question(METRICS[MetricRule.AUC], cases)}, subjects, resamples=50, seed=1)

    assert 0 < found["it"].undefined == expected.undefined < 50
    assert found["it"].interval.low == pytest.approx(expected.interval.low, abs=1e-12)


def test_metrics_that_leave_cases_out_see_the_same_draw() -> None:
    cases, kept = some(3), np.arange(0, 40, 2)
    whole = Question(METRICS[MetricRule.AUC], cases)
    part = Question(METRICS[MetricRule.AUC], cases.take(kept), kept)

    found = intervals({"whole": whole, "part": part}, range(40), resamples=30, seed=2)

    def without(drawn: NDArray[np.int64]) -> float:
        return slowly(MetricRule.AUC, cases.take(drawn[np.isin(drawn, kept)]))

    expected = bootstrap(without, 40, resamples=30, seed=2)
    assert found["part"].interval.high == pytest.approx(expected.interval.high, abs=1e-12)
