"""Open lines of straight edges."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Points = Sequence[Sequence[float]]
_NOTHING = 1e-12


def apart_px(one: Points, other: Points) -> float:
    """The greatest distance of a vertex of either line from the other line."""
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    for name, line in (("one", first), ("other", second)):
        if line.ndim != 2 or line.shape[0] < 2 or line.shape[1] != 2:
            raise ValueError(f"{name} has shape {line.shape}, expected at least two points")
    return float(max(_from_line(first, second).max(), _from_line(second, first).max()))


def _from_line(points: NDArray[np.float64], line: NDArray[np.float64]) -> NDArray[np.float64]:
    starts, steps = line[:-1], np.diff(line, axis=0)
    shares = ((points[:, None] - starts) * steps).sum(axis=2) / np.maximum((steps**2).sum(axis=1), _NOTHING)
    feet = starts + np.clip(shares, 0.0, 1.0)[..., None] * steps
    return np.asarray(np.sqrt(((points[:, None] - feet) ** 2).sum(axis=2)).min(axis=1))
