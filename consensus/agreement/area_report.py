"""Agreement on areas: how far the graders' masks of many images overlap."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.figures import Figure, Table, low_outliers, mean_known, mean_of_others, resampled
from consensus.agreement.measure_report import iccs


@dataclass(frozen=True, eq=False)
class Areas:
    """Of n images and k graders: pixels that each two share, n × k × k, on the diagonal those that each one marked; NaN
    where one of them has not read the image."""

    shared: NDArray[np.float64]
    subjects: Sequence[int]

    @property
    def marked(self) -> Table:
        return np.diagonal(self.shared, axis1=1, axis2=2)


@dataclass(frozen=True, eq=False)
class AreaReport:
    """Rows of `graders`: images read, mean Dice with the others, how much more than the others each one marks (as a
    share of their mean), and in how many images the Dice with the others is an outlier.

    Of images in which somebody marked something; there two who both marked nothing agree. Were such pairs left out,
    one grader's invention would stand against everybody alike."""

    figures: list[Figure]
    dice: Table
    jaccard: Table
    with_others: list[float]
    more_than_others: list[float]
    outliers: list[int]
    read: list[int]
    gci: NDArray[np.float64]
    disagreement: NDArray[np.float64]  # per image, 1 − GCI where two who both marked nothing agree


def area_report(areas: Areas) -> AreaReport:
    both, either = _pair_sums(areas.shared)
    gci: NDArray[np.float64] = np.divide(both, either, out=np.full(len(both), np.nan), where=either > 0)
    dice, jaccard = _pairwise(areas.shared)
    per_image, jaccards = _row_means(dice), _row_means(jaccard)
    with_others = _with_others(areas.shared, dice)
    compared = np.isfinite(gci)
    subjects = np.asarray(areas.subjects)[compared]
    missing = int((~compared).sum())
    marked = areas.marked
    others = mean_of_others(marked)
    more = np.divide(marked - others, others, out=np.full(marked.shape, np.nan), where=others > 0)
    overlaps, unions, means = both[compared], either[compared], per_image[compared]
    covered = jaccards[compared]
    return AreaReport(
        figures=[
            resampled("gci", lambda rows: float(gci[compared][rows].mean()), subjects.tolist(), left_out=missing),
            resampled(
                "gci-pooled",
                lambda rows: float(overlaps[rows].sum() / unions[rows].sum()),
                subjects.tolist(),
                left_out=missing,
            ),
            resampled("pairwise-dice", lambda rows: mean_known(means[rows]), subjects.tolist(), left_out=missing),
            resampled("pairwise-jaccard", lambda rows: mean_known(covered[rows]), subjects.tolist(), left_out=missing),
            *(replace(figure, key=f"area-{figure.key}") for figure in iccs(marked)),
        ],
        dice=_image_means(dice),
        jaccard=_image_means(jaccard),
        with_others=[mean_known(column) for column in with_others.T],
        more_than_others=[mean_known(column) for column in more.T],
        outliers=low_outliers(with_others).sum(axis=0).tolist(),
        read=np.isfinite(marked).sum(axis=0).tolist(),
        gci=gci,
        disagreement=(1 - gci) * _pairs_with_a_mark(marked),
    )


def _pair_sums(shared: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Per image, intersections and unions summed over the pairs of graders who both read it."""
    first, second = np.triu_indices(shared.shape[1], k=1)
    own = np.diagonal(shared, axis1=1, axis2=2)
    inside = shared[:, first, second]
    unions = own[:, first] + own[:, second] - inside
    return np.nansum(inside, axis=1), np.nansum(unions, axis=1)


def _pairs_with_a_mark(marked: Table) -> NDArray[np.float64]:
    """Per image, the share of the pairs of its readers in which at least one marked something."""
    readers, empty = np.isfinite(marked).sum(axis=1), (marked == 0).sum(axis=1)
    pairs, agreed = readers * (readers - 1) / 2, empty * (empty - 1) / 2
    share: NDArray[np.float64] = 1 - np.divide(agreed, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return share


def _pairwise(shared: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Dice and Jaccard of every two graders in every image; NaN where both marked nothing and on the diagonal."""
    own = np.diagonal(shared, axis1=1, axis2=2)
    sums = own[:, :, np.newaxis] + own[:, np.newaxis, :]
    nothing = np.full(shared.shape, np.nan)
    dice = np.divide(2 * shared, sums, out=nothing.copy(), where=sums > 0)
    jaccard = np.divide(shared, sums - shared, out=nothing, where=sums > 0)
    graders = np.arange(shared.shape[1])
    dice[:, graders, graders] = jaccard[:, graders, graders] = np.nan
    return dice, jaccard


def _row_means(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([mean_known(image) for image in pairs])


def _with_others(shared: NDArray[np.float64], dice: NDArray[np.float64]) -> Table:
    own = np.diagonal(shared, axis1=1, axis2=2)
    neither = (own[:, :, np.newaxis] == 0) & (own[:, np.newaxis, :] == 0)
    agreed = np.where(neither & (np.nansum(own, axis=1) > 0)[:, np.newaxis, np.newaxis], 1.0, dice)
    graders = np.arange(own.shape[1])
    agreed[:, graders, graders] = np.nan
    return np.array([[mean_known(row) for row in image] for image in agreed]).reshape(dice.shape[:2])


def _image_means(pairs: NDArray[np.float64]) -> Table:
    size = pairs.shape[1]
    return np.array([[mean_known(pairs[:, a, b]) for b in range(size)] for a in range(size)]).reshape(size, size)
