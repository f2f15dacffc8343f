"""Adjusted Rand index of two label images (Hubert and Arabie, J Classif 1985;2:193–218), from pairs of pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.label_table import LabelTable, Numbers


@dataclass(frozen=True)
class PixelPairs:
    """Pairs of pixels of one image: together on both sides, in the reference, in the candidate, and all."""

    both: float
    reference: float
    candidate: float
    every: float


def pixel_pairs(table: LabelTable) -> PixelPairs:
    """The background is one object of its image."""
    size = np.array([table.reference_numbers.size])
    parts = (table.pixels, table.reference_areas, table.candidate_areas, size)
    both, reference, candidate, every = (_pairs(part) for part in parts)
    return PixelPairs(both, reference, candidate, every)


def adjusted_rand_index(
    both: NDArray[np.float64],
    reference: NDArray[np.float64],
    candidate: NDArray[np.float64],
    every: NDArray[np.float64],
) -> NDArray[np.float64]:
    """(c − ab/N) / (½(a + b) − ab/N) with c, a, b, N in the order of the arguments; 1 where the denominator is 0.

    As a and b are at most N, that is so exactly where both are N (one object on either side) or both 0 (every pixel its
    own): told by comparing, because the difference of two rounded numbers need not be 0.
    """
    same = (reference == candidate) & ((reference == every) | (reference == 0))
    expected = np.divide(reference * candidate, every, out=np.zeros_like(every), where=every > 0)
    over = (reference + candidate) / 2 - expected
    return np.where(same, 1.0, np.divide(both - expected, over, out=np.zeros_like(over), where=~same))


def _pairs(counts: Numbers) -> float:
    """Σ n(n − 1)/2, summed as integers."""
    return float((counts * (counts - 1) // 2).sum())
