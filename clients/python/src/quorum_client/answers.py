"""The forms that answers take. Coordinates are in pixels of the photograph, x to the right, y down; the middle of the
first pixel is (0.5, 0.5)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
LabelMap = NDArray[np.integer[Any]]


class Point(NamedTuple):
    x: float
    y: float


class Ellipse(NamedTuple):
    """Semi-axes `a` and `b`; `theta_deg` clockwise on the screen, from the x axis to the first semi-axis."""

    cx: float
    cy: float
    a: float
    b: float
    theta_deg: float
