"""How a grader's labels are judged: by hand-worked examples and by SciPy's own intervals."""

import math

import pytest
from scipy import stats

from consensus.programme.judging import Judged, tally
from consensus.programme.rates import Rate, upper_bound
from protocols import PUBLISHED
from protocols.names import Performance, UngradableRule

TARGET = PUBLISHED["airogs"].target("referable_glaucoma")
AGAINST, LEFT_OUT = UngradableRule.AGAINST_FINAL_LABEL, UngradableRule.LEFT_OUT
SENSITIVITY, SPECIFICITY, ACCURACY = Performance.SENSITIVITY, Performance.SPECIFICITY, Performance.ACCURACY


def said(*pairs: str) -> list[Judged]:
    """ "RG>U" is an image that is RG and was called U."""
    return [Judged(*pair.split(">")) for pair in pairs]


def test_ungradable_counts_against_what_the_final_label_is() -> None:
    counts = tally(said("RG>RG", "RG>NRG", "RG>U", "NRG>NRG", "NRG>RG", "NRG>U", "NRG>NRG"), TARGET, AGAINST)
    assert counts.rate(SENSITIVITY) == Rate(1, 3)
    assert counts.rate(SPECIFICITY) == Rate(2, 4)
    assert counts.rate(ACCURACY) == Rate(3, 7)


def test_ungradable_may_be_left_out() -> None:
    counts = tally(said("RG>RG", "RG>U", "NRG>U", "NRG>NRG"), TARGET, LEFT_OUT)
    assert counts.rate(SENSITIVITY) == Rate(1, 1)
    assert counts.rate(SPECIFICITY) == Rate(1, 1)
    assert counts.rate(ACCURACY) == Rate(2, 2)


def test_an_image_that_is_ungradable_counts_for_accuracy_alone() -> None:
    for rule in UngradableRule:
        counts = tally(said("U>U", "U>RG"), TARGET, rule)
        assert (counts.positives, counts.negatives) == (0, 0)
        assert counts.rate(ACCURACY) == Rate(1, 2)


def test_nothing_judged_is_no_rate() -> None:
    counts = tally([], TARGET, AGAINST)
    assert math.isnan(counts.rate(SENSITIVITY).value)
    assert math.isnan(counts.rate(SENSITIVITY).interval.low)
    assert upper_bound(Rate(), 0.95) == 1


@pytest.mark.parametrize(("right", "of"), [(0, 30), (1, 30), (17, 30), (24, 30), (29, 30), (30, 30), (93, 100), (3, 4)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_upper_bound_is_scipys_wilson_bound(right: int, of: int, confidence: float) -> None:
    # A two-sided interval of 2c − 1 leaves 1 − c above its upper end.
    witness = stats.binomtest(right, of).proportion_ci(2 * confidence - 1, method="wilson").high
    assert upper_bound(Rate(right, of), confidence) == pytest.approx(witness, abs=1e-12)


@pytest.mark.parametrize(("right", "of"), [(0, 10), (8, 10), (10, 10), (94, 101)])
def test_the_interval_is_scipys_wilson_interval(right: int, of: int) -> None:
    witness = stats.binomtest(right, of).proportion_ci(method="wilson")
    assert (Rate(right, of).interval.low, Rate(right, of).interval.high) == pytest.approx(witness, abs=1e-12)


@pytest.mark.parametrize("confidence", [0.4, 1.0, math.nan])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        upper_bound(Rate(1, 2), confidence)
