"""A picture of few values as runs of equal ones, row by row: every structure that is a set of values is read off them,
and the pixels are looked at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ValueRuns:
    """Where each run starts, in reading order, and the value of its pixels."""

    starts: NDArray[np.int64]
    values: NDArray[Any]

    def toggles(self, chosen: Flags) -> Toggles:
        """The mask of the chosen runs."""
        flips = np.append(chosen[:1], chosen[1:] != chosen[:-1])
        toggles: Toggles = self.starts[flips].astype(np.int32)
        return toggles


def value_runs(samples: NDArray[Any]) -> ValueRuns:
    if samples.ndim != 2 or not samples.size:
        raise ValueError(f"samples have shape {samples.shape}, expected two dimensions and a pixel")
    flat = samples.ravel()
    starts = np.append(0, np.flatnonzero(flat[1:] != flat[:-1]) + 1)
    return ValueRuns(starts, flat[starts])
