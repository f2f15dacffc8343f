import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skimage.draw import ellipse as skimage_ellipse

from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from tests.geometry.pictures import drawing

coordinate = st.floats(-20, 80)
axis = st.floats(0.3, 50)


def test_a_pixel_is_held_when_its_centre_lies_inside() -> None:
    pixels = rasterise_ellipse(Ellipse(2.5, 1.5, 1.2, 0.4, 0), 5, 3)
    assert drawing(pixels) == [".....", ".###.", "....."]


def test_a_pixel_is_held_when_its_centre_lies_on_the_boundary() -> None:
    pixels = rasterise_ellipse(Ellipse(2.5, 2.5, 2, 2, 0), 5, 5)
    assert drawing(pixels) == ["..#..", ".###.", "#####", ".###.", "..#.."]


def test_a_three_four_five_triangle_lies_on_a_circle_of_five() -> None:
    pixels = rasterise_ellipse(Ellipse(0.5, 0.5, 5, 5, 0), 6, 6)
    assert pixels[4, 3]
    assert pixels[3, 4]
    assert not pixels[4, 4]


def test_a_quarter_turn_swaps_the_axes_exactly() -> None:
    upright = rasterise_ellipse(Ellipse(3.5, 3.5, 1, 3, 0), 7, 7)
    turned = rasterise_ellipse(Ellipse(3.5, 3.5, 3, 1, 90), 7, 7)
    assert np.array_equal(upright, turned)
    assert upright[:, 3].sum() == 7


def test_a_positive_angle_turns_clockwise_on_the_screen() -> None:
    pixels = rasterise_ellipse(Ellipse(2.5, 2.5, 2.9, 0.5, 45), 5, 5)
    assert pixels[4, 4]
    assert not pixels[0, 4]


def test_an_ellipse_outside_the_picture_gives_an_empty_mask() -> None:
    assert not rasterise_ellipse(Ellipse(-50, 10, 5, 5, 0), 20, 20).any()


@given(cx=coordinate, cy=coordinate, a=axis, b=axis, theta=st.floats(-360, 360))
def test_the_mask_agrees_with_scikit_image_but_for_centres_on_the_boundary(
    cx: float, cy: float, a: float, b: float, theta: float
) -> None:
    pixels = rasterise_ellipse(Ellipse(cx, cy, a, b, theta), 60, 50)
    witness = np.zeros((50, 60), dtype=np.bool_)
    rows, columns = skimage_ellipse(cy - 0.5, cx - 0.5, b, a, shape=(50, 60), rotation=-math.radians(theta))
    witness[rows, columns] = True
    for row, column in np.argwhere(pixels != witness):
        dx, dy = column + 0.5 - cx, row + 0.5 - cy
        p = dx * math.cos(math.radians(theta)) + dy * math.sin(math.radians(theta))
        q = dy * math.cos(math.radians(theta)) - dx * math.sin(math.radians(theta))
        assert (p / a) ** 2 + (q / b) ** 2 == pytest.approx(1, abs=1e-9)


def test_the_outline_reaches_the_stated_extents() -> None:
    ellipse = Ellipse(100, 80, 30, 12, 25)
    outline = ellipse.outline(7200)
    assert np.abs(outline[:, 0] - 100).max() == pytest.approx(ellipse.half_width, abs=1e-3)
    assert np.abs(outline[:, 1] - 80).max() == pytest.approx(ellipse.half_height, abs=1e-3)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ((math.nan, 1, 1, 1, 0), "cx"),
        ((1, math.inf, 1, 1, 0), "cy"),
        ((1, 1, 0, 1, 0), "a"),
        ((1, 1, 1, -2, 0), "b"),
        ((1, 1, 1e200, 1, 0), "a"),
        ((1, 1, 1, 1, math.nan), "theta_deg"),
    ],
)
def test_an_impossible_ellipse_is_refused_by_name(values: tuple[float, ...], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} is"):
        Ellipse(*values)


def test_a_picture_without_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match="0×5"):
        rasterise_ellipse(Ellipse(1, 1, 1, 1, 0), 0, 5)
