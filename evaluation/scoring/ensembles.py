"""Entries joined to one: the best M of them, for every M.

Entries come best first; row M − 1 of a result, or its M-th mask, is the ensemble of the first M.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from annotator.geometry.runs import Toggles
from consensus.fusion.masks import majority
from consensus.fusion.votes import count_votes
from evaluation.metrics.evidence import Flags, Numbers
from evaluation.scoring.ranks import Ints
from protocols.scoring_names import EnsembleRule


def best_first(values: Numbers, *, higher: bool) -> Ints:
    """The numbers of the entries in the order of a metric; equal ones keep theirs, NaN comes last."""
    return np.argsort(-values if higher else values, kind="stable").astype(np.int64)


def majority_masks(masks: Sequence[Toggles], width: int, height: int) -> Iterator[Toggles]:
    """Pixels that more than half of the first M masks mark. The masks are swept once for all M."""
    votes = count_votes(masks, width, height)
    for many in range(1, len(masks) + 1):
        yield majority(replace(votes, graders=many, patterns=votes.patterns & ((1 << many) - 1)))


def mean_likelihoods(scores: Numbers) -> Numbers:
    """Mean of the first M entries' numbers (entries × cases), each case by itself."""
    return np.cumsum(scores, axis=0) / np.arange(1, len(scores) + 1)[:, None]


def mean_normalised_likelihoods(scores: Numbers) -> Numbers:
    """The same after each entry's numbers are stretched to run from 0 to 1 over the cases; constant ones become ½.

    REFUGE averages normalised likelihoods and does not say how it normalised them.
    """
    low, high = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    stretched = np.divide(scores - low, high - low, out=np.full(scores.shape, 0.5), where=high > low)
    return mean_likelihoods(stretched)


def mean_points(points: Numbers) -> Numbers:
    """Mean of the first M entries' points (entries × cases × 2) where more than half of these saw one, else NaN."""
    seen: Flags = np.logical_and.reduce(np.isfinite(points), axis=2)
    many = np.arange(1, len(points) + 1)[:, None]
    saw = np.cumsum(seen, axis=0)
    total = np.cumsum(np.where(seen[..., None], points, 0.0), axis=0)
    visible = 2 * saw > many  # the rule of a reference: consensus.fusion.points.is_visible
    return np.where(visible[..., None], total / np.maximum(saw, 1)[..., None], np.nan)


ENSEMBLES: Mapping[EnsembleRule, Callable[[Numbers], Numbers]] = {
    EnsembleRule.MEAN_LIKELIHOOD: mean_likelihoods,
    EnsembleRule.MEAN_NORMALISED_LIKELIHOOD: mean_normalised_likelihoods,
    EnsembleRule.MEAN_POINT: mean_points,
}
"""Rules that join numbers; masks are joined by `majority_masks`."""
