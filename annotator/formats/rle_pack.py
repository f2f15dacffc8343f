"""Brush strokes as Label Studio keeps them: an RGBA picture, packed bit by bit.

Source: the format of `@thi.ng/rle-pack`. 32 bits with the number of words, 5 with the bits of a word less one, four
times 4 with the bits of a length less one. Then entries until all words are there: a bit that says whether one word is
repeated, two that choose the bits of the length, the length less one, and the word – or as many words, if they differ.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.ellipse import Mask

CHANNELS = 4  # red, green, blue and how opaque a pixel is
_WORD = 8


class _Bits:
    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def read(self, count: int) -> int:
        start, end = self._place, self._place + count
        if end > 8 * len(self._data):
            raise ValueError("the packed picture ends too early")
        self._place = end
        last = (end + 7) // 8
        return (int.from_bytes(self._data[start // 8 : last], "big") >> (8 * last - end)) & ((1 << count) - 1)


def opacity(packed: Sequence[Any], width: int, height: int) -> NDArray[np.uint8]:
    """How opaque each pixel is; ValueError when it is not a picture of this size."""
    if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= 0xFF for one in packed):
        raise ValueError("the packed picture is not a list of bytes")
    bits = _Bits(bytes(packed))
    words, word = bits.read(32), bits.read(5) + 1
    if word != _WORD or words != width * height * CHANNELS:
        raise ValueError(f"it packs {words} words of {word} bits, the picture needs {width * height * CHANNELS} of 8")
    lengths = [bits.read(4) + 1 for _size in range(4)]
    alpha = np.zeros(width * height, np.uint8)
    at = 0
    while at < words:
        repeated, size = bits.read(1), lengths[bits.read(2)]
        end = at + bits.read(size) + 1
        if end > words:
            raise ValueError("a run of the packed picture is too long")
        if repeated:
            alpha[at // CHANNELS : end // CHANNELS] = bits.read(_WORD)
        else:
            for place in range(at, end):
                value = bits.read(_WORD)
                if place % CHANNELS == CHANNELS - 1:
                    alpha[place // CHANNELS] = value
        at = end
    return alpha.reshape(height, width)


def painted(alpha: NDArray[np.uint8]) -> Mask:
    """The pixels at least half as opaque as the most opaque one, since the borders of strokes fade."""
    most = int(alpha.max(initial=0))
    mask: Mask = alpha.astype(np.int64) * 2 >= max(most, 1)
    return mask
