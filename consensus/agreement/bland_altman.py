"""Differences between two graders or two readings of one grader (Bland and Altman, Lancet 1986;327:307–310)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from consensus.agreement.icc import Interval

_COVERS_95 = 1.959963984540054  # standard deviations of a normal distribution


@dataclass(frozen=True)
class BlandAltman:
    """Limits of agreement hold 95 % of the differences; each figure with its confidence interval."""

    count: int
    bias: float
    spread: float
    low: float
    high: float
    bias_interval: Interval
    low_interval: Interval
    high_interval: Interval


def bland_altman(first: ArrayLike, second: ArrayLike, level: float = 0.95) -> BlandAltman:
    """Of first − second, pair by pair; needs two pairs.

    The standard error of the bias is s/√n, that of a limit √(1/n + z²/(2(n − 1))) s (Bland and Altman, Stat Methods Med
    Res 1999;8:135–160).
    """
    differences = _differences(first, second)
    count = len(differences)
    if count < 2:
        raise ValueError(f"first holds {count} values, expected at least 2")
    bias, spread = float(differences.mean()), float(differences.std(ddof=1))
    factor = float(stdtrit(count - 1, 1 - (1 - level) / 2))
    of_bias = factor * spread / math.sqrt(count)
    of_limit = factor * spread * math.sqrt(1 / count + _COVERS_95**2 / (2 * (count - 1)))
    low, high = bias - _COVERS_95 * spread, bias + _COVERS_95 * spread
    return BlandAltman(
        count,
        bias,
        spread,
        low,
        high,
        Interval(bias - of_bias, bias + of_bias),
        Interval(low - of_limit, low + of_limit),
        Interval(high - of_limit, high + of_limit),
    )


@dataclass(frozen=True)
class Repeatability:
    """Two readings of one grader differ by less than `coefficient` in 95 % of the cases."""

    count: int
    within: float
    coefficient: float


def repeatability(first: ArrayLike, second: ArrayLike) -> Repeatability:
    """s_w = √(Σd²/2n) of two readings of the same cases; the coefficient is 1.96·√2·s_w."""
    differences = _differences(first, second)
    if not len(differences):
        raise ValueError("first is empty: nothing was read twice")
    within = math.sqrt(float((differences**2).mean()) / 2)
    return Repeatability(len(differences), within, _COVERS_95 * math.sqrt(2) * within)


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError(f"first has shape {one.shape}, second {other.shape}; expected two rows of equal length")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("first or second holds a number that is not finite")
    return one - other
