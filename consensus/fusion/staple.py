"""STAPLE: the true mask and each grader's sensitivity and specificity, estimated together.

Warfield, Zou, Wells, IEEE Trans Med Imaging 2004;23:903–921, without spatial prior, as in ITK's STAPLEImageFilter: the
prior is the mean vote of the region and stays fixed. Pixels with the same pattern of votes have the same posterior, so
the estimate runs over the patterns that occur, not over pixels.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles
from consensus.fusion.votes import Votes

_SETTLED = 1e-14  # square of the last change of every sensitivity and specificity, as in ITK
_MOST_ROUNDS = 10_000


@dataclass(frozen=True, eq=False)
class Staple:
    """`reference` holds the pixels with a posterior above ½; `posterior` is given per run of the votes."""

    reference: Toggles
    posterior: NDArray[np.float64]
    sensitivity: NDArray[np.float64]
    specificity: NDArray[np.float64]
    prior: float
    rounds: int


def staple(votes: Votes) -> Staple:
    """Estimate over the whole picture; ValueError when nobody marked anything, or everybody everything, because then
    nothing can be estimated."""
    patterns, pixels = votes.pixels_by_pattern
    marked = (patterns[:, np.newaxis] >> np.arange(votes.graders)) & 1 == 1
    posterior = marked.mean(axis=1)
    prior = float(pixels @ posterior) / float(pixels.sum())
    if prior in (0.0, 1.0):
        raise ValueError("readings are all empty or all full: sensitivity and specificity cannot be estimated")
    rates, change, rounds = np.zeros((2, votes.graders)), np.inf, 0
    while rounds < _MOST_ROUNDS and change > _SETTLED:
        rounds += 1
        inside, outside = pixels * posterior, pixels * (1 - posterior)
        before, rates = rates, np.stack((inside @ marked / inside.sum(), outside @ ~marked / outside.sum()))
        posterior = _posterior(marked, rates[0], rates[1], prior)
        change = float(((rates - before) ** 2).max())
    by_run = posterior[votes.pattern_of_run]
    return Staple(votes.where(by_run > 0.5), by_run, rates[0], rates[1], prior, rounds)


def _posterior(
    marked: NDArray[np.bool_], sensitivity: NDArray[np.float64], specificity: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """Bayes: probability that a pixel with these votes belongs to the structure."""
    true = prior * np.where(marked, sensitivity, 1 - sensitivity).prod(axis=1)
    false = (1 - prior) * np.where(marked, 1 - specificity, specificity).prod(axis=1)
    posterior: NDArray[np.float64] = true / (true + false)
    return posterior
