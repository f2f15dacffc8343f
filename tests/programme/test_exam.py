"""Marking an exam, on answers small enough to be marked by hand."""

import math

import numpy as np
import pytest

from annotator.geometry.runs import encode
from consensus.fusion.replies import Reply
from consensus.programme.exam import Sheet, marked, passed
from protocols import PUBLISHED
from protocols.names import Bound, Performance, UngradableRule
from protocols.reading import Limit
from protocols.targets import Target

AGAINST = UngradableRule.AGAINST_FINAL_LABEL
LABEL = PUBLISHED["airogs"].target("referable_glaucoma")
DISC, FOVEA = PUBLISHED["refuge"].target("disc"), PUBLISHED["refuge"].target("fovea")
DICE = Limit("disc", Performance.MEAN_DICE, 0.8)
DISTANCE = Limit("fovea", Performance.MEAN_DISTANCE_PX, 3.0, Bound.AT_MOST)


def area(columns: int) -> Reply:
    """The first so many columns of a picture of 4 × 3."""
    mask = np.zeros((3, 4), bool)
    mask[:, :columns] = True
    return Reply(masks=(encode(mask),))


def sheet(target: Target, *pairs: tuple[Reply, Reply]) -> dict[str, Sheet]:
    filled = Sheet(target)
    for truth, said in pairs:
        filled.add(truth, said, 4, 3)
    return {target.key: filled}


def test_airogs_graders_need_both_limits() -> None:
    exam = PUBLISHED["airogs"].exam
    assert exam is not None
    good = [(Reply(label="RG"), Reply(label="RG"))] * 40 + [(Reply(label="NRG"), Reply(label="NRG"))] * 60
    one_in_ten = [(Reply(label="NRG"), Reply(label="RG"))] * 10
    marks = marked(exam.grader_limits, sheet(LABEL, *good, *one_in_ten), AGAINST)
    assert [one.value for one in marks] == [100 / 110, 60 / 70]  # accuracy 0.909 is enough, specificity 0.857 is not
    assert [one.met for one in marks] == [True, False]
    assert not passed(marks)
    assert passed(marked(exam.grader_limits, sheet(LABEL, *good), AGAINST))


def test_a_limit_that_is_reached_exactly_is_met() -> None:
    pairs = [(Reply(label="NRG"), Reply(label="NRG"))] * 92 + [(Reply(label="NRG"), Reply(label="RG"))] * 8
    [mark] = marked([Limit(LABEL.key, Performance.SPECIFICITY, 0.92)], sheet(LABEL, *pairs), AGAINST)
    assert mark.value == 0.92
    assert mark.met


def test_areas_are_marked_by_mean_dice() -> None:
    # |R| = 6, |C| = 9, shared 6: 12/15; |R| = |C| = 6: 1.
    [mark] = marked([DICE], sheet(DISC, (area(2), area(3)), (area(2), area(2))), AGAINST)
    assert mark.value == pytest.approx((0.8 + 1) / 2)
    assert mark.interval.low <= mark.value <= mark.interval.high
    assert mark.images == 2


def test_nothing_where_there_is_something_is_dice_0_and_nothing_where_nothing_is_is_1() -> None:
    absent = Reply(answer="not-visible")
    pairs = ((area(2), absent), (absent, area(2)), (absent, absent))
    assert marked([DICE], sheet(DISC, *pairs), AGAINST)[0].value == pytest.approx(1 / 3)


def test_points_are_marked_by_mean_distance_and_a_missing_one_costs_the_diagonal() -> None:
    here, there = Reply(point=(0.5, 0.5)), Reply(point=(3.5, 4.5))
    assert marked([DISTANCE], sheet(FOVEA, (here, there)), AGAINST)[0].value == 5
    assert marked([DISTANCE], sheet(FOVEA, (here, Reply(answer="not-visible"))), AGAINST)[0].value == 5  # √(4² + 3²)
    assert marked([DISTANCE], sheet(FOVEA, (here, here)), AGAINST)[0].met


def test_what_the_exam_did_not_ask_is_not_met_and_without_limits_nobody_passes() -> None:
    [mark] = marked([DICE], {}, AGAINST)
    assert math.isnan(mark.value)
    assert not mark.met
    assert not passed([])


@pytest.mark.parametrize(("truth", "said", "right"), [("RG", "RG", True), ("RG", "U", False)])
def test_a_wrong_label_is_an_error(truth: str, said: str, right: bool) -> None:
    assert Sheet(LABEL).add(Reply(label=truth), Reply(label=said), 4, 3) is right


def test_a_poor_area_is_no_error_but_a_missing_one_is() -> None:
    assert Sheet(DISC).add(area(1), area(4), 4, 3)
    assert not Sheet(DISC).add(area(1), Reply(answer="not-visible"), 4, 3)
