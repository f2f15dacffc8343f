"""Areas under ROC curves: published values, and every pair of cases compared one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.agreement.icc import Interval
from evaluation.metrics.evidence import Flags, Numbers
from evaluation.scoring.delong import Areas, area_interval, areas_under_curves, compare_areas


def graded(negative: tuple[int, ...], positive: tuple[int, ...]) -> tuple[Flags, Numbers]:
    """Cases from how many of each class got which grade."""
    grades = np.arange(len(negative), dtype=np.float64)
    scores = np.concatenate((np.repeat(grades, negative), np.repeat(grades, positive)))
    return np.repeat([False, True], [sum(negative), sum(positive)]), scores[None]


def by_every_pair(positive: Flags, scores: Numbers) -> tuple[list[float], list[list[float]]]:
    """Areas and covariances from the definition: each positive case beside each negative one."""
    kernel = [
        [[1.0 if x > y else 0.5 if x == y else 0.0 for y in own[~positive]] for x in own[positive]] for own in scores
    ]
    m, n = int(positive.sum()), int((~positive).sum())
    v10 = [[sum(row) / n for row in one] for one in kernel]
    v01 = [[sum(row[j] for row in one) / m for j in range(n)] for one in kernel]
    areas = [sum(one) / m for one in v10]

    def covariance(a: int, b: int) -> float:
        first = sum((x - areas[a]) * (y - areas[b]) for x, y in zip(v10[a], v10[b], strict=True)) / (m - 1)
        second = sum((x - areas[a]) * (y - areas[b]) for x, y in zip(v01[a], v01[b], strict=True)) / (n - 1)
        return first / m + second / n

    return areas, [[covariance(a, b) for b in range(len(scores))] for a in range(len(scores))]


def test_a_radiologists_ratings_give_the_values_of_stata() -> None:
    # Hanley and McNeil, Radiology 1982;143:29–36, table I; Stata's manual, roctab: 0.8932, 0.0307, 0.83295–0.95339
    areas = areas_under_curves(*graded((33, 6, 6, 11, 2), (3, 2, 2, 11, 33)))

    assert areas.values[0] == pytest.approx(0.8932, abs=5e-5)
    assert math.sqrt(areas.covariance[0, 0]) == pytest.approx(0.0307, abs=5e-5)
    assert tuple(vars(area_interval(areas, 0)).values()) == pytest.approx((0.83295, 0.95339), abs=5e-6)


def test_grades_of_subarachnoid_haemorrhage_give_the_values_of_proc() -> None:
    # WFNS grade by outcome, Robin et al., BMC Bioinformatics 2011;12:77: 0.8237 (0.7485–0.8988)
    areas = areas_under_curves(*graded((37, 20, 3, 8, 4), (2, 12, 1, 8, 18)))

    interval = area_interval(areas, 0)
    assert (areas.values[0], interval.low, interval.high) == pytest.approx((0.8237, 0.7485, 0.8988), abs=5e-5)


def test_the_logit_interval_is_that_of_a_published_area_and_error() -> None:
    # S100β of the same patients: 0.7314 (0.6301–0.8326), on the logit scale 0.6192–0.8201
    error = (0.8326 - 0.6301) / 2 / 1.959964
    areas = Areas(np.array([0.7314]), np.array([[error**2]]))

    interval = area_interval(areas, 0, logit=True)

    assert (interval.low, interval.high) == pytest.approx((0.6192, 0.8201), abs=1e-4)


def test_an_interval_stays_within_zero_and_one() -> None:
    areas = Areas(np.array([0.99, 1.0]), np.diag([0.01**2, 0.0]))

    assert area_interval(areas, 0).high == 1
    assert area_interval(areas, 0, logit=True).high < 1
    assert area_interval(areas, 1) == Interval(1.0, 1.0)
    assert math.isnan(area_interval(areas, 1, logit=True).low)


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(2, 12))
def test_areas_and_covariances_are_those_of_every_pair_of_cases(seed: int, positives: int, negatives: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, (3, positives + negatives)).astype(np.float64)  # with many ties
    positive = rng.permutation(np.repeat([True, False], [positives, negatives]))

    found = areas_under_curves(positive, scores)

    areas, covariance = by_every_pair(positive, scores)
    assert found.values == pytest.approx(np.array(areas), abs=1e-12)
    assert found.covariance == pytest.approx(np.array(covariance), abs=1e-12)


def test_two_areas_of_the_same_cases_are_compared_by_their_covariance() -> None:
    rng = np.random.default_rng(3)
    positive = np.arange(60) < 25
    scores = rng.normal(size=(2, 60)) + positive * np.array([[1.5], [0.5]])

    found = compare_areas(areas_under_curves(positive, scores), 0, 1)

    areas, spread = by_every_pair(positive, scores)
    z = (areas[0] - areas[1]) / math.sqrt(spread[0][0] + spread[1][1] - 2 * spread[0][1])
    assert (found.difference, found.z) == pytest.approx((areas[0] - areas[1], z))
    assert found.p == pytest.approx(math.erfc(abs(z) / math.sqrt(2)))
    assert compare_areas(areas_under_curves(positive, scores), 1, 0).z == pytest.approx(-z)


def test_an_entry_does_not_differ_from_its_own_numbers_on_another_scale() -> None:
    rng = np.random.default_rng(3)
    positive, scores = np.arange(30) < 10, rng.normal(size=30)

    found = compare_areas(areas_under_curves(positive, np.stack([scores, np.exp(scores)])), 0, 1)

    assert (found.difference, found.z, found.p) == (0, 0, 1)


def test_with_one_positive_case_there_is_an_area_and_no_error() -> None:
    areas = areas_under_curves(np.array([True, False, False]), np.array([[2.0, 1.0, 3.0], [3.0, 1.0, 2.0]]))

    assert areas.values.tolist() == [0.5, 1]
    assert math.isnan(area_interval(areas, 0, logit=True).low)
    assert math.isnan(compare_areas(areas, 0, 1).p)


def test_what_has_no_curve_is_refused() -> None:
    with pytest.raises(ValueError, match="0 positive and 2 negative"):
        areas_under_curves(np.array([False, False]), np.ones((1, 2)))
    with pytest.raises(ValueError, match="expected entries × 2 cases"):
        areas_under_curves(np.array([True, False]), np.ones(2))
    with pytest.raises(ValueError, match="not finite"):
        areas_under_curves(np.array([True, False]), np.array([[1.0, np.nan]]))
