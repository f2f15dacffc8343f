"""Anterior-segment OCT scans whose spur and angle opening distance are known by construction.

The posterior corneal surface is an arc of a circle. Each side's anterior iris surface starts with it at
the recess, follows it while the angle is closed, then leaves it along a straight line and bends to the
pupil. AOD500: from the spur 500 µm along the arc; there the perpendicular (the circle's radius) meets the
straight part of the iris; the distance is the AOD. It is 0 where the iris still lies on the cornea.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.imaging.synthetic.asoct_paint import paint_asoct
from annotator.imaging.synthetic.chamber import AsOctTruth, plan_asoct
from annotator.imaging.synthetic.noise import generator

WIDTH, HEIGHT = 2130, 998


@dataclass(frozen=True)
class AsOctPicture:
    """A grey picture (height, width) and its truth."""

    image: NDArray[np.uint8]
    truth: AsOctTruth


def draw_asoct(
    seed: int,
    *,
    left_closed: bool = False,
    right_closed: bool = False,
    um_per_px: float = 7.5,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> AsOctPicture:
    """One scan of 16 × 7.5 mm at the default size; a smaller picture shows the same with larger pixels."""
    if not (math.isfinite(um_per_px) and um_per_px > 0):
        raise ValueError(f"um_per_px is {um_per_px}, expected a positive number")
    truth, chamber = plan_asoct(seed, left_closed, right_closed, um_per_px * WIDTH / width, width, height)
    return AsOctPicture(paint_asoct(truth, chamber, generator(seed, "asoct speckle")), truth)
