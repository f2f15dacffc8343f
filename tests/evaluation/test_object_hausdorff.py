"""Hausdorff distance between objects over all their pixels: by hand, by brute force and by scikit-image."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.metrics import hausdorff_distance

from evaluation.metrics.label_table import label_table
from evaluation.metrics.object_hausdorff import object_distances
from tests.evaluation.label_pictures import Labels, hausdorff_of_objects, labels, pairs_of_labels


def distances(reference: Labels, candidate: Labels) -> tuple[list[float], list[float]]:
    found = object_distances(label_table(reference, candidate))
    return found.of_reference.tolist(), found.of_candidate.tolist()


def test_a_match_is_as_far_as_its_farthest_pixel() -> None:
    assert distances(labels("11...", "11..."), labels("1111.", ".....")) == ([2.0], [2.0])


def test_an_object_without_overlap_takes_the_nearest_one() -> None:
    assert distances(labels("1......2"), labels("1....3..")) == ([0.0, 2.0], [0.0, 2.0])


def test_without_any_object_on_the_other_side_it_is_the_image_diagonal() -> None:
    assert distances(labels("1..2", "....", "...."), labels("....", "....", "....")) == ([5.0, 5.0], [])


def test_two_empty_images_have_no_distance() -> None:
    assert distances(labels("...", "..."), labels("...", "...")) == ([], [])


def test_a_hole_counts_though_the_outlines_are_the_same() -> None:
    whole = labels("1111111", "1111111", "1111111", "1111111", "1111111")
    ring = labels("1111111", "1.....1", "1.....1", "1.....1", "1111111")

    assert distances(whole, ring) == ([2.0], [2.0])  # from the middle; outlines alone would give 0


def test_a_slit_counts_by_its_deepest_place() -> None:
    whole, slit = np.ones((41, 9), dtype=np.uint16), np.ones((41, 9), dtype=np.uint16)
    slit[5:, 3:6] = 0

    assert distances(whole, slit) == ([2.0], [2.0])  # half of three columns, rounded up


def test_a_disc_in_an_annulus_is_measured_from_its_centre() -> None:
    rows, columns = np.mgrid[-120:121, -120:121]
    disc = (np.hypot(rows, columns) <= 110).astype(np.uint16)
    annulus = disc * (np.hypot(rows, columns) >= 100.1)

    expected = min(math.hypot(y, x) for y in range(111) for x in range(111) if math.hypot(y, x) >= 100.1)
    assert distances(disc, annulus.astype(np.uint16)) == ([expected], [expected])


def test_two_parts_with_one_label_are_one_object() -> None:
    assert distances(labels("1.....1"), labels("1......")) == ([6.0], [6.0])


@given(pairs_of_labels())
@settings(max_examples=200, deadline=None)
def test_every_distance_is_that_of_brute_force(pair: tuple[Labels, Labels]) -> None:
    reference, candidate = pair

    assert distances(reference, candidate) == (
        hausdorff_of_objects(reference, candidate),
        hausdorff_of_objects(candidate, reference),
    )


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_large_ragged_objects_are_as_far_as_scikit_image_says(seed: int) -> None:
    """Large enough for both sizes of squares that are passed over."""
    rng = np.random.default_rng(seed)
    reference, candidate = (_island(rng) for _side in range(2))

    expected = float(hausdorff_distance(reference > 0, candidate > 0))

    of_reference, of_candidate = distances(reference, candidate)
    assert of_reference == of_candidate == pytest.approx([expected])


def _island(rng: np.random.Generator) -> Labels:
    """A blob of some ten thousand pixels with lakes and bays."""
    rows, columns = np.mgrid[:160, :190]
    drawn = np.zeros((160, 190), dtype=np.uint16)
    for label in (1, 1, 1, 0, 0):
        y, x, radius = rng.uniform(40, 120), rng.uniform(50, 140), rng.uniform(15, 60 if label else 25)
        drawn[np.hypot(rows - y, columns - x) < radius] = label
    drawn[80, 95] = 1
    return drawn
