"""Gwet's AC1 and AC2 (Br J Math Stat Psychol 2008;61:29–48), which do not collapse when one label is frequent.

    (p_a − p_e) / (1 − p_e),   p_e = Σ_kl w_kl / (q (q − 1)) · Σ_k π_k (1 − π_k)

`counts[i, k]` says how many graders gave subject i the label k; π_k is the mean share of a label over all rated
subjects, p_a the weighted share of agreeing pairs over subjects with at least two ratings. Ratings may be missing. NaN
where fewer than two labels occur or no subject has two ratings.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from consensus.agreement.kappa import Weights


def gwet_ac1(counts: ArrayLike) -> float:
    """For labels without order; q counts the labels that occur."""
    table = np.asarray(counts, dtype=np.float64)
    return _coefficient(table[:, table.sum(axis=0) > 0], "plain")


def gwet_ac2(counts: ArrayLike, weights: Weights) -> float:
    """For labels on a scale of equal steps; each column is a step, also one that nobody used."""
    return _coefficient(np.asarray(counts, dtype=np.float64), weights)


def _coefficient(table: NDArray[np.float64], weights: Weights) -> float:
    labels = table.shape[1]
    ratings = table.sum(axis=1)
    rated, paired = table[ratings > 0], table[ratings >= 2]
    if labels < 2 or not len(paired):
        return math.nan
    closeness = _closeness(labels, weights)
    pairs = paired.sum(axis=1) * (paired.sum(axis=1) - 1)
    agreed = float(((paired * (paired @ closeness - 1)).sum(axis=1) / pairs).mean())
    share = (rated / rated.sum(axis=1, keepdims=True)).mean(axis=0)
    chance = float(closeness.sum() / (labels * (labels - 1)) * (share * (1 - share)).sum())
    return (agreed - chance) / (1 - chance) if chance != 1 else math.nan


def _closeness(labels: int, weights: Weights) -> NDArray[np.float64]:
    """1 for the same label, less the farther two labels are apart, 0 for the ends of the scale."""
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))) / (labels - 1)
    closeness: NDArray[np.float64] = {"plain": (apart == 0) * 1.0, "linear": 1 - apart, "quadratic": 1 - apart**2}[
        weights
    ]
    return closeness
