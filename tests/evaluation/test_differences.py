"""Tests of differences: textbook values, and SciPy where it is asked another way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.scoring.differences import groups_differ, holm, rank_sum, signed_rank
from evaluation.scoring.paired import paired_difference, share_not_above
from evaluation.scoring.ranks import midranks

# Cross- and self-fertilised maize, eighths of an inch (Darwin 1876; Fisher, The Design of Experiments, section 17)
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_darwins_maize_gives_the_exact_p_of_wilcoxons_test() -> None:
    found = signed_rank(DARWIN)

    assert (found.statistic, found.pairs) == (24, 15)
    assert found.p == pytest.approx(0.041260, abs=5e-7)
    assert found.effect == (96 - 24) / 120


def test_the_one_sided_p_of_few_pairs_counts_the_signs() -> None:
    # Of the 2⁴ ways to give signs to four ranks only one has all of them above zero.
    assert signed_rank([1, 2, 3, 4], "greater").p == 1 / 16
    assert signed_rank([1, 2, 3, 4], "less").p == 1


def test_pairs_that_do_not_differ_are_left_out() -> None:
    assert signed_rank([0, 0, *DARWIN]).p == pytest.approx(stats.wilcoxon(DARWIN).pvalue)
    assert signed_rank([0, 0]) == signed_rank([])
    assert (signed_rank([0, 0]).p, signed_rank([0, 0]).effect) == (1, 0)


def test_age_at_diagnosis_of_men_and_women_gives_the_exact_p_of_mann_and_whitney() -> None:
    # By hand, of 5 × 4 pairs the men are older in 17; 0.1111 = 14 / 126 ways to choose the men (SciPy's manual)
    found = rank_sum([19, 22, 16, 29, 24], [20, 11, 17, 12])

    assert (found.u, found.rank_sum) == (17, 17 + 15)
    assert found.p == pytest.approx(14 / 126)
    assert found.effect == pytest.approx(17 / 20 - 3 / 20)


def test_groups_that_share_no_value_have_the_largest_effect() -> None:
    assert rank_sum([4, 5, 6], [1, 2, 3]).effect == 1
    assert rank_sum([1, 1], [1, 1, 1]).effect == 0


def test_kruskal_and_wallis_by_hand() -> None:
    # Ranks 1, 2 | 3, 4 | 5, 6: H = 12 / (6·7) · (3² + 7² + 11²) / 2 − 3·7 = 4.5714
    found = groups_differ([[1, 2], [3, 4], [5, 6]])

    assert (found.h, found.freedom, found.effect) == pytest.approx((32 / 7, 2, 32 / 35))
    assert found.p == pytest.approx(np.exp(-16 / 7))  # chi-square with two degrees of freedom
    assert groups_differ([[1, 1], [1]]).h is None


def test_holms_correction_of_four_p_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holms_correction_stops_at_one_and_passes_over_what_is_unknown() -> None:
    assert holm([0.6, np.nan, 0.5]).tolist() == pytest.approx([1, np.nan, 1], nan_ok=True)
    assert holm([[0.01, 0.5], [np.nan, 0.02]])[0, 0] == pytest.approx(0.03)
    assert holm([]).tolist() == []


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_midranks_are_those_of_scipy(values: list[int]) -> None:
    assert midranks(np.array(values)).tolist() == stats.rankdata(values).tolist()


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=30))
def test_the_statistic_and_the_p_are_those_of_scipy(differences: list[int]) -> None:
    apart = [one for one in differences if one] or [1]

    found = signed_rank(apart)

    ties = len({abs(one) for one in apart}) < len(apart)
    theirs = stats.wilcoxon(apart, method="asymptotic" if ties else "exact")
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.lists(st.integers(0, 5), min_size=1, max_size=9))
def test_exchanging_the_groups_turns_the_effect(first: list[int], second: list[int]) -> None:
    one, other = rank_sum(first, second), rank_sum(second, first)

    assert one.u == sum((a > b) + (a == b) / 2 for a in first for b in second)
    assert one.effect == pytest.approx(-other.effect)
    assert one.p == pytest.approx(other.p)


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="differences"):
        signed_rank([1, np.nan])
    with pytest.raises(ValueError, match="first"):
        rank_sum([], [1])
    with pytest.raises(ValueError, match="second"):
        rank_sum([1], [np.inf])


def test_a_paired_difference_is_told_from_the_same_resamples() -> None:
    first, second = np.arange(100) / 100 + 1, np.arange(100) / 100

    found = paired_difference(1.6, 0.5, first, second)

    # The resamples differ by exactly 1 each time; none of 100 is at 0 or below.
    assert (found.difference, found.interval.low, found.interval.high) == pytest.approx((1.1, 1, 1))
    assert (found.p, found.undefined) == (2 / 101, 0)


def test_undefined_resamples_are_left_out_and_counted() -> None:
    found = paired_difference(1, 1, np.array([np.nan, 1, 2, 3]), np.array([1.0, 2, 2, 2]))

    assert (found.p, found.undefined) == (1, 1)  # −1, 0 and 1: two of three on either side
    assert share_not_above(np.array([np.nan, -1, 0, 1])) == 3 / 4
    assert np.isnan(paired_difference(1, 1, np.array([np.nan]), np.array([1.0])).p)
    with pytest.raises(ValueError, match="not paired"):
        paired_difference(1, 1, np.ones(3), np.ones(4))
