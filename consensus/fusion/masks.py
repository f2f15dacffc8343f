"""Masks become one mask by a vote."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annotator.geometry.ellipse import Mask
from annotator.geometry.runs import Toggles, encode
from consensus.fusion.votes import Votes
from protocols.names import TieRule

# Two distances that cancel may leave a rounding error, whose sign would depend on the order of the graders; a share of
# the graders such as 0.6 of 5 is not a whole number in floating point either.
ROUNDING = 1e-9


def majority(votes: Votes, ties: TieRule = TieRule.BACKGROUND, more_than: float = 0.5) -> Toggles:
    """Pixels marked by more than half of the graders, or another share; a tie is foreground only if `ties` says so.

    Where ties are left to the senior they stay background here, and `tied` shows them.
    """
    above = votes.counts - more_than * votes.graders
    return votes.where(above >= -ROUNDING if ties is TieRule.FOREGROUND else above > ROUNDING)


def tied(votes: Votes, more_than: float = 0.5) -> Toggles:
    """Pixels marked by exactly half of the graders, or another share."""
    return votes.where(np.abs(votes.counts - more_than * votes.graders) <= ROUNDING)


def union(votes: Votes) -> Toggles:
    """Pixels that anybody marked."""
    return votes.where(votes.counts > 0)


def intersection(votes: Votes) -> Toggles:
    """Pixels that everybody marked."""
    return votes.where(votes.counts == votes.graders)


def soft_map(votes: Votes) -> NDArray[np.float64]:
    """Share of the graders who marked each pixel, as a picture."""
    return (np.repeat(votes.counts, votes.lengths) / votes.graders).reshape(votes.height, votes.width)


def mean_shape(votes: Votes) -> Toggles:
    """Pixels where the mean of the graders' signed distances is above 0.

    The distance of a pixel inside a mask is that to the nearest pixel outside it, and positive; of one outside, to the
    nearest inside, and negative; Euclidean, between pixel centres. A grader who marked nothing, or everything, counts
    with the diagonal of the picture everywhere.
    """
    full = np.repeat(votes.patterns, votes.lengths).reshape(votes.height, votes.width)
    rows, columns = _box(full != 0)
    total = np.zeros(full[rows, columns].shape)
    diagonal = float(np.hypot(votes.width, votes.height))
    for grader in range(votes.graders):
        total += _signed_distances((full[rows, columns] >> grader) & 1 == 1, diagonal)
    shape: Mask = np.zeros(full.shape, dtype=np.bool_)
    shape[rows, columns] = total > ROUNDING * votes.graders
    return encode(shape)


def _box(marked: Mask) -> tuple[slice, slice]:
    """The marked part with a margin of one pixel, which holds the nearest background of every pixel in it."""
    if not marked.any():
        return slice(0, 1), slice(0, 1)
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    return slice(max(0, rows[0] - 1), rows[-1] + 2), slice(max(0, columns[0] - 1), columns[-1] + 2)


def _signed_distances(mask: Mask, diagonal: float) -> NDArray[np.float64]:
    if not mask.any():
        return np.full(mask.shape, -diagonal)
    if mask.all():
        return np.full(mask.shape, diagonal)
    inside: NDArray[np.float64] = ndimage.distance_transform_edt(mask)
    outside: NDArray[np.float64] = ndimage.distance_transform_edt(~mask)
    return inside - outside
