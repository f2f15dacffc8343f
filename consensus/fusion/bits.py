"""Masks as packed bits, 64 pixels a word: for masks so ragged that their runs are many.

What graders share is then counted by `and` and a count of bits, whatever the masks look like, while sorting toggles
takes longer the more there are.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles

Words = NDArray[np.uint64]
PIXELS_OF_A_PAIR_PER_TOGGLE = 600
"""So many pixels of one pair of masks are compared in the time in which one toggle is sorted, as
`tests.benchmarks.bench_fusion` measures it."""
_WORD = 64
_ALL = np.uint64(2**64 - 1)


def are_ragged(masks: Sequence[Toggles], width: int, height: int) -> bool:
    """Whether comparing every two masks bit by bit is faster than sorting their toggles together."""
    pairs = len(masks) * (len(masks) + 1) // 2
    return sum(map(len, masks)) * PIXELS_OF_A_PAIR_PER_TOGGLE > pairs * width * height


def packed(toggles: Toggles, width: int, height: int) -> Words:
    """Pixel p is bit p mod 64, the lowest first, of word p div 64; bits behind the last pixel are 0."""
    count = width * height
    if len(toggles) and (int(toggles[0]) < 0 or int(toggles[-1]) >= count):
        raise ValueError(f"toggles leave the {width}×{height} pixels of the picture")
    words = -(-count // _WORD)
    if not len(toggles):
        return np.zeros(words, dtype=np.uint64)
    places = toggles.astype(np.int64) // _WORD
    from_here = _ALL << (toggles % _WORD).astype(np.uint64)  # a toggle turns over all pixels that follow it …
    first = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
    turned, hit = np.bitwise_xor.reduceat(from_here, first), places[first]
    odd = np.zeros(words + 1, dtype=np.uint8)
    odd[hit + 1] = np.diff(np.append(first, len(toggles))) & 1
    bits: Words = np.uint64(0) - np.bitwise_xor.accumulate(odd[:-1]).astype(np.uint64)  # … those of later words too
    bits[hit] ^= turned
    if count % _WORD:
        bits[-1] &= _ALL >> np.uint64(_WORD - count % _WORD)
    return bits


def shared_bits(masks: Sequence[Words]) -> NDArray[np.float64]:
    """How many pixels each two masks share, and on the diagonal how many each one holds."""
    shared = np.zeros((len(masks), len(masks)))
    for first, mask in enumerate(masks):
        for second in range(first + 1):
            both = int(np.bitwise_count(mask & masks[second]).sum(dtype=np.int64))
            shared[first, second] = shared[second, first] = both
    return shared
