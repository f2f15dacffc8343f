"""Groups of cases, and entries joined to one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.geometry.runs import decode, encode
from evaluation.metrics.evidence import Overlaps, Points, Scored
from evaluation.metrics.registry import METRICS
from evaluation.scoring.differences import Groups, RankSum
from evaluation.scoring.ensembles import ENSEMBLES, best_first, majority_masks, mean_points
from evaluation.scoring.joined import join
from evaluation.scoring.resampling import Question
from evaluation.scoring.strata import common_cases, strata_differ, values_by_stratum
from protocols.scoring_names import EnsembleRule, MetricRule
from tests.geometry.pictures import drawing, mask


def dice(shares: list[float]) -> Question:
    """Dice of discs of 100 pixels of which these shares are found."""
    hundred = np.full(len(shares), 100.0)
    return Question(METRICS[MetricRule.DICE], Overlaps(hundred, hundred, 100 * np.array(shares)))


def test_each_stratum_has_its_own_values() -> None:
    field = [{"dice": dice([0.9, 0.9, 0.1, 0.3])}, {"dice": dice([0.8, 0.8, 0.5, 0.5])}]

    found = values_by_stratum(field, ["dice"], ["benign", "benign", "malignant", "malignant"])

    assert {name: (one.cases, one.values["dice"].tolist()) for name, one in found.items()} == {
        "benign": (2, pytest.approx([0.9, 0.8])),
        "malignant": (2, pytest.approx([0.2, 0.5])),
    }


def test_a_stage_of_a_disease_stands_against_everybody_without_it() -> None:
    positive = np.array([False, True, True, False, True])
    scores = np.array([0.3, 0.2, 0.9, 0.1, 0.4])
    field = [{"auc": Question(METRICS[MetricRule.AUC], Scored(positive, scores))}]

    found = values_by_stratum(field, ["auc"], ["none", "early", "late", "none", "early"])

    # early 0.2 and 0.4 against 0.3 and 0.1: three of four pairs
    assert [found[stage].values["auc"].tolist() for stage in ("early", "late")] == [[0.75], [1]]
    assert np.isnan(found["none"].values["auc"]).all()


def test_questions_of_some_cases_only_keep_to_them() -> None:
    one = Question(METRICS[MetricRule.DICE], dice([0.2, 0.4]).evidence, np.array([3, 1]))

    found = values_by_stratum([{"dice": one}], ["dice"], ["a", "a", "b", "b"])

    assert [float(found[name].values["dice"][0]) for name in "ab"] == pytest.approx([0.4, 0.2])


def test_two_strata_are_compared_by_ranks() -> None:
    found = strata_differ(dice([0.4, 0.5, 0.6, 0.1, 0.2, 0.3]), ["a", "a", "a", "b", "b", "b"])

    assert isinstance(found, RankSum)
    assert (found.u, found.p) == pytest.approx((9, 2 / 20))  # the one way of C(6, 3), on either side


def test_three_strata_are_compared_by_kruskal_and_wallis_and_one_by_nothing() -> None:
    found = strata_differ(dice([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), ["a", "a", "b", "b", "c", "c"])

    assert isinstance(found, Groups)
    assert found.h == pytest.approx(32 / 7)
    assert strata_differ(dice([0.1, 0.2]), ["a", "a"]) is None


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
