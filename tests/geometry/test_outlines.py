"""Outlines along the edges of pixels: worked by hand, and filled again by counting crossings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from annotator.geometry.outlines import Corner, outlines
from annotator.geometry.runs import encode

RING = ("###", "#.#", "###")


def mask(*rows: str) -> NDArray[np.bool_]:
    return np.array([[letter == "#" for letter in row] for row in rows])


def filled(rings: list[tuple[Corner, ...]], width: int, height: int) -> NDArray[np.bool_]:
    """A pixel is inside if an odd number of upright edges lie to its left."""
    crossed = np.zeros((height, width), int)
    for ring in rings:
        for (x, y), (after_x, after_y) in zip(ring, ring[1:] + ring[:1], strict=True):
            if x == after_x:
                top, bottom = sorted((y, after_y))
                crossed[top:bottom, x:] += 1
    inside: NDArray[np.bool_] = crossed % 2 == 1
    return inside


def test_one_pixel_has_four_corners_clockwise() -> None:
    (found,) = outlines(encode(mask("...", ".#.")), 3, 2)
    assert found.ring == ((1, 1), (2, 1), (2, 2), (1, 2))
    assert found.holes == ()


def test_a_hole_is_walked_the_other_way_round() -> None:
    (found,) = outlines(encode(mask(*RING)), 3, 3)
    assert found.ring == ((0, 0), (3, 0), (3, 3), (0, 3))
    assert found.holes == (((1, 2), (2, 2), (2, 1), (1, 1)),)


def test_pixels_that_touch_at_a_corner_are_two_areas() -> None:
    assert len(outlines(encode(mask("#.", ".#")), 2, 2)) == 2
    assert len(outlines(encode(mask(".#", "#.")), 2, 2)) == 2


def test_nothing_has_no_outline() -> None:
    assert outlines(np.zeros(0, np.int32), 4, 4) == []


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_what_outlines_enclose_is_the_mask(width: int, height: int, data: st.DataObject) -> None:
    bits = data.draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    marked = np.array(bits).reshape(height, width)
    found = outlines(encode(marked), width, height)
    areas = [filled([one.ring, *one.holes], width, height) for one in found]
    assert np.array_equal(np.sum(areas, axis=0) if areas else np.zeros_like(marked), marked.astype(int))
    assert len(found) == ndimage.label(marked)[1]


@pytest.mark.parametrize("rows", [RING, ("##", "##"), ("#.#", "###")])
def test_a_ring_never_walks_straight_on(rows: tuple[str, ...]) -> None:
    picture = mask(*rows)
    for one in outlines(encode(picture), picture.shape[1], picture.shape[0]):
        for ring in (one.ring, *one.holes):
            upright = [a[0] == b[0] for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
            assert all(one != two for one, two in zip(upright, upright[1:] + upright[:1], strict=True))
