"""Areas made from a part of the picture are the same as those of the whole picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.geometry.areas import box_toggles, polygon_toggles, united
from annotator.geometry.bridges import without_bridges
from annotator.geometry.polygon import rasterise_polygon
from annotator.geometry.runs import decode, encode

WIDTH, HEIGHT = 19, 13
places = st.tuples(st.floats(-6, 25, width=32), st.floats(-6, 20, width=32)) | st.tuples(
    st.integers(-4, 40).map(lambda half: half / 2), st.integers(-4, 30).map(lambda half: half / 2)
)
pictures = st.lists(st.booleans(), min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT).map(
    lambda bits: np.array(bits).reshape(HEIGHT, WIDTH)
)


@given(st.lists(places, min_size=3, max_size=9))
def test_a_polygon_has_the_pixels_that_it_has_in_the_whole_picture(points: list[tuple[float, float]]) -> None:
    expected = encode(rasterise_polygon(points, WIDTH, HEIGHT))
    assert np.array_equal(polygon_toggles(points, WIDTH, HEIGHT), expected)


def test_a_hole_at_the_end_of_a_line_that_is_walked_both_ways_is_a_hole() -> None:
    outer, inner = [(0, 0), (9, 0), (9, 9), (0, 9)], [(3, 3), (3, 6), (6, 6), (6, 3)]
    rings = without_bridges([*outer, outer[0], *inner, inner[0]])
    assert sorted(map(sorted, rings)) == [sorted(outer), sorted(inner)]
    (again,) = without_bridges([(0, 0), (4, 0), (9, 0), (4, 0), (4, 4)])  # a spike
    assert sorted(again) == [(0, 0), (4, 0), (4, 4)]
    assert without_bridges([(0, 0), (4, 4), (0, 0), (4, 4)]) == []


@given(st.data(), st.integers(1, WIDTH), st.integers(1, HEIGHT))
def test_a_mask_in_a_box_lies_where_its_box_does(data: st.DataObject, columns: int, rows: int) -> None:
    left, top = data.draw(st.integers(0, WIDTH - columns)), data.draw(st.integers(0, HEIGHT - rows))
    bits = data.draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    small, whole = np.array(bits).reshape(rows, columns), np.zeros((HEIGHT, WIDTH), np.bool_)
    whole[top : top + rows, left : left + columns] = small
    assert np.array_equal(box_toggles(small, left, top, WIDTH, HEIGHT), encode(whole))


@given(st.lists(pictures, min_size=1, max_size=4))
def test_areas_are_united_pixel_by_pixel(masks: list[np.ndarray]) -> None:
    toggles = united([encode(mask) for mask in masks], WIDTH, HEIGHT)
    assert np.array_equal(decode(toggles, WIDTH, HEIGHT), np.logical_or.reduce(masks))


@pytest.mark.parametrize(("left", "top"), [(-1, 0), (0, -1), (WIDTH - 1, 0), (0, HEIGHT - 1)])
def test_a_box_that_leaves_the_picture_is_refused(left: int, top: int) -> None:
    with pytest.raises(ValueError, match="leaves the picture"):
        box_toggles(np.ones((2, 2), np.bool_), left, top, WIDTH, HEIGHT)


@pytest.mark.parametrize("points", [[(0, 0), (1, 1)], [(0, 0), (1, 1), (float("nan"), 0)], [(0, 0), (1e9, 1), (2, 0)]])
def test_what_is_no_polygon_is_refused(points: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="points"):
        polygon_toggles(points, WIDTH, HEIGHT)
