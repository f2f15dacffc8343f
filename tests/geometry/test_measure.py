import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from skimage.measure import label, regionprops

from annotator.geometry import measure, runs
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from tests.geometry.pictures import mask

pictures = arrays(np.bool_, st.tuples(st.integers(1, 20), st.integers(1, 20)))


def extent(picture: NDArray[np.bool_]) -> int:
    height, width = picture.shape
    return measure.vertical_extent(runs.encode(picture), width, height)


def column(picture: NDArray[np.bool_]) -> int:
    height, width = picture.shape
    return measure.longest_column(runs.encode(picture), width, height)


def test_the_extent_counts_the_rows_of_a_shape() -> None:
    assert extent(mask(".....", "..##.", ".###.", "..#..")) == 3


def test_pixels_that_touch_by_a_corner_are_one_component() -> None:
    assert extent(mask("#....", ".#...", "..#..", "...#.")) == 4


def test_only_the_largest_component_has_an_extent() -> None:
    assert extent(mask("#....", "#....", "#....", ".####", "...##")) == 5  # joined by a corner
    assert extent(mask("#....", "#....", "#....", "...##", "...##")) == 2


def test_of_equally_large_components_the_first_in_reading_order_counts() -> None:
    assert extent(mask("..##", "....", "#...", "#...")) == 1
    assert extent(mask("#...", "#.##")) == 2


def test_runs_that_cross_the_end_of_a_row_do_not_join_its_neighbours() -> None:
    assert extent(mask("...##", "##...", ".....")) == 1


def test_an_empty_mask_has_no_extent_and_a_full_one_all_rows() -> None:
    assert extent(mask("...", "...")) == column(mask("...", "...")) == 0
    assert extent(mask("##", "##", "##")) == column(mask("##", "##", "##")) == 3


def test_the_longest_column_leaves_holes_out_and_counts_all_components() -> None:
    assert column(mask("#.#", "#..", ".##", "#..")) == 3


@given(pictures)
def test_the_extent_is_that_of_the_largest_region_of_scikit_image(picture: NDArray[np.bool_]) -> None:
    regions = regionprops(label(picture, connectivity=2))
    expected = {0}
    if regions:
        most = max(region.area for region in regions)
        expected = {region.bbox[2] - region.bbox[0] for region in regions if region.area == most}
    assert extent(picture) in expected


@given(pictures)
def test_the_longest_column_is_the_largest_sum_over_rows(picture: NDArray[np.bool_]) -> None:
    assert column(picture) == picture.sum(axis=0).max()


def test_the_cup_to_disc_ratio_of_nested_shapes_is_that_of_their_heights() -> None:
    disc, cup = mask("####", "####", "####", "####"), mask("....", ".##.", "....", "....")
    both = runs.encode(cup), runs.encode(disc)
    assert measure.vcdr_extent(*both, 4, 4) == 0.25
    assert measure.vcdr_longest_column(*both, 4, 4) == pytest.approx(1 / 4.0000001, abs=1e-12)


def test_without_a_disc_the_ratio_is_zero() -> None:
    cup, nothing = runs.encode(mask("##", "##")), runs.encode(mask("..", ".."))
    assert measure.vcdr_extent(cup, nothing, 2, 2) == measure.vcdr_longest_column(cup, nothing, 2, 2) == 0


def test_the_share_of_the_field_is_a_quotient_and_needs_a_field() -> None:
    assert measure.share_of_field(25, 100) == 0.25
    with pytest.raises(ValueError, match="field_px"):
        measure.share_of_field(25, 0)


sizes = st.floats(0.3, 40)
places = st.floats(-20, 40)


@given(places, places, sizes, sizes, st.floats(0, 180), st.integers(1, 24), st.integers(1, 24))
def test_an_ellipse_has_the_same_runs_as_its_picture(
    cx: float, cy: float, a: float, b: float, theta: float, width: int, height: int
) -> None:
    ellipse = Ellipse(cx, cy, a, b, theta)
    expected = runs.encode(rasterise_ellipse(ellipse, width, height))
    assert ellipse_toggles(ellipse, width, height).tolist() == expected.tolist()
