from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.geometry.polygon import rasterise_polygon
from tests.geometry.pictures import drawing

half_steps = st.integers(-4, 24).map(lambda n: n / 2)
vertex_lists = st.lists(st.tuples(half_steps, half_steps), min_size=3, max_size=7)


def test_a_square_around_two_pixels_holds_exactly_them() -> None:
    pixels = rasterise_polygon([(1, 1), (3, 1), (3, 2), (1, 2)], 4, 3)
    assert drawing(pixels) == ["....", ".##.", "...."]


def test_centres_on_every_side_of_a_square_are_held() -> None:
    pixels = rasterise_polygon([(0.5, 0.5), (2.5, 0.5), (2.5, 2.5), (0.5, 2.5)], 4, 4)
    assert drawing(pixels) == ["###.", "###.", "###.", "...."]


def test_a_slanted_side_through_centres_holds_them() -> None:
    pixels = rasterise_polygon([(0.5, 0.5), (3.5, 3.5), (0.5, 3.5)], 4, 4)
    assert drawing(pixels) == ["#...", "##..", "###.", "####"]


def test_the_overlap_of_a_self_crossing_polygon_is_background() -> None:
    twice_around = [(0, 0), (6, 0), (6, 6), (0, 6), (0, 0), (2, 2), (4, 2), (4, 4), (2, 4), (2, 2)]
    pixels = rasterise_polygon(twice_around, 6, 6)
    assert drawing(pixels)[2] == "##..##"


def test_a_polygon_larger_than_the_picture_fills_it() -> None:
    assert rasterise_polygon([(-90, -90), (90, -90), (90, 90), (-90, 90)], 5, 4).all()


def test_a_point_repeated_thrice_holds_only_its_own_pixel() -> None:
    pixels = rasterise_polygon([(1.5, 1.5)] * 3, 3, 3)
    assert drawing(pixels) == ["...", ".#.", "..."]


@given(vertices=vertex_lists)
def test_the_mask_is_the_even_odd_rule_in_rational_arithmetic(vertices: list[tuple[float, float]]) -> None:
    pixels = rasterise_polygon(vertices, 10, 9)
    witness = [[_holds(vertices, column, row) for column in range(10)] for row in range(9)]
    assert drawing(pixels) == drawing(np.array(witness))


def test_a_centre_one_rounding_step_outside_is_left_out() -> None:
    # The left side stands one rounding step right of the first centre, which therefore lies outside.
    pixels = rasterise_polygon([(0.5 + 2**-52, 0), (0.5 + 2**-52, 1), (9, 1), (9, 0)], 3, 1)
    assert drawing(pixels) == [".##"]


@pytest.mark.parametrize("points", [[(0, 0), (1, 1)], [1, 2, 3], [(0, 0), (1, float("nan")), (2, 2)]])
def test_what_is_not_a_polygon_is_refused(points: object) -> None:
    with pytest.raises(ValueError, match="points"):
        rasterise_polygon(points, 5, 5)  # type: ignore[arg-type]


def _holds(vertices: list[tuple[float, float]], column: int, row: int) -> bool:
    x, y = Fraction(2 * column + 1, 2), Fraction(2 * row + 1, 2)
    inside = False
    corners = [(Fraction(px), Fraction(py)) for px, py in vertices]
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        cross = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        if cross == 0 and min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1):
            return True
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
