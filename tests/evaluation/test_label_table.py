"""Matching of objects, and pairs of pixels."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from evaluation.metrics.label_table import label_table
from evaluation.metrics.rand_index import adjusted_rand_index, pixel_pairs
from tests.evaluation.label_pictures import Labels, labels, matched_label, pairs_of_labels


def rand_index(reference: Labels, candidate: Labels) -> float:
    pairs = pixel_pairs(label_table(reference, candidate))
    columns = (pairs.both, pairs.reference, pairs.candidate, pairs.every)
    return float(adjusted_rand_index(*(np.array([column]) for column in columns))[0])


def test_an_object_is_matched_to_the_one_it_shares_most_pixels_with() -> None:
    table = label_table(labels("11122..3"), labels("5577777."))

    assert table.of_reference.partner.tolist() == [1, 2, 0]
    assert table.of_reference.shared.tolist() == [2, 2, 0]
    assert table.of_candidate.partner.tolist() == [1, 2]
    assert table.reference_areas.tolist() == [2, 3, 2, 1]
    assert table.candidate_areas.tolist() == [1, 2, 5]


def test_of_equal_overlaps_the_smallest_label_is_taken() -> None:
    table = label_table(labels("1111"), labels("9944"))

    assert table.of_reference.partner.tolist() == [1]  # label 4 is the first object


def test_background_is_never_a_match() -> None:
    table = label_table(labels("1111"), labels("...1"))

    assert (table.of_reference.partner.tolist(), table.of_reference.shared.tolist()) == ([1], [1])


@given(pairs_of_labels())
@settings(deadline=None)
def test_matches_are_those_of_masks_compared_one_by_one(pair: tuple[Labels, Labels]) -> None:
    reference, candidate = pair
    present = [0, *np.unique(candidate[candidate > 0]).tolist()]

    table = label_table(reference, candidate)

    expected = [matched_label(reference == label, candidate) for label in np.unique(reference[reference > 0])]
    assert [present[number] for number in table.of_reference.partner] == expected


def test_sixty_five_thousand_objects_on_both_sides_do_not_need_a_full_table() -> None:
    reference = np.arange(1, 65536, dtype=np.uint16).reshape(257, 255)

    table = label_table(reference, reference[::-1])

    assert len(table.pixels) == 65535
    assert table.of_reference.partner[:255].tolist() == list(range(65535 - 254, 65536))


@pytest.mark.parametrize(
    ("reference", "candidate", "fault"),
    [
        (np.zeros((2, 2), dtype=int), np.zeros((2, 3), dtype=int), "candidate has shape"),
        (np.zeros(4, dtype=int), np.zeros(4, dtype=int), "two-dimensional"),
        (np.zeros((2, 2)), np.zeros((2, 2)), "float64"),
        (np.full((2, 2), -1), np.zeros((2, 2), dtype=int), "reference has labels outside"),
    ],
)
def test_what_is_no_pair_of_label_images_is_refused(reference: Labels, candidate: Labels, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        label_table(reference, candidate)


@pytest.mark.parametrize(
    ("reference", "candidate", "expected"),
    [
        ("..12", "..11", 4 / 7),  # the example in scikit-learn's guide, printed there as 0.57
        ("1111", "1234", 0.0),
        ("1122", "2211", 1.0),
        ("1111", "2222", 1.0),  # denominator 0
        ("....", "....", 1.0),
        ("1", ".", 1.0),
    ],
)
def test_adjusted_rand_index_has_published_values(reference: str, candidate: str, expected: float) -> None:
    assert rand_index(labels(reference), labels(candidate)) == pytest.approx(expected, abs=1e-15)


@given(pairs_of_labels(largest=6))
@settings(deadline=None)
def test_pairs_of_pixels_are_those_that_counting_finds(pair: tuple[Labels, Labels]) -> None:
    reference, candidate = (image.ravel().tolist() for image in pair)
    both = of_reference = of_candidate = every = 0
    for i, j in itertools.combinations(range(len(reference)), 2):
        every += 1
        of_reference += reference[i] == reference[j]
        of_candidate += candidate[i] == candidate[j]
        both += reference[i] == reference[j] and candidate[i] == candidate[j]

    pairs = pixel_pairs(label_table(*pair))

    assert (pairs.both, pairs.reference, pairs.candidate, pairs.every) == (both, of_reference, of_candidate, every)
