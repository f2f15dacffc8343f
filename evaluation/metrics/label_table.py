"""Which objects of two label images share pixels, counted once.

A label image holds 0 where there is nothing and a positive integer per object; separate parts with one label are one
object. Objects are numbered 1, 2, … in the order of their labels, so that the smallest label is the smallest number.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST_LABEL = 65_535
Labels = NDArray[np.integer[Any]]
Numbers = NDArray[np.int64]
Picture = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Matches:
    """For each object of one side (object n at place n − 1) the object of the other side that it shares most pixels
    with, of equals the smallest label, and how many those are; 0 and 0 without overlap."""

    partner: Numbers
    shared: Numbers


@dataclass(frozen=True, eq=False)
class LabelTable:
    """The cells of the contingency table that are not zero; object 0 is the background."""

    reference_numbers: Picture
    """H × W: the number of the reference object that each pixel belongs to."""
    candidate_numbers: Picture
    reference_areas: Numbers
    """Pixels of the background and of each reference object."""
    candidate_areas: Numbers
    reference: Numbers
    """The reference object of each cell."""
    candidate: Numbers
    pixels: Numbers

    @cached_property
    def of_reference(self) -> Matches:
        return _matches(self.reference, self.candidate, self.pixels, len(self.reference_areas))

    @cached_property
    def of_candidate(self) -> Matches:
        return _matches(self.candidate, self.reference, self.pixels, len(self.candidate_areas))


def label_table(reference: Labels, candidate: Labels) -> LabelTable:
    if reference.shape != candidate.shape:
        raise ValueError(f"candidate has shape {candidate.shape}, reference {reference.shape}")
    of_reference, of_candidate = _numbered(reference, "reference"), _numbered(candidate, "candidate")
    rows, columns = int(of_reference.max(initial=0)) + 1, int(of_candidate.max(initial=0)) + 1
    cells = of_reference.astype(np.int64)
    cells *= columns
    cells += of_candidate
    if rows * columns <= max(4 * cells.size, 1 << 20):
        counts = np.bincount(cells.ravel(), minlength=rows * columns)
        found = np.flatnonzero(counts)
        pixels = counts[found]
    else:  # tens of thousands of labels on both sides: the whole table would not fit into memory
        found, pixels = np.unique(cells, return_counts=True)
    row, column = np.divmod(found, columns)
    return LabelTable(
        of_reference,
        of_candidate,
        np.bincount(row, weights=pixels, minlength=rows).astype(np.int64),
        np.bincount(column, weights=pixels, minlength=columns).astype(np.int64),
        row,
        column,
        pixels,
    )


def _numbered(labels: Labels, name: str) -> Picture:
    if labels.ndim != 2 or not np.issubdtype(labels.dtype, np.integer):
        raise ValueError(f"{name} is {labels.dtype} of shape {labels.shape}, expected a two-dimensional label image")
    if labels.size and not 0 <= int(labels.min()) <= int(labels.max()) <= LARGEST_LABEL:
        raise ValueError(f"{name} has labels outside 0 … {LARGEST_LABEL}")
    present = np.bincount(labels.ravel(), minlength=1) > 0
    present[0] = False
    numbers = np.cumsum(present).astype(np.uint16)
    of_pixels: Picture = numbers[labels]
    return of_pixels


def _matches(objects: Numbers, others: Numbers, pixels: Numbers, count: int) -> Matches:
    both = (objects > 0) & (others > 0)
    objects, others, pixels = objects[both], others[both], pixels[both]
    order = np.lexsort((others, -pixels, objects))
    found, first = np.unique(objects[order], return_index=True)
    partner, shared = np.zeros(count - 1, dtype=np.int64), np.zeros(count - 1, dtype=np.int64)
    partner[found - 1] = others[order][first]
    shared[found - 1] = pixels[order][first]
    return Matches(partner, shared)
