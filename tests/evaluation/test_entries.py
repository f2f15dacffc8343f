"""Several entries in the same resamples, for metrics of the registry."""

import numpy as np
import pytest

from evaluation.metrics.evidence import Overlaps, Scored
from evaluation.metrics.registry import METRICS
from evaluation.scoring.drawing import draw_counts, plan_draws
from evaluation.scoring.entries import resample_entries, values_by_case, values_of_entries
from evaluation.scoring.paired import paired_difference
from evaluation.scoring.resampling import Question, answer
from protocols.scoring_names import MetricRule

KEYS = ("auc", "dice_disc")
CASES = 40
POSITIVE = np.arange(CASES) % 4 == 0
SUBJECTS = [f"subject {case // 2}" for case in range(CASES)]


def entry(skill: float, seed: int) -> dict[str, Question]:
    """AUC and Dice of an invented entry."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=CASES) + skill * POSITIVE
    shared = np.clip(rng.normal(80 + 4 * skill, 5, CASES), 0, 100)
    overlaps = Overlaps(np.full(CASES, 100.0), np.full(CASES, 100.0), shared)
    return {
        "auc": Question(METRICS[MetricRule.AUC], Scored(POSITIVE, scores)),
        "dice_disc": Question(METRICS[MetricRule.DICE], overlaps),
    }


def test_every_entry_is_scored_on_the_same_draws_of_subjects() -> None:
    entries = [entry(2.0, 1), entry(0.5, 2)]
    design = plan_draws(CASES, subjects=SUBJECTS, strata=POSITIVE.tolist())

    found = resample_entries(entries, KEYS, design, resamples=20, seed=3)

    counts = np.concatenate(list(draw_counts(design, 20, 3)))
    for resample, times in enumerate(counts):
        drawn = np.repeat(np.arange(CASES), times.astype(int))
        for place, questions in enumerate(entries):
            for key, question in questions.items():
                alone = answer(Question(question.metric, question.evidence.take(drawn)))
                assert found[key][resample, place] == pytest.approx(alone, abs=1e-12)


def test_an_entry_does_not_differ_from_itself_in_any_resample() -> None:
    entries = [entry(1.0, 1), entry(1.0, 1)]
    whole = values_of_entries(entries, KEYS)

    drawn = resample_entries(entries, KEYS, plan_draws(CASES), resamples=50, seed=0)

    for key in whole:
        found = paired_difference(*whole[key], *drawn[key].T)
        assert (found.difference, found.interval.low, found.interval.high, found.p) == (0, 0, 0, 1)


def test_an_entry_that_was_not_asked_has_no_value() -> None:
    entries = [entry(1.0, 1), {"auc": entry(2.0, 2)["auc"]}]

    found = resample_entries(entries, KEYS, plan_draws(CASES), resamples=5, seed=0)

    assert np.isnan(values_of_entries(entries, KEYS)["dice_disc"]).tolist() == [False, True]
    assert np.isnan(found["dice_disc"]).all(axis=0).tolist() == [False, True]
    assert np.isfinite(found["auc"]).all()


def test_a_metric_that_is_a_mean_has_a_value_of_each_case() -> None:
    questions = entry(1.0, 1)

    by_case = values_by_case(questions["dice_disc"])

    assert by_case is not None
    assert by_case.tolist() == pytest.approx((questions["dice_disc"].evidence.shared_px / 100).tolist())  # type: ignore[attr-defined]
    assert by_case.mean() == pytest.approx(answer(questions["dice_disc"]))
    assert values_by_case(questions["auc"]) is None
