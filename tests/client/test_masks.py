"""A mask that travelled as text is the one that was drawn."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from quorum_client import Damaged
from quorum_client.references import decode_mask

from annotator.geometry import mask_text, runs

MASKS = arrays(np.bool_, st.tuples(st.integers(1, 300), st.integers(1, 300)), fill=st.booleans())


@given(MASKS)
def test_any_mask_comes_back_pixel_by_pixel(mask: np.ndarray) -> None:
    height, width = mask.shape
    text = mask_text.write(runs.pack(runs.encode(mask)), width, height)
    np.testing.assert_array_equal(decode_mask(text), mask)


def test_a_mask_made_by_hand() -> None:
    mask = np.array([[0, 0, 1, 1], [0, 1, 1, 0]], np.bool_)  # toggles at 2, 4, 5 and 7
    packed = base64.b64encode(zlib.compress(bytes([2, 2, 1, 2]))).decode()
    text = mask_text.write(runs.pack(runs.encode(mask)), 4, 2)
    digest = text.split(":")[1]
    np.testing.assert_array_equal(decode_mask(f"4x2:{digest}:{packed}"), mask)


@pytest.mark.parametrize("fault", ["another digest", "another size", "cut off", "too long", "no base64", "empty"])
def test_a_damaged_mask_is_refused(fault: str) -> None:
    size, digest, packed = mask_text.write(runs.pack(runs.encode(np.eye(9, dtype=np.bool_))), 9, 9).split(":")
    texts = {
        "another digest": f"{size}:{'0' * 64}:{packed}",
        "another size": f"9x8:{digest}:{packed}",
        "cut off": f"{size}:{digest}:{packed[:8]}",
        "too long": f"2x2:{digest}:{packed}",
        "no base64": f"{size}:{digest}:!!!",
        "empty": "",
    }
    with pytest.raises(Damaged):
        decode_mask(texts[fault])
