"""Left and right exchanged: where a mark lies in the picture as a mirror shows it.

Of a number that has digits to spare the mirror image of the mirror image is the number itself. Of any other it may be
off by the last bit, and is the same from then on: mirrored three times is mirrored once, to the bit.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.row_runs import row_runs
from annotator.geometry.runs import Toggles

_HALF_TURN_DEG = 180.0


def mirror_x(x: float, width: int) -> float:
    """In continuous coordinates: the left edge of the first pixel is 0, the right edge of the last is `width`."""
    return width - x


def mirror_line(points: Sequence[Sequence[float]], width: int) -> list[list[float]]:
    """The points in the order in which they were drawn."""
    return [[mirror_x(x, width), y] for x, y in points]


def mirror_ellipse(ellipse: Ellipse, width: int) -> Ellipse:
    """The tilt is given in [0°, 180°), as the page writes it."""
    tilt = -ellipse.theta_deg % _HALF_TURN_DEG
    # A tiny angle below zero rounds up to the half turn itself.
    return replace(ellipse, cx=mirror_x(ellipse.cx, width), theta_deg=tilt if tilt < _HALF_TURN_DEG else 0.0)


def mirror_toggles(toggles: Toggles, width: int, height: int) -> Toggles:
    """Pixel by pixel, without drawing the mask."""
    found = row_runs(toggles, width, height)
    order = np.lexsort((-found.last, found.rows))
    row = found.rows[order] * width
    starts, ends = row + width - 1 - found.last[order], row + width - found.first[order]
    # A run that goes on in the next row was cut there; one that reaches the last pixel has no end to tell.
    apart = starts[1:] != ends[:-1]
    starts, ends = starts[np.append(True, apart)[: len(starts)]], ends[np.append(apart, True)[: len(ends)]]
    edges = np.stack((starts, ends), axis=1).ravel()
    return edges[edges < width * height].astype(np.int32)


def mirror_packed(packed: bytes, width: int, height: int) -> bytes:
    """ValueError names the fault of bytes that are no packed runs."""
    return runs.pack(mirror_toggles(runs.unpack(packed, width, height), width, height))
