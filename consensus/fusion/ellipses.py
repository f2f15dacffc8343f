"""Tilted ellipses become one: their masks are voted, and the vote is described by an ellipse again.

Semi-axes and angles are never averaged: an ellipse at 179° and one at 1° are nearly the same, their mean at 90° is not.
"""

import math
from collections.abc import Sequence

import numpy as np

from annotator.geometry.ellipse import Ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from annotator.geometry.row_runs import row_runs
from annotator.geometry.runs import Toggles
from consensus.fusion.votes import Votes, count_votes


def ellipse_votes(ellipses: Sequence[Ellipse], width: int, height: int) -> Votes:
    return count_votes([ellipse_toggles(one, width, height) for one in ellipses], width, height)


def fitted_ellipse(toggles: Toggles, width: int, height: int) -> Ellipse:
    """The ellipse with the centroid and the second moments of a mask; ValueError when the mask is empty.

    A filled ellipse has the variance a²/4 along its semi-axis a. Each pixel adds 1/12, the variance within a pixel, to
    both axes; the sums run over the runs of the mask, not over its pixels.
    """
    runs = row_runs(toggles, width, height)
    if not len(runs.rows):
        raise ValueError("mask is empty: no ellipse can be fitted")
    rows, lengths = runs.rows.astype(np.float64), runs.lengths.astype(np.float64)
    area = lengths.sum()
    centres = (runs.first + runs.last) / 2
    mean_x, mean_y = (lengths @ centres) / area, (lengths @ rows) / area
    dx, dy = centres - mean_x, rows - mean_y
    # A run of n pixels has the variance (n² − 1)/12 around its own centre.
    xx = (lengths @ (dx**2 + (lengths**2 - 1) / 12)) / area + 1 / 12
    yy = (lengths @ dy**2) / area + 1 / 12
    xy = (lengths @ (dx * dy)) / area
    values, vectors = np.linalg.eigh(np.array([[xx, xy], [xy, yy]]))
    along = vectors[:, 1]
    theta = math.degrees(math.atan2(along[1], along[0])) % 180
    a, b = 2 * math.sqrt(values[1]), 2 * math.sqrt(values[0])
    return Ellipse(float(mean_x) + 0.5, float(mean_y) + 0.5, a, b, theta)
