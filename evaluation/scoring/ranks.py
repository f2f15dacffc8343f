"""Standard competition ranks (1, 2, 2, 4) of many entries, in one table or in many resampled ones at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
NOT_RANKED = 0


def competition_ranks(values: NDArray[Any], ranked: Bools | None = None) -> Ints:
    """Ranks along the last axis, the smallest value first: one more than the number of strictly smaller values.

    Entries that are not `ranked` get NOT_RANKED and count for nobody. Values are finite where ranked.
    """
    taking_part = np.ones(values.shape, bool) if ranked is None else ranked
    last = np.inf if values.dtype.kind == "f" else np.iinfo(values.dtype).max
    placed = np.where(taking_part, values, last)
    order = np.argsort(placed, axis=-1, kind="stable")
    in_order = np.take_along_axis(placed, order, axis=-1)
    places = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    first_of_its_value = np.ones(values.shape, bool)
    first_of_its_value[..., 1:] = in_order[..., 1:] != in_order[..., :-1]
    starts = np.maximum.accumulate(np.where(first_of_its_value, places, 0), axis=-1)
    ranks = np.empty(values.shape, np.int64)
    np.put_along_axis(ranks, order, starts + 1, axis=-1)
    return np.where(taking_part, ranks, NOT_RANKED)


def ranks_with_tie_break(ranks: Ints, breaking: Ints) -> Ints:
    """Ranks of equal entries set apart by the better of other ranks; entries not ranked there come behind."""
    many = ranks.shape[-1] + 1
    pairs = ranks * (many + 1) + np.where(breaking == NOT_RANKED, many, breaking)
    return competition_ranks(pairs, ranks != NOT_RANKED)


def midranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Ranks along the last axis, the smallest first; equal values share the mean of their places."""
    shared: NDArray[np.float64] = (competition_ranks(values) + values.shape[-1] + 1 - competition_ranks(-values)) / 2
    return shared
