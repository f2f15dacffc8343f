"""Mirrored marks lie where a mirror shows them, and mirrored twice they are where they were."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.mirroring import mirror_ellipse, mirror_line, mirror_packed, mirror_toggles, mirror_x
from tests.geometry.pictures import drawing, mask

WIDTH, HEIGHT = 41, 30
masks = arrays(np.bool_, st.tuples(st.integers(1, 20), st.integers(1, 60)))
places = st.floats(0, WIDTH)
eighths = st.integers(0, 8 * WIDTH).map(lambda number: number / 8)
axes = st.integers(1, 160).map(lambda number: number / 8)
tilts = st.floats(0, 180, exclude_max=True)


def test_the_edges_change_places_and_the_middle_stays() -> None:
    assert [mirror_x(x, 41) for x in (0.0, 20.5, 41.0)] == [41.0, 20.5, 0.0]


@given(x=places)
def test_a_place_mirrored_three_times_is_mirrored_once_to_the_bit(x: float) -> None:
    once = mirror_x(x, WIDTH)
    twice = mirror_x(once, WIDTH)
    assert twice == pytest.approx(x, abs=1e-14)
    assert mirror_x(twice, WIDTH) == once


def test_a_line_keeps_the_order_in_which_it_was_drawn() -> None:
    assert mirror_line([[1.0, 2.0], [10.5, 3.0]], 41) == [[40.0, 2.0], [30.5, 3.0]]


@pytest.mark.parametrize(("tilt", "mirrored"), [(0.0, 0.0), (30.0, 150.0), (90.0, 90.0), (-30.0, 30.0), (210.0, 150.0)])
def test_an_ellipse_leans_to_the_other_side_with_its_tilt_within_a_half_turn(tilt: float, mirrored: float) -> None:
    assert mirror_ellipse(Ellipse(10, 12, 6, 3, tilt), WIDTH) == Ellipse(31, 12, 6, 3, mirrored)


def test_a_tilt_that_rounds_to_a_half_turn_is_none() -> None:
    assert mirror_ellipse(Ellipse(10, 12, 6, 3, 1e-20), WIDTH).theta_deg == 0.0


@given(cx=places, tilt=tilts)
def test_an_ellipse_mirrored_three_times_is_mirrored_once_to_the_bit(cx: float, tilt: float) -> None:
    once = mirror_ellipse(Ellipse(cx, 12, 6, 3, tilt), WIDTH)
    twice = mirror_ellipse(once, WIDTH)
    assert twice.cx == pytest.approx(cx, abs=1e-14)
    assert math.sin(math.radians(twice.theta_deg - tilt)) == pytest.approx(0, abs=1e-13)
    assert mirror_ellipse(twice, WIDTH) == once


@given(cx=eighths, cy=eighths, a=axes, b=axes, tilt=st.sampled_from([0.0, 90.0]))
def test_an_upright_ellipse_holds_the_mirrored_pixels(cx: float, cy: float, a: float, b: float, tilt: float) -> None:
    ellipse = Ellipse(cx, cy, a, b, tilt)
    there = rasterise_ellipse(mirror_ellipse(ellipse, WIDTH), WIDTH, HEIGHT)
    assert np.array_equal(there, np.fliplr(rasterise_ellipse(ellipse, WIDTH, HEIGHT)))


@given(cx=places, cy=places, a=st.floats(0.5, 20), b=st.floats(0.5, 20), tilt=tilts)
def test_any_ellipse_holds_the_mirrored_pixels_but_for_those_whose_centre_is_on_its_line(
    cx: float, cy: float, a: float, b: float, tilt: float
) -> None:
    ellipse = Ellipse(cx, cy, a, b, tilt)
    here = np.fliplr(rasterise_ellipse(ellipse, WIDTH, HEIGHT))
    differing = here != rasterise_ellipse(mirror_ellipse(ellipse, WIDTH), WIDTH, HEIGHT)
    assert not (np.fliplr(differing) & ~_on_the_line(ellipse)).any()


def _on_the_line(ellipse: Ellipse) -> NDArray[np.bool_]:
    """As far as floating point can tell."""
    dx = np.arange(WIDTH) + 0.5 - ellipse.cx
    dy = (np.arange(HEIGHT) + 0.5 - ellipse.cy)[:, None]
    cosine, sine = ellipse.direction
    along, across = (dx * cosine + dy * sine) / ellipse.a, (dy * cosine - dx * sine) / ellipse.b
    near: NDArray[np.bool_] = np.abs(along**2 + across**2 - 1) < 1e-9
    return near


def test_runs_that_go_on_in_the_next_row_are_mirrored_row_by_row() -> None:
    toggles = mirror_toggles(runs.encode(mask("..###", "##..#", "#....")), 5, 3)
    assert drawing(runs.decode(toggles, 5, 3)) == ["###..", "#..##", "....#"]


@given(pixels=masks)
def test_every_mask_is_mirrored_pixel_by_pixel(pixels: NDArray[np.bool_]) -> None:
    height, width = pixels.shape
    toggles = mirror_toggles(runs.encode(pixels), width, height)
    assert np.array_equal(toggles, runs.encode(np.ascontiguousarray(np.fliplr(pixels))))
    assert toggles.dtype == np.int32


@given(pixels=masks)
def test_every_mask_mirrored_twice_has_the_same_bytes(pixels: NDArray[np.bool_]) -> None:
    height, width = pixels.shape
    packed = runs.pack(runs.encode(pixels))
    assert mirror_packed(mirror_packed(packed, width, height), width, height) == packed
