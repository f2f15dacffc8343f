"""Difference in angle opening distance (AGE, Eq. 1 and 2): the error that hides a disease weighs more.

An open angle measured too narrow, and a closed one measured too wide, count `harder`; the other error `milder`.
"""

import numpy as np

from evaluation.metrics.evidence import Numbers, Openings
from evaluation.metrics.tally import ratio


def penalties(angles: Openings, *, milder: float, harder: float) -> Numbers:
    """weight · |z − z*| of each angle, z the candidate's distance; NaN where an angle takes no part."""
    difference = angles.candidate - angles.reference
    weight = np.where((difference > 0) != angles.closed, milder, harder)
    return weight * np.abs(difference)


def by_direction(angles: Openings) -> tuple[Numbers, Numbers, Numbers]:
    """Addends: |z − z*| of the errors that count milder, of those that count harder, and the number of angles."""
    takes_part = np.isfinite(angles.reference)
    if (takes_part & ~np.isfinite(angles.candidate)).any():
        raise ValueError("candidate has no distance where the reference has one")
    difference = np.where(takes_part, angles.candidate - angles.reference, 0.0)
    mild = (difference > 0) != angles.closed
    return np.abs(difference) * mild, np.abs(difference) * ~mild, takes_part.astype(float)


def mean_penalty(totals: Numbers, *, milder: float, harder: float) -> Numbers:
    mild, hard, angles = totals.T
    return ratio(milder * mild + harder * hard, angles)
