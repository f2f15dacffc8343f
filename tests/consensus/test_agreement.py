"""Each statistic against a published example."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from annotator.geometry.runs import encode
from consensus.agreement import icc, kappa
from consensus.agreement.alpha import interval_alpha, krippendorff_alpha
from consensus.agreement.bland_altman import bland_altman, repeatability
from consensus.agreement.gwet import gwet_ac1, gwet_ac2
from consensus.agreement.intervals import bootstrap, wilson
from consensus.agreement.overlap import conformity, pair_overlaps, pooled, shared_pixels
from consensus.fusion.votes import Votes, count_votes

# Shrout and Fleiss, Psychol Bull 1979;86:420–428, table 2.
JUDGES = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
FOVEAS = [
    [[10, 20], [11, 21], [9, 19]],
    [[30, 22], [31, 20], [29, 23]],
    [[50, 40], [52, 41], [49, 38]],
    [[70, 10], [69, 12], [72, 9]],
]
# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", 4 observers, 12 units; 0 is missing.
OBSERVERS = ["123321412000", "123322412500", "033323422513", "123324412510"]
# Fleiss 1971, table 1: 30 patients, 6 psychiatrists each, 5 diagnoses.
DIAGNOSES = [
    *([0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0]),
    *([0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0]),
    *([0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0]),
    *([0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0]),
    *([1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6]),
]


def row_votes(*marked: set[int]) -> Votes:
    """Graders who marked pixels of a row of ten, by number."""
    rows = [np.array([[place in one for place in range(10)]]) for one in marked]
    return count_votes([encode(row) for row in rows], 10, 1)


def unit_counts() -> NDArray[np.int64]:
    counts = np.zeros((12, 5), dtype=np.int64)
    for observer in OBSERVERS:
        for unit, value in enumerate(observer):
            if value != "0":
                counts[unit, int(value) - 1] += 1
    return counts


def test_the_conformity_index_of_three_graders_by_hand() -> None:
    # Pairs share 3, 2 and 3 pixels of 5, 6 and 5.
    votes = row_votes({1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6})

    assert conformity(votes).gci == 8 / 16
    assert [pair.dice for pair in pair_overlaps(shared_pixels(votes))] == [6 / 8, 4 / 8, 6 / 8]
    assert [pair.jaccard for pair in pair_overlaps(shared_pixels(votes))] == [3 / 5, 2 / 6, 3 / 5]


def test_pooling_sums_before_it_divides() -> None:
    small, large = row_votes({1}, {1}), row_votes({1, 2, 3, 4}, {5, 6, 7, 8})

    assert pooled([conformity(small), conformity(large)]).gci == 1 / 9


def test_agreement_on_nothing_is_undefined() -> None:
    votes = row_votes(set(), set())

    assert math.isnan(conformity(votes).gci)
    assert all(math.isnan(pair.dice) and math.isnan(pair.jaccard) for pair in pair_overlaps(shared_pixels(votes)))


@given(arrays(np.bool_, st.tuples(st.integers(2, 6), st.integers(1, 8), st.integers(1, 8))))
def test_the_conformity_index_equals_its_definition_over_pairs(stack: NDArray[np.bool_]) -> None:
    votes = count_votes([encode(one) for one in stack], stack.shape[2], stack.shape[1])
    pairs = [(a, b) for place, a in enumerate(stack) for b in stack[place + 1 :]]

    found = conformity(votes)

    assert found.intersections == sum(int((a & b).sum()) for a, b in pairs)
    assert found.unions == sum(int((a | b).sum()) for a, b in pairs)


def test_the_six_forms_of_shrout_and_fleisss_example() -> None:
    squares = icc.mean_squares(JUDGES)

    found, intervals = icc.icc(squares), icc.icc_intervals(squares)

    # Values of Shrout and Fleiss (to two decimals) and of pingouin 0.7 (to six and four).
    expected = {
        "1": (0.165742, -0.1329, 0.7226),
        "A,1": (0.289764, 0.0188, 0.7611),
        "C,1": (0.714841, 0.3425, 0.9459),
        "k": (0.442797, -0.8844, 0.9124),
        "A,k": (0.620051, 0.0711, 0.9272),
        "C,k": (0.909316, 0.6757, 0.9859),
    }
    for form, (value, low, high) in expected.items():
        assert found[form] == pytest.approx(value, abs=1e-6)
        assert (intervals[form].low, intervals[form].high) == pytest.approx((low, high), abs=1e-4)


def test_the_icc_of_points_is_that_of_numbers_when_they_lie_on_a_line() -> None:
    numbers = np.array(JUDGES, dtype=float)
    on_a_line = np.stack((3 * numbers, 4 * numbers), axis=2)

    assert icc.icc(icc.mean_squares(on_a_line)) == pytest.approx(icc.icc(icc.mean_squares(numbers)))


def test_the_icc_of_points_does_not_change_when_the_picture_is_turned() -> None:
    turned = np.array(FOVEAS) @ np.array([[0.6, 0.8], [-0.8, 0.6]])

    assert icc.icc(icc.mean_squares(turned)) == pytest.approx(icc.icc(icc.mean_squares(FOVEAS)))


def test_the_icc_of_points_by_hand() -> None:
    squares = icc.mean_squares(FOVEAS)

    assert (squares.rows, squares.columns, squares.error) == pytest.approx((2475.75, 8 / 3, 4))
    assert icc.icc(squares)["A,1"] == pytest.approx((2475.75 - 4) / (2475.75 + 8 + 3 * (8 / 3 - 4) / 4))


def test_ratings_with_a_gap_are_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        icc.mean_squares(np.array([[1, 2], [math.nan, 3]]))


def test_cohens_kappa_plain_and_weighted() -> None:
    # Ratings of skin conditions, SAS/STAT User's Guide, the FREQ procedure.
    skin = [[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]]

    assert kappa.cohen_kappa([[20, 5], [10, 15]]) == pytest.approx(0.4)
    assert kappa.cohen_kappa(skin) == pytest.approx(0.3449, abs=5e-5)
    assert kappa.cohen_kappa(skin, "linear") == pytest.approx(0.5082, abs=5e-5)
    assert kappa.cohen_kappa(skin, "quadratic") == pytest.approx(0.660723, abs=1e-6)


def test_fleisss_own_example() -> None:
    assert kappa.fleiss_kappa(DIAGNOSES) == pytest.approx(0.430, abs=5e-4)
    assert kappa.percent_agreement(DIAGNOSES) == pytest.approx(0.556, abs=5e-4)


def test_krippendorffs_own_example_with_missing_values() -> None:
    assert krippendorff_alpha(unit_counts()) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(unit_counts(), "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(unit_counts(), "interval") == pytest.approx(0.849, abs=5e-4)
    numbers = np.array([[float(value) for value in observer] for observer in OBSERVERS]).T
    assert interval_alpha(np.where(numbers > 0, numbers, np.nan)) == pytest.approx(0.849, abs=5e-4)


def test_gwets_coefficient_of_the_same_data_and_where_kappa_fails() -> None:
    assert gwet_ac1(unit_counts()) == pytest.approx(0.77544, abs=1e-5)  # this and the next two: irrCAC
    assert gwet_ac2(unit_counts(), "linear") == pytest.approx(0.85874, abs=1e-5)
    assert gwet_ac2(unit_counts(), "quadratic") == pytest.approx(0.914, abs=5e-5)
    # 118 both yes, 5 and 2 split, nobody both no: two graders agree on 94 %, and kappa is below chance.
    paradox = [[2, 0]] * 118 + [[1, 1]] * 7
    assert gwet_ac1(paradox) == pytest.approx(0.9408, abs=5e-5)
    assert kappa.cohen_kappa([[118, 5], [2, 0]]) == pytest.approx(-0.0234, abs=5e-5)


def test_agreement_that_cannot_fail_is_undefined() -> None:
    everybody_said_the_same = [[3, 0], [3, 0]]

    assert math.isnan(kappa.fleiss_kappa(everybody_said_the_same))
    assert math.isnan(gwet_ac1(everybody_said_the_same))
    assert math.isnan(krippendorff_alpha(everybody_said_the_same))
    assert math.isnan(kappa.cohen_kappa([[5, 0], [0, 0]]))


@pytest.mark.parametrize(("value", "word"), [(0.49, "poor"), (0.5, "moderate"), (0.75, "good"), (0.95, "excellent")])
def test_koo_and_lis_words_for_an_icc(value: float, word: str) -> None:
    assert icc.called(value) == word


@pytest.mark.parametrize(
    ("value", "word"), [(-0.1, "poor"), (0.2, "slight"), (0.41, "moderate"), (1, "almost perfect")]
)
def test_landis_and_kochs_words_for_a_kappa(value: float, word: str) -> None:
    assert kappa.called(value) == word


# Bland and Altman 1986, table 1: peak flow of 17 people by two meters, each twice.
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
WRIGHT_AGAIN = [490, 397, 512, 401, 470, 611, 415, 431, 638, 429, 420, 633, 275, 492, 165, 372, 421]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]


def test_bland_and_altmans_own_example() -> None:
    found = bland_altman(WRIGHT, MINI)

    assert (found.bias, found.spread) == pytest.approx((-2.1, 38.8), abs=0.05)
    assert (found.bias - 2 * found.spread, found.bias + 2 * found.spread) == pytest.approx((-79.7, 75.5), abs=0.1)
    assert (found.bias_interval.low, found.bias_interval.high) == pytest.approx((-22.0, 17.8), abs=0.1)
    assert (found.low_interval.low, found.low_interval.high) == pytest.approx((-114.2, -45.1), abs=2)


def test_bland_and_altmans_repeatability() -> None:
    found = repeatability(WRIGHT, WRIGHT_AGAIN)

    assert 2 * math.sqrt(2) * found.within == pytest.approx(43.2, abs=0.15)
    assert found.coefficient == pytest.approx(42.43, abs=0.01)


def test_wilsons_interval_of_a_share() -> None:
    assert (wilson(34, 40).low, wilson(34, 40).high) == pytest.approx((0.7093, 0.9294), abs=5e-5)
    assert (wilson(0, 10).low, wilson(10, 10).high) == (0, 1)


def test_the_bootstrap_of_a_mean_is_near_its_normal_interval_and_repeats_itself() -> None:
    values = np.random.default_rng(1).normal(10, 2, 400)

    found = bootstrap(lambda drawn: float(values[drawn].mean()), 400)

    half = 1.96 * values.std() / 20
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (values.mean() - half, values.mean() + half), abs=0.03
    )
    assert bootstrap(lambda drawn: float(values[drawn].mean()), 400) == found


def test_resamples_in_which_a_statistic_is_undefined_are_counted() -> None:
    found = bootstrap(lambda drawn: math.nan if 0 in drawn else 1.0, 3, resamples=200)

    assert (found.interval.low, found.interval.high) == (1, 1)
    assert found.undefined == pytest.approx(200 * (1 - (2 / 3) ** 3), abs=30)
