"""Distances between the boundaries of two masks, and what is read off them.

A boundary is made of the pixels of a mask that have a pixel outside it to the left or right, above or below; beyond the
picture is outside (as in medpy and MONAI). Distances are in pixels between pixel centres. "Hausdorff distance over all
pixels" is another number: a hole, slit or deep bay tells them apart (see `object_hausdorff`).

Empty rule of every summary: with both masks empty there is nothing to measure and the value is NaN; with one empty it
is the worst: the image diagonal, or 0 for the surface Dice. Leaving such images out would reward missing the structure.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from annotator.geometry.ellipse import Mask

Distances = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SurfaceDistances:
    """From each boundary pixel of one mask to the nearest one of the other.

    An empty mask has no boundary pixels; those of the other are then an image diagonal away.
    """

    from_reference: Distances
    from_candidate: Distances
    diagonal_px: float

    @property
    def both_empty(self) -> bool:
        return not len(self.from_reference) and not len(self.from_candidate)

    @property
    def one_empty(self) -> bool:
        return bool(len(self.from_reference)) != bool(len(self.from_candidate))


def surface_distances(reference: Mask, candidate: Mask) -> SurfaceDistances:
    for name, mask in (("reference", reference), ("candidate", candidate)):
        if mask.ndim != 2 or mask.dtype != np.bool_:
            raise ValueError(f"{name} is {mask.dtype} of shape {mask.shape}, expected a two-dimensional bool array")
    if reference.shape != candidate.shape:
        raise ValueError(f"candidate has shape {candidate.shape}, reference {reference.shape}")
    diagonal = math.hypot(*reference.shape)
    of_reference, of_candidate = boundary(reference), boundary(candidate)
    if not len(of_reference) or not len(of_candidate):
        return SurfaceDistances(np.full(len(of_reference), diagonal), np.full(len(of_candidate), diagonal), diagonal)
    return SurfaceDistances(
        cKDTree(of_candidate).query(of_reference)[0], cKDTree(of_reference).query(of_candidate)[0], diagonal
    )


def boundary(mask: Mask) -> NDArray[np.int64]:
    """Rows and columns of the boundary pixels, N × 2."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return np.empty((0, 2), dtype=np.int64)
    top, left = int(rows[0]), int(columns[0])
    held = np.pad(mask[top : rows[-1] + 1, left : columns[-1] + 1], 1)  # of a large picture mostly a small part
    inside = held[:-2, 1:-1] & held[2:, 1:-1] & held[1:-1, :-2] & held[1:-1, 2:]
    found: NDArray[np.int64] = np.argwhere(held[1:-1, 1:-1] & ~inside) + np.array([top, left])
    return found


def boundary_hausdorff(distances: SurfaceDistances) -> float:
    """The largest distance of a boundary pixel to the other boundary."""
    return float(_together(distances).max()) if not distances.both_empty else math.nan


def hd95_pooled(distances: SurfaceDistances) -> float:
    """95th percentile (linear) of the distances of both boundaries together, as in medpy."""
    return float(np.percentile(_together(distances), 95)) if not distances.both_empty else math.nan


def hd95_larger_directed(distances: SurfaceDistances) -> float:
    """The larger one of the two boundaries' 95th percentiles (linear), as in MONAI."""
    return max((float(np.percentile(side, 95)) for side in _sides(distances)), default=math.nan)


def assd_mean_of_directed(distances: SurfaceDistances) -> float:
    """½ [mean distance of the reference's boundary + mean distance of the candidate's], as in medpy."""
    sides = _sides(distances)
    return sum(float(side.mean()) for side in sides) / len(sides) if sides else math.nan


def assd_pooled(distances: SurfaceDistances) -> float:
    """Mean distance over the pixels of both boundaries together, as in MONAI: the longer boundary weighs more."""
    return float(_together(distances).mean()) if not distances.both_empty else math.nan


def surface_dice(distances: SurfaceDistances, tolerance_px: float) -> float:
    """Share of boundary pixels, of both masks together, within the tolerance of the other boundary.

    S. Nikolov et al., J Med Internet Res 2021;23:e26151, with boundary pixels in the place of surface elements.
    """
    if tolerance_px < 0:
        raise ValueError(f"tolerance_px is {tolerance_px}, below 0")
    if distances.both_empty:
        return math.nan
    return float((_together(distances) <= tolerance_px).mean()) if not distances.one_empty else 0.0


def _together(distances: SurfaceDistances) -> Distances:
    return np.concatenate((distances.from_reference, distances.from_candidate))


def _sides(distances: SurfaceDistances) -> list[Distances]:
    """The boundaries that there are."""
    return [side for side in (distances.from_reference, distances.from_candidate) if len(side)]
