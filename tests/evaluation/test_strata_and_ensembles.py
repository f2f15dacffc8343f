"""Groups of cases, and entries joined to one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.geometry.runs import decode, encode
from evaluation.metrics.evidence import Points
from evaluation.metrics.registry import METRICS
from evaluation.scoring.ensembles import ENSEMBLES, best_first, majority_masks, mean_points
from evaluation.scoring.joined import join
from evaluation.scoring.resampling import Question
from evaluation.scoring.strata import (
    cases_by_stratum,
    common_cases,
    each_against_negatives,
    scores_by_stratum,
    strata_differ,
)
from protocols.scoring_names import EnsembleRule, MetricRule
from tests.geometry.pictures import drawing, mask


def test_each_stratum_has_its_own_means_and_ranks() -> None:
    values = np.array([[0.9, 0.9, 0.1, 0.3], [0.8, 0.8, 0.5, 0.5]])

    found = scores_by_stratum(values, cases_by_stratum(["benign", "benign", "malignant", "malignant"]), higher=True)

    assert {name: (one.cases, one.means.tolist(), one.ranks.tolist()) for name, one in found.items()} == {
        "benign": (2, [0.9, 0.8], [1, 2]),
        "malignant": (2, [0.2, 0.5], [2, 1]),
    }


def test_stages_stand_against_everybody_without_the_disease() -> None:
    stages = ["", "early", "late", "", "early"]

    found = each_against_negatives(stages, np.array([True, False, False, True, False]))

    assert {name: cases.tolist() for name, cases in found.items()} == {"early": [0, 1, 3, 4], "late": [0, 2, 3]}


def test_strata_are_compared_entry_by_entry() -> None:
    values = np.array([[4.0, 5.0, 6.0, 1.0, 2.0, 3.0], [1.0, 4.0, 5.0, 2.0, 3.0, 6.0]])

    first, second = strata_differ(values, np.arange(3), np.arange(3, 6))

    assert (first.u, first.p) == pytest.approx((9, 2 / 20))  # the one way of C(6, 3), on either side
    assert second.effect == pytest.approx(4 / 9 - 5 / 9)


def test_cases_without_a_value_of_somebody_are_not_common() -> None:
    assert common_cases(np.array([[1.0, np.nan, 3.0], [1.0, 2.0, 3.0]])).tolist() == [0, 2]


def test_the_best_come_first_and_equal_ones_keep_their_order() -> None:
    assert best_first(np.array([0.5, 0.9, np.nan, 0.9]), higher=True).tolist() == [1, 3, 0, 2]
    assert best_first(np.array([0.5, 0.9, 0.5]), higher=False).tolist() == [0, 2, 1]


def test_masks_of_the_best_m_vote_for_every_m() -> None:
    given_masks = [mask("##..", "#..."), mask(".##.", "#..."), mask(".#..", "...#")]

    found = majority_masks([encode(one) for one in given_masks], 4, 2)

    assert [drawing(decode(one, 4, 2)) for one in found] == [["##..", "#..."], [".#..", "#..."], [".#..", "#..."]]


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=7))
def test_a_vote_of_runs_is_a_vote_of_pixels(rows: list[list[bool]]) -> None:
    masks = np.array(rows).reshape(-1, 3, 4)

    found = [decode(one, 4, 3) for one in majority_masks([encode(one) for one in masks], 4, 3)]

    for many, one in enumerate(found, start=1):
        assert (one == (2 * masks[:many].sum(axis=0) > many)).all()


def test_likelihoods_of_the_best_m_are_averaged() -> None:
    scores = np.array([[0.2, 0.8], [0.6, 0.4], [1.0, 0.0]])

    assert ENSEMBLES[EnsembleRule.MEAN_LIKELIHOOD](scores) == pytest.approx(
        np.array([[0.2, 0.8], [0.4, 0.6], [0.6, 0.4]])
    )


def test_normalised_likelihoods_have_equal_weight_whatever_their_scale() -> None:
    scores = np.array([[10.0, 20.0, 15.0], [-1.0, 0.0, 1.0], [7.0, 7.0, 7.0]])

    found = ENSEMBLES[EnsembleRule.MEAN_NORMALISED_LIKELIHOOD](scores)

    assert found == pytest.approx(np.array([[0, 1, 0.5], [0, 0.75, 0.75], [1 / 6, 2 / 3, 2 / 3]]))


def test_points_are_averaged_among_those_who_saw_one() -> None:
    unseen = [np.nan, np.nan]
    points = np.array([[[0.0, 0.0], unseen], [[2.0, 4.0], [5.0, 5.0]], [unseen, [7.0, 9.0]]])

    found = mean_points(points)

    assert found[:, 0].tolist() == [[0, 0], [1, 2], [1, 2]]
    assert np.isnan(found[:2, 1]).all()  # nobody of one, one of two
    assert found[2, 1].tolist() == [6, 7]  # two of three


def test_points_of_the_best_m_are_scored_together() -> None:
    # Three entries 3, −5 and 8 pixels off: alone 3, the best two −1, all three 2
    truth = np.zeros((4, 2))
    asked = [
        Question(METRICS[MetricRule.DISTANCE], Points(truth, truth + np.array([off, 0.0]))) for off in (8.0, 3.0, -5.0)
    ]

    found = join(asked, np.array([8.0, 3.0, 5.0]), (EnsembleRule.MEAN_POINT,), higher=False)

    assert found is not None
    assert (found.order, found.values.tolist()) == ((1, 2, 0), [3, 1, 2])


def test_nothing_is_joined_that_the_protocol_does_not_join_or_that_is_alone() -> None:
    asked = [Question(METRICS[MetricRule.DISTANCE], Points(np.zeros((4, 2)), np.ones((4, 2))))] * 2

    assert join(asked, np.ones(2), (EnsembleRule.MEAN_LIKELIHOOD,), higher=False) is None
    assert join([asked[0], None], np.array([1.0, np.nan]), (EnsembleRule.MEAN_POINT,), higher=False) is None
