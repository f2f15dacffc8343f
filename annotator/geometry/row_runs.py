"""A mask's foreground as runs that end with their row: what shapes are measured on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RowRuns:
    """In reading order; a run covers the columns `first` to `last` of its row, both included."""

    rows: Numbers
    first: Numbers
    last: Numbers

    @cached_property
    def lengths(self) -> Numbers:
        return self.last - self.first + 1


def row_runs(toggles: Toggles, width: int, height: int) -> RowRuns:
    """Every foreground run, cut at the ends of rows."""
    edges = toggles.astype(np.int64)
    if len(edges) % 2:
        edges = np.append(edges, width * height)
    starts, ends = edges[::2], edges[1::2]
    top = starts // width
    spans = (ends - 1) // width - top + 1
    pieces = np.repeat(np.arange(len(starts)), spans)
    rows = top[pieces] + np.arange(len(pieces)) - np.repeat(np.cumsum(spans) - spans, spans)
    first = np.maximum(starts[pieces], rows * width) - rows * width
    last = np.minimum(ends[pieces], (rows + 1) * width) - rows * width - 1
    return RowRuns(rows, first, last)
