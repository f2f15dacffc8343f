"""Kappas: agreement on labels beyond what chance would give.

`counts[i, k]` says how many graders gave subject i the label k; ratings may be missing. NaN where a denominator is 0.
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Counts = NDArray[np.float64]
Weights = Literal["plain", "linear", "quadratic"]
YARDSTICK = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (math.inf, "almost perfect"),
)
"""Up to each limit, what Landis and Koch (Biometrics 1977;33:159–174) call a kappa."""


def cohen_kappa(table: ArrayLike, weights: Weights = "plain") -> float:
    """Of one square table of two graders, rows the first; see `cohen_kappas`."""
    return float(cohen_kappas(np.asarray(table, dtype=np.float64), weights))


def cohen_kappas(tables: Counts, weights: Weights = "plain") -> Counts:
    """1 − Σ d·observed / Σ d·expected of each square table, the last two axes (Cohen 1960, 1968).

    The disagreement d of labels i and j is 1, |i − j| or (i − j)². NaN for a table in which chance alone agrees
    everywhere, and for an empty one.
    """
    labels = tables.shape[-1]
    if tables.ndim < 2 or tables.shape[-2] != labels:
        raise ValueError(f"table has shape {tables.shape}, expected a square")
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))).astype(np.float64)
    disagreement = {"plain": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    total = tables.sum(axis=(-2, -1))
    by_chance = tables.sum(axis=-1)[..., :, None] * tables.sum(axis=-2)[..., None, :]
    # Both sides times the total: whole numbers, so that a table without expected disagreement gives exactly 0 below.
    observed = (disagreement * tables).sum(axis=(-2, -1)) * total
    expected = (disagreement * by_chance).sum(axis=(-2, -1))
    unknown = np.full(np.shape(expected), np.nan)
    kappas: Counts = 1 - np.divide(observed, expected, out=unknown, where=np.asarray(expected > 0))
    return kappas


def fleiss_kappa(counts: ArrayLike) -> float:
    """Fleiss, Psychol Bull 1971;76:378–382: (P̄ − P_e) / (1 − P_e); every subject has the same number of ratings."""
    table = _checked(counts)
    ratings = table.sum(axis=1)
    if len(table) and (ratings != ratings[0]).any():
        raise ValueError("counts has subjects with different numbers of ratings")
    if not len(table) or ratings[0] < 2:
        return math.nan
    observed = float(_agreeing_shares(table).mean())
    expected = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return _ratio(observed - expected, 1 - expected)


def percent_agreement(counts: ArrayLike) -> float:
    """Mean over subjects with at least two ratings of the share of pairs of graders who agree."""
    table = _checked(counts)
    table = table[table.sum(axis=1) >= 2]
    return float(_agreeing_shares(table).mean()) if len(table) else math.nan


def called(kappa: float) -> str:
    """What the yardstick calls a kappa."""
    return next(word for limit, word in YARDSTICK if not kappa > limit)


def _agreeing_shares(table: Counts) -> Counts:
    ratings = table.sum(axis=1)
    shares: Counts = (table * (table - 1)).sum(axis=1) / (ratings * (ratings - 1))
    return shares


def _ratio(above: float, below: float) -> float:
    return above / below if below else math.nan


def _checked(counts: ArrayLike) -> Counts:
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or (table < 0).any():
        raise ValueError(f"counts has shape {table.shape}, expected subjects × labels without negative numbers")
    return table
