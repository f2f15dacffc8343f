"""Metrics of the boundaries of masks, as means over the cases; ids name the variant, because libraries differ."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import surface
from evaluation.metrics.definition import ALWAYS, Law, MetricDefinition
from evaluation.metrics.evidence import Evidence, Numbers
from evaluation.metrics.surface import SurfaceDistances
from evaluation.metrics.tally import Addends, Counts, mean_where, share, sums
from protocols.scoring_names import Direction


@dataclass(frozen=True, eq=False)
class Surfaces(Evidence):
    """The distances between the boundaries of each case's masks."""

    distances: NDArray[np.object_]

    @classmethod
    def of(cls, found: Sequence[SurfaceDistances]) -> Self:
        column = np.empty(len(found), dtype=np.object_)
        column[:] = found
        return cls(column)


def _mean(summary: Callable[..., float], **given: float) -> Addends:
    """Addends of the mean over the cases in which not both masks are empty."""

    def addends(surfaces: Surfaces) -> tuple[Numbers, Numbers]:
        values = np.array([summary(distances, **given) for distances in surfaces.distances])
        return mean_where(values, ~np.isnan(values))

    return addends


def _drawn(surfaces: Surfaces, counts: Counts) -> tuple[Surfaces, Counts]:
    return surfaces, counts


def _surface_dice(drawn: tuple[Surfaces, Counts], tolerance_px: float) -> Numbers:
    """How much lies within the tolerance can only be told when the tolerance is known."""
    summarise: Any = sums(_mean(surface.surface_dice, tolerance_px=tolerance_px))
    return share(summarise(*drawn))


hausdorff = MetricDefinition(
    id="hausdorff-boundary",
    needs=Surfaces,
    summarise=sums(_mean(surface.boundary_hausdorff)),
    value=share,
    direction=Direction.LOWER,
    high=math.inf,
    empty="one mask empty: the image diagonal; cases with both empty are left out, undefined without others",
    laws=ALWAYS | {Law.IDENTITY, Law.SYMMETRY},
)
SURFACE_METRICS = (
    hausdorff,
    replace(hausdorff, id="hd95-pooled", summarise=sums(_mean(surface.hd95_pooled))),
    replace(hausdorff, id="hd95-larger-directed", summarise=sums(_mean(surface.hd95_larger_directed))),
    replace(hausdorff, id="assd-mean-of-directed", summarise=sums(_mean(surface.assd_mean_of_directed))),
    replace(hausdorff, id="assd-pooled", summarise=sums(_mean(surface.assd_pooled))),
    replace(
        hausdorff,
        id="surface-dice-of-pixels",
        summarise=_drawn,
        value=_surface_dice,
        direction=Direction.HIGHER,
        high=1.0,
        empty="one mask empty: 0; cases with both empty are left out, undefined without others",
        parameters={"tolerance_px": 2.0},
    ),
)
