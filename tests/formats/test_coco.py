"""COCO's run lengths and polygons, against the reference implementation (pycocotools)."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pycocotools import mask as reference

from annotator.formats import coco
from annotator.formats.coco_rle import column_lengths, packed, toggles_of, unpacked
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import encode

Mask = NDArray[np.bool_]
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation")  # the reference's own, with NumPy 2


@st.composite
def masks(draw: st.DrawFn) -> Mask:
    width, height = draw(st.integers(1, 24)), draw(st.integers(1, 24))
    bits = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    return np.array(bits).reshape(height, width)


def size(mask: Mask) -> tuple[int, int]:
    return mask.shape[1], mask.shape[0]


def by_reference(mask: Mask) -> str:
    return str(reference.encode(np.asfortranarray(mask.astype(np.uint8)))["counts"].decode())


@given(masks())
def test_run_lengths_are_packed_as_the_reference_packs_them(mask: Mask) -> None:
    assert packed(column_lengths(encode(mask), *size(mask))) == by_reference(mask)


@given(masks())
def test_packed_run_lengths_come_back_to_the_last_pixel(mask: Mask) -> None:
    assert np.array_equal(toggles_of(unpacked(by_reference(mask)), *size(mask)), encode(mask))


@pytest.mark.parametrize("value", [True, False])
def test_full_and_empty_masks_are_packed_too(value: bool) -> None:
    mask = np.full((5, 7), value)
    assert packed(column_lengths(encode(mask), 7, 5)) == by_reference(mask)


def test_a_large_disc_is_packed_as_the_reference_packs_it() -> None:
    mask = rasterise_ellipse(Ellipse(1500, 1000, 220, 190, 20), 2124, 2056)
    told = coco.rle(encode(mask), 2124, 2056)
    assert told == {"size": [2056, 2124], "counts": by_reference(mask)}
    assert np.array_equal(reference.decode(told).astype(bool), mask)


@pytest.mark.parametrize(
    ("text", "fault"), [("P", "middle of a number"), ("\x7f", "cannot stand there"), ("é", "stand")]
)
def test_text_that_is_not_packed_run_lengths_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        unpacked(text)


@pytest.mark.parametrize("lengths", [[5, 5], [4, -1, 9], [13]])
def test_run_lengths_of_another_picture_are_refused(lengths: list[int]) -> None:
    with pytest.raises(ValueError, match=r"run length"):
        toggles_of(np.array(lengths), 3, 4)


@given(masks())
def test_polygons_enclose_the_mask_also_for_the_reference(mask: Mask) -> None:
    """Its own drawing rounds at a fifth of a pixel, so corners between pixels stay where they are."""
    width, height = size(mask)
    rings = [ring for ring in coco.polygons(encode(mask), width, height) if len(ring) > 4]
    drawn = np.zeros_like(mask)
    for ring in rings:
        drawn |= reference.decode(reference.merge(reference.frPyObjects([ring], height, width))).astype(bool)
    assert np.array_equal(drawn, mask)


def test_area_and_box_are_those_of_the_reference() -> None:
    mask = rasterise_ellipse(Ellipse(20, 15, 9, 6, 30), 40, 30)
    facts = coco.area_facts(encode(mask), 40, 30)
    told = reference.encode(np.asfortranarray(mask.astype(np.uint8)))
    assert facts["area"] == int(reference.area(told))
    assert facts["bbox"] == reference.toBbox(told).tolist()


def test_a_key_point_names_a_pixel() -> None:
    assert coco.key_point((4.5, 11.0))["keypoints"] == [4.0, 10.5, 2]


def test_a_document_is_json_also_without_anything_in_it() -> None:
    empty = b"".join(coco.document({"version": "1"}, [], iter([]), iter([])))
    assert json.loads(empty) == {
        "info": {"version": "1"},
        "licenses": [],
        "categories": [],
        "images": [],
        "annotations": [],
    }
    two = b"".join(coco.document({}, [], iter([b'{"id":1}\n', b'{"id":2}\n']), iter([])))
    assert [one["id"] for one in json.loads(two)["images"]] == [1, 2]
