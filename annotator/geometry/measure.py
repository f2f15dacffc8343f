"""Numbers taken from one mask, on its runs.

The vertical diameter of a disc or cup has two readings in use. `vertical_extent` (the paper's, as we read it) is the
number of rows of the largest 8-connected component; `longest_column` (the REFUGE organisers' code) the largest number
of foreground pixels in any one column.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from annotator.geometry.row_runs import Numbers, RowRuns, row_runs
from annotator.geometry.runs import Toggles

ORGANISERS_ADDEND = 1e-7  # what their code adds to the disc's diameter, so that it is never 0


def vertical_extent(toggles: Toggles, width: int, height: int) -> int:
    """Last row − first row + 1 of the largest 8-connected component, of equally large ones the first in reading order;
    0 when the mask is empty."""
    runs = row_runs(toggles, width, height)
    if not len(runs.rows):
        return 0
    rows = runs.rows[_largest_component(runs)]
    return int(rows[-1] - rows[0]) + 1


def longest_column(toggles: Toggles, width: int, height: int) -> int:
    """The largest number of foreground pixels in any one column; 0 when the mask is empty."""
    runs = row_runs(toggles, width, height)
    changes = np.zeros(width + 1, dtype=np.int64)
    np.add.at(changes, runs.first, 1)
    np.add.at(changes, runs.last + 1, -1)
    return int(np.cumsum(changes).max())


def vcdr_extent(cup: Toggles, disc: Toggles, width: int, height: int) -> float:
    """Vertical cup-to-disc ratio by `vertical_extent`; 0 when the disc is empty."""
    diameter = vertical_extent(disc, width, height)
    return vertical_extent(cup, width, height) / diameter if diameter else 0.0


def vcdr_longest_column(cup: Toggles, disc: Toggles, width: int, height: int) -> float:
    """Vertical cup-to-disc ratio as the organisers of REFUGE compute it; 0 when the disc is empty."""
    diameter = longest_column(disc, width, height)
    return longest_column(cup, width, height) / (diameter + ORGANISERS_ADDEND) if diameter else 0.0


def share_of_field(area_px: int, field_px: int) -> float:
    """The part of the field of view that a structure covers."""
    if field_px < 1:
        raise ValueError(f"field_px is {field_px}: there is no field of view")
    return area_px / field_px


def _largest_component(runs: RowRuns) -> Numbers:
    """Which runs belong to the largest 8-connected component, in reading order."""
    above, below = _touching(runs)
    count = len(runs.rows)
    if len(above) == count - 1 and (below - above == 1).all():
        return np.arange(count)  # a chain of runs, as in any convex shape, needs no search
    links = coo_array((np.ones(len(above), dtype=np.bool_), (above, below)), shape=(count, count))
    _components, component = connected_components(links, directed=False)
    pixels = np.bincount(component, weights=runs.lengths)
    largest = pixels[component] == pixels.max()
    return np.flatnonzero(component == component[np.flatnonzero(largest)[0]])


def _touching(runs: RowRuns) -> tuple[Numbers, Numbers]:
    """All pairs of runs in neighbouring rows that touch, also by a corner: the upper and the lower one."""
    stride = int(runs.last.max()) + 3
    starts, ends = runs.rows * stride + runs.first, runs.rows * stride + runs.last
    left = np.searchsorted(ends, starts + stride - 1, side="left")
    right = np.searchsorted(starts, ends + stride + 1, side="right")
    spans = np.maximum(right - left, 0)
    above = np.repeat(np.arange(len(starts)), spans)
    within = np.arange(len(above)) - np.repeat(np.cumsum(spans) - spans, spans)
    return above, np.repeat(left, spans) + within
