"""Several entries in the same resamples, for metrics of the registry."""

import numpy as np
import pytest

from evaluation.metrics.evidence import Overlaps, Scored
from evaluation.metrics.registry import METRICS
from evaluation.scoring.drawing import draw_counts, plan_draws
from evaluation.scoring.entries import resample_entries, values_of_entries
from evaluation.scoring.paired import paired_difference
from evaluation.scoring.resampling import Question
from evaluation.scoring.stability import stability_of_ranking
from protocols import PUBLISHED
from protocols.scoring_names import MetricRule

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

    found = resample_entries(entries, design, resamples=20, seed=3)

    counts = np.concatenate(list(draw_counts(design, 20, 3)))
    for resample, times in enumerate(counts):
        drawn = np.repeat(np.arange(CASES), times.astype(int))
        for place, questions in enumerate(entries):
            for key, question in questions.items():
                alone = values_of_entries([{key: Question(question.metric, question.evidence.take(drawn))}])[key][0]
                assert found[key][resample, place] == pytest.approx(alone, abs=1e-12)


def test_an_entry_does_not_differ_from_itself_in_any_resample() -> None:
    entries = [entry(1.0, 1), entry(1.0, 1)]
    whole = values_of_entries(entries)

    drawn = resample_entries(entries, plan_draws(CASES), resamples=50, seed=0)

    for key in whole:
        found = paired_difference(*whole[key], *drawn[key].T)
        assert (found.difference, found.interval.low, found.interval.high, found.p) == (0, 0, 0, 1)


def test_a_clearly_better_entry_keeps_its_rank() -> None:
    entries = [entry(0.0, 1), entry(6.0, 2)]
    ranking = PUBLISHED["refuge"].scoring.rankings[0]
    design = plan_draws(CASES, strata=POSITIVE.tolist())
    whole = {"auc": values_of_entries(entries)["auc"]}
    drawn = {"auc": resample_entries(entries, design, resamples=200, seed=0)["auc"]}

    found = stability_of_ranking(ranking, whole, drawn, ("auc",))

    assert (found.ranks.tolist(), found.low.tolist(), found.high.tolist()) == ([2, 1], [2, 1], [2, 1])
