"""Distances between boundaries: drawings solved by hand, and brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from evaluation.metrics.surface import (
    SurfaceDistances,
    assd_mean_of_directed,
    assd_pooled,
    boundary,
    boundary_hausdorff,
    hd95_larger_directed,
    hd95_pooled,
    surface_dice,
    surface_distances,
)
from tests.evaluation.label_pictures import Labels, every_distance, pairs_of_labels
from tests.geometry.pictures import drawing, mask

SUMMARIES = (boundary_hausdorff, hd95_pooled, hd95_larger_directed, assd_mean_of_directed, assd_pooled)
ROW, DOT = mask("#####"), mask("#....")
# From the row to the dot: 0 1 2 3 4; from the dot to the row: 0.


def boundary_picture(pixels: NDArray[np.bool_]) -> NDArray[np.bool_]:
    drawn = np.zeros_like(pixels)
    drawn[tuple(boundary(pixels).T)] = True
    return drawn


def test_a_boundary_has_the_pixels_with_an_outer_side_and_the_edge_of_the_picture() -> None:
    pixels = mask("####.", "####.", "####.", "####.", ".....")

    assert drawing(boundary_picture(pixels)) == ["####.", "#..#.", "#..#.", "####.", "....."]


def test_a_corner_alone_does_not_make_a_boundary() -> None:
    pixels = mask(".###.", "#####", "#####", "#####", ".....")

    assert drawing(boundary_picture(pixels)) == [".###.", "#...#", "#...#", "#####", "....."]


def test_distances_go_from_boundary_to_boundary() -> None:
    found = surface_distances(ROW, DOT)

    assert found.from_reference.tolist() == [0, 1, 2, 3, 4]
    assert found.from_candidate.tolist() == [0]


def test_inside_and_outside_are_measured_alike() -> None:
    """Over all pixels the ring's hole would count; its boundary is next to the outer one."""
    whole = mask("#####", "#####", "#####", "#####", "#####")
    ring = mask("#####", "#...#", "#...#", "#...#", "#####")

    assert boundary_hausdorff(surface_distances(whole, ring)) == 0


def test_the_two_hd95_differ_by_whether_the_boundaries_are_put_together() -> None:
    found = surface_distances(ROW, DOT)

    assert hd95_pooled(found) == pytest.approx(3.75)  # 0 0 1 2 3 4 at place 0.95 · 5
    assert hd95_larger_directed(found) == pytest.approx(3.8)  # 0 1 2 3 4 at place 0.95 · 4


def test_the_two_mean_distances_differ_by_the_weight_of_the_longer_boundary() -> None:
    found = surface_distances(ROW, DOT)

    assert assd_mean_of_directed(found) == pytest.approx((2 + 0) / 2)
    assert assd_pooled(found) == pytest.approx(10 / 6)


def test_surface_dice_is_the_share_within_the_tolerance() -> None:
    found = surface_distances(ROW, DOT)

    assert [surface_dice(found, tolerance) for tolerance in (0, 1, 1.5, 4)] == pytest.approx([2 / 6, 3 / 6, 3 / 6, 1])


def test_two_empty_masks_have_no_distance() -> None:
    found = surface_distances(mask("...."), mask("...."))

    assert found.both_empty
    assert not found.one_empty
    assert all(math.isnan(summary(found)) for summary in SUMMARIES)
    assert math.isnan(surface_dice(found, 1))


@pytest.mark.parametrize("turned", [False, True])
def test_a_missing_structure_has_the_worst_value(turned: bool) -> None:
    pair = (mask("....", "....", "...."), mask("####", "####", "####"))
    found = surface_distances(*(pair[::-1] if turned else pair))

    assert found.one_empty
    assert [summary(found) for summary in SUMMARIES] == [5.0] * len(SUMMARIES)
    assert surface_dice(found, 100) == 0


@given(pairs_of_labels())
@settings(deadline=None)
def test_every_distance_is_that_of_brute_force(pair: tuple[Labels, Labels]) -> None:
    reference, candidate = (image > 0 for image in pair)
    edges = [boundary_picture(pixels) for pixels in (reference, candidate)]
    diagonal = math.hypot(*reference.shape)

    found = surface_distances(reference, candidate)

    apart = every_distance(*edges)
    expected = SurfaceDistances(apart.min(axis=1, initial=diagonal), apart.min(axis=0, initial=diagonal), diagonal)
    assert found.from_reference.tolist() == expected.from_reference.tolist()
    assert found.from_candidate.tolist() == expected.from_candidate.tolist()


def test_what_is_no_pair_of_masks_is_refused() -> None:
    with pytest.raises(ValueError, match="candidate has shape"):
        surface_distances(mask(".."), mask("..."))
    with pytest.raises(ValueError, match="candidate is uint8"):
        surface_distances(mask(".."), np.zeros((1, 2), dtype=np.uint8))
    with pytest.raises(ValueError, match="tolerance_px"):
        surface_dice(surface_distances(ROW, DOT), -1)
