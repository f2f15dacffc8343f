"""STAPLE: the true mask and each grader's sensitivity and specificity, estimated together.

Warfield, Zou, Wells, IEEE Trans Med Imaging 2004;23:903–921, without spatial prior, as in ITK's STAPLEImageFilter: the
prior is the mean vote of the region and stays fixed. Pixels with the same pattern of votes have the same posterior, so
the estimate runs over the patterns that occur, not over pixels.

The more background a region holds, the higher the specificities and the fewer votes a pixel needs: whoever states a
result states the region and the prior too.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles
from consensus.fusion.regions import Box, cut
from consensus.fusion.votes import Votes

_SETTLED = 1e-14  # square of the last change of every sensitivity and specificity, as in ITK
_MOST_ROUNDS = 10_000


class NothingToEstimate(ValueError):
    """Nobody marked anything in the region, or everybody everything."""


@dataclass(frozen=True, eq=False)
class Staple:
    """`reference` holds the pixels of the region with a posterior above ½; `posterior` is given per run of `votes`,
    which are cut along the region's border, and is 0 outside it."""

    reference: Toggles
    votes: Votes
    posterior: NDArray[np.float64]
    sensitivity: NDArray[np.float64]
    specificity: NDArray[np.float64]
    prior: float
    region: Box
    rounds: int


def staple(votes: Votes, region: Box | None = None) -> Staple:
    """Estimate over a region, or the whole picture. `NothingToEstimate`, a ValueError, when all readings are empty
    there or all full: then nothing tells sensitivity from specificity, and ITK's answer is NaN."""
    region = region or Box(0, 0, votes.width, votes.height)
    votes, inside = cut(votes, region)
    distinct, place = votes.pixels_by_pattern[0], votes.pattern_of_run
    pixels = np.bincount(place, weights=np.where(inside, votes.lengths, 0), minlength=len(distinct))
    occurs = pixels > 0  # an unobserved pattern would divide 0 by 0
    marked = (distinct[occurs, np.newaxis] >> np.arange(votes.graders)) & 1 == 1
    pixels, posterior = pixels[occurs], marked.mean(axis=1)
    prior = float(pixels @ posterior) / float(pixels.sum())
    if prior in (0.0, 1.0):
        raise NothingToEstimate("readings are all empty or all full: sensitivity and specificity cannot be estimated")
    rates, change, rounds = np.zeros((2, votes.graders)), np.inf, 0
    while rounds < _MOST_ROUNDS and change > _SETTLED:
        rounds += 1
        within, without = pixels * posterior, pixels * (1 - posterior)
        before, rates = rates, np.stack((within @ marked / within.sum(), without @ ~marked / without.sum()))
        posterior = _posterior(marked, rates[0], rates[1], prior)
        change = float(((rates - before) ** 2).max())
    by_pattern = np.zeros(len(distinct))
    by_pattern[occurs] = posterior
    by_run = np.where(inside, by_pattern[place], 0.0)
    return Staple(votes.where(by_run > 0.5), votes, by_run, rates[0], rates[1], prior, region, rounds)


def _posterior(
    marked: NDArray[np.bool_], sensitivity: NDArray[np.float64], specificity: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """Bayes: probability that a pixel with these votes belongs to the structure."""
    true = prior * np.where(marked, sensitivity, 1 - sensitivity).prod(axis=1)
    false = (1 - prior) * np.where(marked, 1 - specificity, specificity).prod(axis=1)
    posterior: NDArray[np.float64] = true / (true + false)
    return posterior
