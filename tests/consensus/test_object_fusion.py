"""Objects: hand-drawn label maps; letters are objects."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import Toggles, decode, encode
from consensus.fusion.ellipses import ellipse_votes, fitted_ellipse
from consensus.fusion.masks import majority
from consensus.fusion.objects import FusedObjects, fuse_objects
from consensus.views.case import objects_left


def objects(*rows: str) -> list[Toggles]:
    """One object per letter, in alphabetical order."""
    picture = np.array([list(row) for row in rows])
    return [encode(picture == letter) for letter in sorted(set(picture.ravel()) - {"."})]


def drawn(fused: FusedObjects, width: int, height: int) -> list[str]:
    picture = np.full((height, width), ".")
    for letter, one in zip("abcdefgh", fused.objects, strict=False):
        picture[decode(one, width, height)] = letter
    return ["".join(row) for row in picture]


TOUCHING = ("aaaabbbb", "aaaabbbb")


def test_touching_objects_stay_two() -> None:
    readings = [objects(*TOUCHING), objects("aaa.bbbb", "aaaabbbb"), objects("aaaabbb.", "aaaabbbb")]

    fused = fuse_objects(readings, 8, 2)

    assert drawn(fused, 8, 2) == ["aaaabbbb", "aaaabbbb"]
    assert fused.matches == (((0, 0), (1, 0), (2, 0)), ((0, 1), (1, 1), (2, 1)))


def test_an_object_that_half_of_the_graders_marked_is_left_out_and_listed() -> None:
    fused = fuse_objects([objects("aa..bb"), objects("aa....")], 6, 1)

    assert drawn(fused, 6, 1) == ["aa...."]
    assert [(left.part, left.reason) for left in fused.left_out] == [((0, 1), "too few graders")]


def test_inside_a_match_the_majority_of_its_graders_decides() -> None:
    fused = fuse_objects([objects("aaaa..", "......"), objects(".aaaa.", "......"), objects("aaaaa.", "a.....")], 6, 2)

    assert drawn(fused, 6, 2) == ["aaaaa.", "......"]


def test_one_object_that_two_others_divide_is_not_matched_to_both() -> None:
    whole, halves = objects("aaaaaaaa"), objects("aaaaabbb")

    fused = fuse_objects([whole, halves, halves], 8, 1)

    assert drawn(fused, 8, 1) == ["aaaaabbb"]
    assert fused.matches == (((0, 0), (1, 0), (2, 0)), ((1, 1), (2, 1)))


def test_one_grader_is_the_reference_and_nobody_marking_anything_gives_nothing() -> None:
    assert drawn(fuse_objects([objects(*TOUCHING)], 8, 2), 8, 2) == ["aaaabbbb", "aaaabbbb"]
    assert fuse_objects([[], [], []], 8, 2).objects == ()


def test_objects_of_one_reading_that_overlap_are_refused() -> None:
    both = [*objects("aaa."), *objects(".aaa")]

    with pytest.raises(ValueError, match=r"readings\[1\] has objects that overlap"):
        fuse_objects([objects("aaa."), both], 4, 1)


@given(
    st.lists(st.lists(st.sampled_from(".abc"), min_size=24, max_size=24), min_size=1, max_size=5),
    st.permutations(range(5)),
)
def test_the_order_of_the_graders_does_not_matter_and_nothing_overlaps(
    pictures: list[list[str]], order: list[int]
) -> None:
    readings = [objects("".join(picture)) for picture in pictures]
    shuffled = [readings[place] for place in order if place < len(readings)]

    fused, again = fuse_objects(readings, 24, 1), fuse_objects(shuffled, 24, 1)

    assert [one.tolist() for one in fused.objects] == [one.tolist() for one in again.objects]
    assert all(not (decode(a, 24, 1) & decode(b, 24, 1)).any() for a, b in combinations(fused.objects, 2))
    parts = [part for match in fused.matches for part in match] + [left.part for left in fused.left_out]
    assert sorted(parts) == [(g, n) for g, reading in enumerate(readings) for n in range(len(reading))]


def test_the_ellipse_of_a_vote_is_that_of_equal_readings() -> None:
    disc = Ellipse(150.3, 120.8, 60, 45, 30)

    fitted = fitted_ellipse(majority(ellipse_votes([disc] * 3, 300, 250)), 300, 250)

    found = (fitted.cx, fitted.cy, fitted.a, fitted.b, fitted.theta_deg)
    assert found == pytest.approx((150.3, 120.8, 60, 45, 30), abs=0.2)


def test_angles_near_the_turn_are_not_averaged() -> None:
    discs = [Ellipse(100, 100, 60, 40, theta) for theta in (173, 176, 0, 3, 6)]

    fitted = fitted_ellipse(majority(ellipse_votes(discs, 200, 200)), 200, 200)

    assert min(fitted.theta_deg, 180 - fitted.theta_deg) < 2


def test_the_moments_over_runs_equal_those_over_pixels() -> None:
    mask = rasterise_ellipse(Ellipse(31.7, 28.2, 20, 9, 117), 64, 60)
    y, x = np.nonzero(mask)
    covariance = np.cov(x, y, bias=True) + np.eye(2) / 12
    values = np.linalg.eigvalsh(covariance)

    fitted = fitted_ellipse(encode(mask), 64, 60)

    assert (fitted.cx, fitted.cy) == pytest.approx((x.mean() + 0.5, y.mean() + 0.5))
    assert (fitted.b, fitted.a) == pytest.approx(tuple(2 * np.sqrt(values)))


def test_an_empty_mask_has_no_ellipse() -> None:
    with pytest.raises(ValueError, match="empty"):
        fitted_ellipse(np.array([], dtype=np.int32), 5, 5)


def test_the_history_lists_what_is_not_in_the_reference_by_grader_and_reason() -> None:
    left = [
        {"reply": "B", "object": 4, "reason": "too few graders"},
        {"reply": "A", "object": 2, "reason": "no common pixel"},
        {"reply": "B", "object": 1, "reason": "too few graders"},
    ]

    assert objects_left(left) == [
        "Not in the reference, no pixel in common: grader A, objects 2",
        "Not in the reference, marked by too few: grader B, objects 1, 4",
    ]
