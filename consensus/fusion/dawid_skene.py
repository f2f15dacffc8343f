"""Dawid and Skene: the most probable label of each case, and what each grader tends to say for each true label.

Applied Statistics 1979;28:20–28. Expectation–maximisation from the shares of votes; needs at least three graders,
because two cannot be told apart from their agreement alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SETTLED = 1e-10
_MOST_ROUNDS = 10_000
Rating = tuple[int, int, int]
"""Case, grader and label, each by number; the same grader may rate a case more than once."""


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """`confusion[grader, true, said]`; a true label that a grader never met has a row of zeros."""

    probability: NDArray[np.float64]
    prevalence: NDArray[np.float64]
    confusion: NDArray[np.float64]
    log_likelihood: float
    rounds: int

    @property
    def labels(self) -> NDArray[np.int64]:
        """The most probable label of each case; the first of equally probable ones."""
        best: NDArray[np.int64] = self.probability.argmax(axis=1)
        return best


def dawid_skene(ratings: Sequence[Rating], cases: int, graders: int, labels: int) -> DawidSkene:
    counts = np.zeros((cases, graders, labels))
    for case, grader, label in ratings:
        counts[case, grader, label] += 1
    if graders < 3:
        raise ValueError(f"graders is {graders}: Dawid–Skene needs at least 3")
    if (counts.sum(axis=(1, 2)) == 0).any():
        raise ValueError("ratings leave a case without any label")
    probability = counts.sum(axis=1) / counts.sum(axis=(1, 2))[:, np.newaxis]
    before, total, rounds = -np.inf, 0.0, 0
    while rounds < _MOST_ROUNDS and abs(total - before) > _SETTLED * max(1.0, abs(total)):
        before, rounds = total, rounds + 1
        prevalence = probability.mean(axis=0)
        confusion = _confusion(probability, counts)
        joint = log_joint(prevalence, confusion, counts)
        likelihood = np.logaddexp.reduce(joint, axis=1)
        probability = np.exp(joint - likelihood[:, np.newaxis])
        total = float(likelihood.sum())
    return DawidSkene(probability, prevalence, confusion, total, rounds)


def _confusion(probability: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    said = np.einsum("it,igl->gtl", probability, counts)
    all_said = said.sum(axis=2, keepdims=True)
    shares: NDArray[np.float64] = np.divide(said, all_said, out=np.zeros_like(said), where=all_said > 0)
    return shares


def log_joint(
    prevalence: NDArray[np.float64], confusion: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """log p(true) + Σ n log p(said | true); minus infinity where that never happens."""
    possible = confusion > 0
    log_confusion = np.log(confusion, out=np.zeros_like(confusion), where=possible)
    with np.errstate(divide="ignore"):
        joint: NDArray[np.float64] = np.log(prevalence) + np.einsum("igl,gtl->it", counts, log_confusion)
    joint[np.einsum("igl,gtl->it", counts, ~possible) > 0] = -np.inf
    return joint
