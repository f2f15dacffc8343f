import hashlib
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from annotator.geometry import runs
from tests.geometry.pictures import drawing, mask

masks = arrays(np.bool_, st.tuples(st.integers(1, 40), st.integers(1, 300)))


def test_toggles_are_the_positions_where_a_row_major_walk_changes_colour() -> None:
    toggles = runs.encode(mask("..##.", ".###."))
    assert toggles.tolist() == [2, 4, 6, 9]
    assert toggles.dtype == np.int32


def test_a_mask_that_starts_in_the_foreground_toggles_at_zero() -> None:
    assert runs.encode(mask("#.", ".#")).tolist() == [0, 1, 3]


def test_an_empty_mask_has_no_toggles() -> None:
    assert runs.encode(mask("...", "...")).tolist() == []


def test_decode_draws_what_the_toggles_say() -> None:
    pixels = runs.decode(np.array([2, 4, 6, 9], dtype=np.int32), 5, 2)
    assert drawing(pixels) == ["..##.", ".###."]


def test_a_run_to_the_last_pixel_counts_in_the_area() -> None:
    assert runs.area(np.array([0, 1, 3], dtype=np.int32), 2, 2) == 2


def test_packed_bytes_are_deflated_varints_of_the_differences() -> None:
    packed = runs.pack(np.array([300, 301], dtype=np.int32))
    assert zlib.decompress(packed) == bytes([0b1010_1100, 0b10, 1])


@given(pixels=masks)
def test_every_mask_survives_encoding_and_packing(pixels: NDArray[np.bool_]) -> None:
    height, width = pixels.shape
    toggles = runs.unpack(runs.pack(runs.encode(pixels)), width, height)
    assert np.array_equal(runs.decode(toggles, width, height), pixels)
    assert runs.area(toggles, width, height) == pixels.sum()


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (bytes([9]), "past the end"),
        (bytes([2, 0]), "not ascending"),
        (bytes([0x80]), "middle of a number"),
        (bytes([0x81, 0x00]), "more bytes than it needs"),
        (bytes([0x80, 0x80, 0x80, 0x80, 0x80, 0x01]), "more than 5 bytes"),
        (bytes([1] * 10), "more than the 9 bytes"),
        (bytes([0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), "past the end"),
    ],
)
def test_unpack_refuses_malformed_runs_and_names_the_fault(raw: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        runs.unpack(zlib.compress(raw), 3, 3)


def test_unpack_refuses_bytes_that_are_not_deflated() -> None:
    with pytest.raises(ValueError, match="not deflated"):
        runs.unpack(b"not zlib at all", 3, 3)


def test_unpack_refuses_bytes_that_are_cut_short() -> None:
    with pytest.raises(ValueError, match="cut short"):
        runs.unpack(runs.pack(np.array([1, 2], dtype=np.int32))[:-2], 3, 3)


def test_unpack_refuses_trailing_bytes() -> None:
    with pytest.raises(ValueError, match="1 bytes follow"):
        runs.unpack(runs.pack(np.array([1, 2], dtype=np.int32)) + b"x", 3, 3)


def test_unpack_inflates_no_more_than_the_picture_can_need() -> None:
    bomb = zlib.compress(b"\x01" * 50_000_000)
    with pytest.raises(ValueError, match="more than the 100 bytes"):
        runs.unpack(bomb, 10, 10)


@given(garbage=st.binary(max_size=60))
def test_unpack_answers_garbage_with_a_value_error_or_valid_toggles(garbage: bytes) -> None:
    try:
        toggles = runs.unpack(zlib.compress(garbage), 20, 10)
    except ValueError:
        return
    assert runs.decode(toggles, 20, 10).shape == (10, 20)


def test_the_digest_tells_masks_and_sizes_apart() -> None:
    toggles = np.array([1, 2], dtype=np.int32)
    other = np.array([1, 3], dtype=np.int32)
    digests = {runs.digest(toggles, 3, 4), runs.digest(toggles, 4, 3), runs.digest(other, 3, 4)}
    assert len(digests) == 3


def test_the_digest_is_sha256_of_little_endian_size_and_toggles() -> None:
    expected = hashlib.sha256(bytes([3, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0])).hexdigest()
    assert runs.digest(np.array([1, 2], dtype=np.int32), 3, 4) == expected


@pytest.mark.parametrize("toggles", [[2, 2], [3, 1], [-1, 2], [0, 9]])
def test_decode_refuses_impossible_toggles(toggles: list[int]) -> None:
    with pytest.raises(ValueError, match="toggles"):
        runs.decode(np.array(toggles, dtype=np.int32), 3, 3)


def test_encode_refuses_grey_pictures() -> None:
    with pytest.raises(ValueError, match="uint8"):
        runs.encode(np.zeros((2, 2), dtype=np.uint8))
