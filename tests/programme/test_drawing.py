"""Drawings beside the vote of the others, worked by hand on tiny pictures."""

import math
from dataclasses import replace

import pytest

from annotator.geometry.runs import encode
from consensus.fusion.replies import Reply
from consensus.programme.drawing import beside_others, first_mean_crossing, is_drawn, mean_of
from protocols import PUBLISHED
from protocols.names import Bound, Performance
from protocols.reading import Limit, Monitoring
from protocols.targets import Target
from tests.geometry.pictures import mask

DISC, FOVEA = PUBLISHED["refuge"].target("disc"), PUBLISHED["refuge"].target("fovea")
WIDTH, HEIGHT = 4, 2
MONITORING = Monitoring(min_positives=3, look_every=2)


def area(*rows: str) -> Reply:
    return Reply(masks=(encode(mask(*rows)),))


def beside(target: Target, replies: dict[str, Reply], voters: str = "") -> dict[str, tuple[float, float | None]]:
    found = beside_others(target, replies, list(voters or "".join(replies)), WIDTH, HEIGHT)
    return {grader: (one.value, one.share) for grader, one in found.items()}


def test_an_area_is_compared_with_the_majority_of_the_others() -> None:
    found = beside(
        DISC,
        {"A": area("####", "...."), "B": area("##..", "...."), "C": area("##..", "...."), "D": area("#...", "....")},
    )
    # Without A two of three mark the second pixel: the vote is ##.., of which A has both and two more.
    assert found["A"] == pytest.approx((2 * 2 / (4 + 2), (4 - 2) / 2))
    # Without D all three mark the first two pixels, and D has one of them.
    assert found["D"] == pytest.approx((2 * 1 / (1 + 2), -0.5))


def test_a_tie_of_the_others_is_background_as_the_recipe_says() -> None:
    found = beside(DISC, {"A": area("##..", "...."), "B": area("##..", "...."), "C": area("#...", "....")})
    # B and C are two: what one of them marks is a tie, so the vote is the first pixel alone.
    assert found["A"] == pytest.approx((2 * 1 / (2 + 1), 1.0))


def test_two_who_mark_nothing_agree_where_somebody_marks_something() -> None:
    nothing = area("....", "....")
    found = beside(DISC, {"A": nothing, "B": nothing, "C": nothing, "D": area("#...", "....")})

    assert found["A"] == (1.0, None)
    assert found["D"] == (0.0, None)
    assert beside(DISC, {"A": nothing, "B": nothing, "C": nothing}) == {}


def test_a_point_is_compared_with_the_mean_of_the_others() -> None:
    replies = {"A": Reply(point=(4.0, 5.0)), "B": Reply(point=(0.0, 0.0)), "C": Reply(point=(2.0, 2.0))}
    one = beside_others(FOVEA, replies, list("ABC"), WIDTH, HEIGHT)["A"]
    # The mean of B and C is (1, 1): three to the right and four down, five away.
    assert (one.value, one.dx, one.dy) == (5.0, 3.0, 4.0)


def test_who_was_left_out_is_compared_but_has_no_vote() -> None:
    replies = {"A": Reply(point=(1.0, 0.0)), "B": Reply(point=(0.0, 0.0)), "C": Reply(point=(99.0, 0.0))}
    found = beside_others(FOVEA, replies, list("AB"), WIDTH, HEIGHT)

    assert found["A"].dx == 1.0
    assert found["C"].dx == 98.5


def test_nobody_is_compared_without_others() -> None:
    assert beside(DISC, {"A": area("####", "....")}) == {}
    assert beside(FOVEA, {"A": Reply(point=(1.0, 1.0)), "B": Reply(answer="not-visible")}) == {}


def test_lines_and_labels_are_no_drawings_to_vote_on() -> None:
    assert is_drawn(DISC)
    assert not is_drawn(PUBLISHED["airogs"].target("referable_glaucoma"))
    assert not any(is_drawn(target) for target in PUBLISHED["age"].targets if target.kind == "polyline")


def test_a_mean_has_students_interval() -> None:
    # 1, 2, 3: mean 2, standard error 1/√3; t with two degrees of freedom is 4.3027 (97.5 %) and 2.9200 (95 %).
    found = mean_of([1.0, 2.0, 3.0])

    assert (found.value, found.of) == (2.0, 3)
    assert found.interval.high == pytest.approx(2 + 4.302653 / math.sqrt(3), abs=1e-5)
    assert found.bound(0.95, Bound.AT_LEAST) == pytest.approx(2 + 2.919986 / math.sqrt(3), abs=1e-5)
    assert found.bound(0.95, Bound.AT_MOST) == pytest.approx(2 - 2.919986 / math.sqrt(3), abs=1e-5)
    assert math.isnan(mean_of([]).value)


def test_a_limit_is_crossed_when_the_bound_of_the_mean_lies_beyond_it() -> None:
    dice = Limit("disc", Performance.MEAN_DICE, 0.9)
    crossing = first_mean_crossing([0.5, 0.5, 0.6, 0.5, 0.5, 0.5], dice, MONITORING)

    assert crossing is not None
    assert (crossing.look, crossing.mean.value) == pytest.approx((4, 0.525))  # at two there are too few
    assert first_mean_crossing([0.85, 0.95, 0.88, 0.93], dice, MONITORING) is None
    far = Limit("fovea", Performance.MEAN_DISTANCE_PX, 10.0, Bound.AT_MOST)
    assert first_mean_crossing([20.0, 21.0, 20.0, 22.0], far, MONITORING) is not None
    assert first_mean_crossing([5.0, 21.0, 7.0, 8.0], far, MONITORING) is None
    assert first_mean_crossing([20.0, 21.0, 20.0, 22.0], far, replace(MONITORING, min_positives=30)) is None
