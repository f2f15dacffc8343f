"""Counting bit by bit gives what counting runs gives, and what counting pixels gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import encode
from consensus.agreement.overlap import conformity, conformity_of, dice_to, shared_by, shared_pixels
from consensus.fusion.bits import are_ragged, packed, shared_bits
from consensus.fusion.votes import count_votes

Stack = NDArray[np.bool_]
# Wide enough for rows of several words, and for pictures that end in the middle of one.
stacks = st.tuples(st.integers(1, 6), st.integers(1, 5), st.integers(1, 150)).flatmap(
    lambda shape: arrays(np.bool_, shape)
)


def shared_pixel_by_pixel(stack: Stack) -> NDArray[np.int64]:
    return np.array([[int((first & second).sum()) for second in stack] for first in stack])


@given(stacks)
def test_a_packed_mask_holds_the_pixels_of_its_runs(stack: Stack) -> None:
    for mask in stack:
        words = packed(encode(mask), mask.shape[1], mask.shape[0])

        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        assert (bits[: mask.size].astype(np.bool_) == mask.ravel()).all()
        assert not bits[mask.size :].any()


@given(stacks)
def test_bits_runs_and_pixels_share_the_same(stack: Stack) -> None:
    height, width = stack.shape[1:]
    toggles, expected = [encode(mask) for mask in stack], shared_pixel_by_pixel(stack)

    by_bits = shared_bits([packed(one, width, height) for one in toggles])
    by_runs = shared_pixels(count_votes(toggles, width, height))

    assert (by_bits == expected).all()
    assert (by_runs == expected).all()
    assert conformity_of(by_bits) == conformity(count_votes(toggles, width, height))


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_which_way_is_taken_makes_no_difference(share: float) -> None:
    """From smooth discs to noise, where every other pixel is a toggle."""
    rng = np.random.default_rng(7)
    discs = [rasterise_ellipse(Ellipse(150 + 3 * n, 120, 60, 45, 20 * n), 320, 240) for n in range(5)]
    stack = np.array([disc ^ (rng.random(disc.shape) < share) for disc in discs])
    toggles, expected = [encode(mask) for mask in stack], shared_pixel_by_pixel(stack)

    assert are_ragged(toggles, 320, 240) is (share == 0.5)
    assert (shared_by(toggles, 320, 240) == expected).all()
    own = np.diagonal(expected)
    assert dice_to(toggles[1:], toggles[0], 320, 240) == pytest.approx(2 * expected[0, 1:] / (own[0] + own[1:]))


def test_a_toggle_outside_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="leave the 5×4 pixels"):
        packed(np.array([3, 20], dtype=np.int32), 5, 4)


def test_empty_and_full_masks_are_packed_too() -> None:
    empty, full = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)

    assert shared_bits([packed(empty, 9, 9), packed(full, 9, 9)]).tolist() == [[0, 0], [0, 81]]
