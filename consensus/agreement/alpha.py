"""Krippendorff's alpha, 1 − D_o / D_e (Content Analysis, 2004, chapter 11).

From the coincidences of labels within subjects that have at least two ratings; a subject with m ratings counts each of
its pairs 1/(m − 1) times. NaN where only one label occurs.
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Scale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(counts: ArrayLike, scale: Scale = "nominal", values: ArrayLike | None = None) -> float:
    """`counts[i, k]` says how many graders gave subject i the label k; labels stand in their order.

    `values` are the numbers that the labels mean on an interval scale; without them 0, 1, 2 …
    """
    table = np.asarray(counts, dtype=np.float64)
    table = table[table.sum(axis=1) >= 2]
    if not len(table):
        return math.nan
    weight = 1 / (table.sum(axis=1) - 1)
    coincidences = np.einsum("i,ic,ik->ck", weight, table, table) - np.diag(weight @ table)
    by_label = coincidences.sum(axis=0)
    total = by_label.sum()
    apart = _squared_differences(by_label, scale, values)
    expected = float((apart * np.outer(by_label, by_label)).sum())
    return 1 - (total - 1) * float((apart * coincidences).sum()) / expected if expected else math.nan


def interval_alpha(values: ArrayLike) -> float:
    """Of numbers, subjects by graders; NaN where a grader has none. Equals `krippendorff_alpha` of their counts.

    The squared differences of all pairs of m values sum to 2m Σ(x − x̄)². So D_o = 2 Σ_u s_u² m_u / n, where s_u² is the
    variance within subject u, and D_e = 2 s², where s² is that of all n values. NaN where nobody shares a subject
    or all values are equal.
    """
    table = np.asarray(values, dtype=np.float64)
    table = table[np.isfinite(table).sum(axis=1) >= 2]
    if not len(table):
        return math.nan
    ratings = np.isfinite(table).sum(axis=1)
    own = np.nanvar(table, axis=1, ddof=1) * ratings
    count = int(ratings.sum())
    expected = float(np.nanvar(table, ddof=1))
    return 1 - float(own.sum()) / count / expected if expected else math.nan


def _squared_differences(by_label: NDArray[np.float64], scale: Scale, values: ArrayLike | None) -> NDArray[np.float64]:
    labels = len(by_label)
    if scale == "nominal":
        return 1 - np.eye(labels)
    if scale == "interval":
        places = np.arange(labels) if values is None else np.asarray(values, dtype=np.float64)
    else:
        # Ranks: two labels are apart by the ratings between them, their own counted half.
        places = np.cumsum(by_label) - by_label / 2
    squares: NDArray[np.float64] = np.subtract.outer(places, places).astype(np.float64) ** 2
    return squares
