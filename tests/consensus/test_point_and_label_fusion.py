import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from consensus.fusion.dawid_skene import dawid_skene
from consensus.fusion.labels import LabelState, LabelVote, majority_label, two_plus_adjudicator
from consensus.fusion.points import geometric_median, is_visible, mean_point, median_point, outliers
from tests.consensus.anesthesia import RATINGS

FAR_OFF = [(0, 0), (1, 0), (0, 1), (1, 1), (100, 100)]


def test_mean_and_coordinate_median_of_points() -> None:
    assert mean_point(FAR_OFF).tolist() == pytest.approx([20.4, 20.4])
    assert median_point(FAR_OFF).tolist() == [1, 1]


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.floats(0, 4000)] * 2), min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_the_mean_of_points_is_the_same_in_whatever_order_graders_come(
    points: list[tuple[float, float]], lot: Random
) -> None:
    mixed = lot.sample(points, len(points))

    assert mean_point(mixed).tolist() == mean_point(points).tolist()
    exactly = [float(sum(map(Fraction, column)) / len(points)) for column in zip(*points, strict=True)]
    assert mean_point(points).tolist() == pytest.approx(exactly, rel=1e-15)


def test_the_geometric_median_hardly_follows_one_far_point() -> None:
    # In closed form: ½ + 1/(2√3) on both axes.
    assert geometric_median(FAR_OFF).tolist() == pytest.approx([0.5 + 1 / (2 * math.sqrt(3))] * 2, abs=1e-9)


def test_a_data_point_can_be_the_geometric_median() -> None:
    # The three others see the middle one at 120° from each other: Fermat's point.
    around = [(math.cos(angle), math.sin(angle)) for angle in (0, 2 * math.pi / 3, 4 * math.pi / 3)]

    assert geometric_median([(0, 0), *around]).tolist() == [0, 0]


def test_two_points_meet_in_their_middle() -> None:
    assert geometric_median([(0, 0), (4, 2)]).tolist() == pytest.approx([2, 1])


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=8))
def test_no_place_is_nearer_to_all_points_than_the_geometric_median(points: list[tuple[int, int]]) -> None:
    rows = np.array(points, dtype=float)

    def total(at: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        return float(np.linalg.norm(rows - at, axis=1).sum())

    found = geometric_median(rows)

    best = min(minimize(total, start, method="Nelder-Mead").fun for start in (rows.mean(axis=0), rows[0]))
    assert total(found) <= best + 1e-9


def test_a_point_far_from_the_others_is_an_outlier() -> None:
    close = [(1000, 1000), (1001, 1000), (1000, 1001), (1001, 1001), (999, 1000), (1000, 999)]

    assert outliers([*close, (1120, 1080)]).tolist() == [False] * 6 + [True]


def test_a_structure_is_visible_when_more_graders_saw_it_than_did_not() -> None:
    assert (is_visible(4, 3), is_visible(2, 2), is_visible(0, 1)) == (True, False, False)


def test_points_that_are_no_points_are_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        mean_point([(0, math.nan)])
    with pytest.raises(ValueError, match="shape"):
        mean_point([])


@pytest.mark.parametrize(
    ("labels", "vote"),
    [
        (["RG", "RG", "RG"], LabelVote("RG", LabelState.AGREED)),
        (["RG", "NRG", "RG"], LabelVote("RG", LabelState.MAJORITY)),
        (["RG", "NRG"], LabelVote(None, LabelState.TIE)),
        (["RG", "NRG", "U"], LabelVote(None, LabelState.TIE)),
        (["RG", "RG", "NRG", "U"], LabelVote(None, LabelState.TIE)),
    ],
)
def test_a_label_needs_more_than_half(labels: list[str], vote: LabelVote) -> None:
    assert majority_label(labels) == vote


@pytest.mark.parametrize(
    ("labels", "adjudicator", "vote"),
    [
        (["RG", "RG"], None, LabelVote("RG", LabelState.AGREED)),
        (["RG", "RG"], "U", LabelVote("RG", LabelState.AGREED)),
        (["RG", "NRG"], None, LabelVote(None, LabelState.NEEDS_ADJUDICATION)),
        (["RG", "NRG"], "U", LabelVote("U", LabelState.ADJUDICATED)),
        (["RG"], None, LabelVote(None, LabelState.NEEDS_ADJUDICATION)),
    ],
)
def test_the_adjudicator_decides_only_what_two_graders_did_not(
    labels: list[str], adjudicator: str | None, vote: LabelVote
) -> None:
    assert two_plus_adjudicator(labels, adjudicator) == vote


def test_dawid_and_skenes_own_example_is_reproduced() -> None:
    found = dawid_skene(RATINGS, cases=45, graders=5, labels=4)

    assert found.prevalence.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]  # their table 3
    assert found.confusion[0].round(2).tolist() == [
        [0.89, 0.11, 0.00, 0.00],
        [0.07, 0.88, 0.05, 0.00],
        [0.00, 0.34, 0.66, 0.00],
        [0.00, 0.00, 0.56, 0.44],
    ]
    assert found.labels[[0, 1, 10]].tolist() == [0, 3, 3]


def test_two_graders_are_too_few_for_dawid_and_skene() -> None:
    with pytest.raises(ValueError, match="at least 3"):
        dawid_skene([(0, 0, 0), (0, 1, 1)], cases=1, graders=2, labels=2)
