"""Masks become one: hand-drawn pictures, and pixel-by-pixel voting as the witness of run-length voting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from annotator.geometry.runs import Toggles, decode, encode
from consensus.fusion import masks
from consensus.fusion.votes import Votes, count_votes
from protocols.names import TieRule
from tests.geometry.pictures import drawing, mask

Stack = NDArray[np.bool_]
stacks = st.tuples(st.integers(1, 9), st.integers(1, 12), st.integers(1, 30)).flatmap(
    lambda shape: arrays(np.bool_, shape)
)


def votes_of(stack: Stack) -> Votes:
    return count_votes([encode(one) for one in stack], stack.shape[2], stack.shape[1])


def drawn(toggles: Toggles, votes: Votes) -> Stack:
    return decode(toggles, votes.width, votes.height)


THREE = np.stack([mask("##..", "#..."), mask(".##.", "#..."), mask(".#..", "...#")])


def test_a_majority_needs_more_than_half_of_the_graders() -> None:
    votes = votes_of(THREE)

    assert drawing(drawn(masks.majority(votes), votes)) == [".#..", "#..."]


def test_an_even_vote_is_background_unless_ties_are_foreground() -> None:
    votes = votes_of(THREE[:2])

    assert drawing(drawn(masks.majority(votes), votes)) == [".#..", "#..."]
    assert drawing(drawn(masks.majority(votes, TieRule.FOREGROUND), votes)) == ["###.", "#..."]
    assert drawing(drawn(masks.tied(votes), votes)) == ["#.#.", "...."]


def test_union_and_intersection_are_anybody_and_everybody() -> None:
    votes = votes_of(THREE)

    assert drawing(drawn(masks.union(votes), votes)) == ["###.", "#..#"]
    assert drawing(drawn(masks.intersection(votes), votes)) == [".#..", "...."]


@given(stacks)
def test_run_length_votes_equal_pixel_votes(stack: Stack) -> None:
    votes = votes_of(stack)
    counts = stack.sum(axis=0)

    assert (masks.soft_map(votes) == counts / len(stack)).all()
    assert (drawn(masks.majority(votes), votes) == (2 * counts > len(stack))).all()
    assert (drawn(masks.tied(votes), votes) == (2 * counts == len(stack))).all()
    assert votes.pixels_by_count.tolist() == [int((counts == v).sum()) for v in range(len(stack) + 1)]


@given(stacks, st.randoms(use_true_random=False))
def test_the_order_of_the_graders_does_not_matter(stack: Stack, random: "np.random.Generator") -> None:
    order = list(range(len(stack)))
    random.shuffle(order)
    votes, shuffled = votes_of(stack), votes_of(stack[order])

    for rule in (masks.majority, masks.union, masks.intersection, masks.mean_shape):
        assert rule(votes).tolist() == rule(shuffled).tolist()


@given(stacks.filter(lambda stack: all(one.any() and not one.all() for one in stack)))
def test_the_mean_shape_is_where_the_mean_signed_distance_is_positive(stack: Stack) -> None:
    votes = votes_of(stack)
    distances = np.mean([distance_transform_edt(one) - distance_transform_edt(~one) for one in stack], axis=0)

    assert (drawn(masks.mean_shape(votes), votes) == (distances > 1e-9)).all()


def test_one_grader_is_the_reference_by_every_rule() -> None:
    votes = votes_of(THREE[:1])

    for rule in (masks.majority, masks.union, masks.intersection, masks.mean_shape):
        assert drawing(drawn(rule(votes), votes)) == ["##..", "#..."]


def test_empty_readings_give_an_empty_reference_by_every_rule() -> None:
    votes = votes_of(np.zeros((3, 4, 5), dtype=np.bool_))

    for rule in (masks.majority, masks.union, masks.intersection, masks.mean_shape):
        assert len(rule(votes)) == 0


def test_a_toggle_outside_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="outside the 4×2 pixels"):
        count_votes([np.array([8], dtype=np.int32)], 4, 2)


def test_no_reading_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="holds 0 masks"):
        count_votes([], 4, 2)
