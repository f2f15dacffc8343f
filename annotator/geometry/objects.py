"""Several masks of one picture that must not share a pixel."""

from collections.abc import Sequence

import numpy as np

from annotator.geometry.runs import Toggles


def first_overlap(objects: Sequence[Toggles], width: int, height: int) -> tuple[int, int] | None:
    """Indices of two objects that share a pixel, the lower first; None if no two do.

    Works on runs: sorted by their start, two runs overlap only if some run begins before its forerunner has ended.
    """
    starts, ends, owners = [], [], []
    for index, toggles in enumerate(objects):
        bounds = toggles if len(toggles) % 2 == 0 else np.append(toggles, width * height)
        starts.append(bounds[::2])
        ends.append(bounds[1::2])
        owners.append(np.full(len(bounds) // 2, index))
    if not starts:
        return None
    start, end, owner = np.concatenate(starts), np.concatenate(ends), np.concatenate(owners)
    order = np.argsort(start, kind="stable")
    start, end, owner = start[order], end[order], owner[order]
    reached = np.maximum.accumulate(end)
    clash = np.flatnonzero(start[1:] < reached[:-1])
    if not len(clash):
        return None
    later = int(clash[0]) + 1
    earlier = int(np.flatnonzero(end[:later] > start[later])[0])
    first, second = sorted((int(owner[earlier]), int(owner[later])))
    return first, second
