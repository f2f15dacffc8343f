"""What Dawid and Skene's estimate of a whole study says of one case; and the estimate as data, kept with its run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consensus.fusion.dawid_skene import dawid_skene, log_joint

FEWEST_GRADERS = 3
_TIED = 1e-9
Rating = tuple[int, str, str]
"""Photograph, grader and label."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """`confusion[grader, true, said]`: how often a grader says a label where another or the same is true."""

    labels: tuple[str, ...]
    graders: tuple[str, ...]
    prior: NDArray[np.float64]
    confusion: NDArray[np.float64]
    photographs: int
    rounds: int

    def as_data(self) -> dict[str, Any]:
        return {
            "labels": list(self.labels),
            "graders": list(self.graders),
            "prior": self.prior.tolist(),
            "confusion": self.confusion.tolist(),
            "photographs": self.photographs,
            "rounds": self.rounds,
        }


def estimate_from(data: Mapping[str, Any]) -> Estimate:
    return Estimate(
        tuple(data["labels"]),
        tuple(data["graders"]),
        np.asarray(data["prior"], dtype=np.float64),
        np.asarray(data["confusion"], dtype=np.float64),
        int(data["photographs"]),
        int(data["rounds"]),
    )


def estimate(ratings: Sequence[Rating], labels: Sequence[str]) -> Estimate:
    """Over all photographs at once; ValueError with fewer than three graders. Neither order of graders nor of
    photographs matters."""
    photographs = sorted({photograph for photograph, _grader, _label in ratings})
    graders = sorted({grader for _photograph, grader, _label in ratings}, key=lambda letter: (len(letter), letter))
    where = {photograph: row for row, photograph in enumerate(photographs)}
    who = {grader: row for row, grader in enumerate(graders)}
    numbered = [(where[photograph], who[grader], labels.index(label)) for photograph, grader, label in ratings]
    fit = dawid_skene(numbered, len(photographs), len(graders), len(labels))
    return Estimate(tuple(labels), tuple(graders), fit.prevalence, fit.confusion, len(photographs), fit.rounds)


def posterior(known: Estimate, said: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Probability of each label, given who said what: prior × Π confusion, normed. Graders of whom nothing was
    estimated do not count; empty where what was said can happen under no label."""
    counts = np.zeros((1, len(known.graders), len(known.labels)))
    for grader, label in said:
        if grader in known.graders:
            counts[0, known.graders.index(grader), known.labels.index(label)] += 1
    joint = log_joint(known.prior, known.confusion, counts)[0]
    if not np.isfinite(joint).any():
        return {}
    shares = np.exp(joint - np.logaddexp.reduce(joint))
    return {label: float(share) for label, share in zip(known.labels, shares, strict=True)}


def most_probable(shares: Mapping[str, float]) -> str | None:
    """None where two labels are equally probable, or none is."""
    ranked = sorted(shares.values(), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[0] - ranked[1] <= _TIED):
        return None
    return max(shares, key=lambda label: shares[label])
