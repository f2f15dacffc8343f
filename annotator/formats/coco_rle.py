"""The run lengths of COCO: column by column, starting with the background, as a list of numbers or packed into text.

Source: Lin et al., "Microsoft COCO", ECCV 2014, and the reference implementation's `rleToString`: every length but the
first three is written as the difference to the one before the last, in groups of five bits, lowest first; bit 5 says
that another group follows, and each group is a character from "0" on.
"""

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.areas import box_toggles
from annotator.geometry.row_runs import row_runs
from annotator.geometry.runs import Toggles

Lengths = NDArray[np.int64]
_FIRST = 48  # "0"
_GROUP_BITS = 5
_MORE = 0x20
_MOST_GROUPS = 7


def column_lengths(toggles: Toggles, width: int, height: int) -> Lengths:
    """Run lengths column by column; only the box around the mask is turned."""
    runs = row_runs(toggles, width, height)
    if not len(runs.rows):
        return np.array([width * height])
    top, left = int(runs.rows.min()), int(runs.first.min())
    steps = np.zeros((int(runs.rows.max()) - top + 1, int(runs.last.max()) - left + 2), np.int8)
    steps[runs.rows - top, runs.first - left] += 1
    steps[runs.rows - top, runs.last - left + 1] -= 1
    columns = np.zeros((steps.shape[1] - 1, steps.shape[0] + 2), np.int8)  # with nothing above and below
    columns[:, 1:-1] = np.cumsum(steps[:, :-1], axis=1, dtype=np.int8).T
    changes = np.diff(columns, axis=1)
    edges = np.argwhere(changes)
    places = (edges[:, 0] + left) * height + edges[:, 1] + top
    # A run that reaches the lower edge goes on at the top of the next column.
    again = np.flatnonzero(places[1:] == places[:-1])
    places = np.delete(places, np.concatenate((again, again + 1)))
    return np.diff(np.concatenate(([0], places, [width * height])))[: len(places) + (places[-1] < width * height)]


def toggles_of(lengths: Lengths, width: int, height: int) -> Toggles:
    """ValueError when they are not the lengths of a mask of this size."""
    if len(lengths) and int(lengths.min()) < 0:
        raise ValueError("a run length is negative")
    if int(lengths.sum()) != width * height:
        raise ValueError(f"the run lengths sum to {int(lengths.sum())}, the picture has {width * height} pixels")
    ends = np.cumsum(lengths)
    starts, ends = ends[:-1:2], ends[1::2]  # of the marked runs
    starts = starts[: len(ends)]
    starts, ends = starts[ends > starts], ends[ends > starts]
    if not len(starts):
        return np.zeros(0, np.int32)
    left, right = int(starts[0]) // height, (int(ends[-1]) - 1) // height + 1  # only these columns are turned
    bounds = np.stack((starts, ends), axis=1).ravel() - left * height
    steps = np.diff(np.concatenate(([0], bounds, [(right - left) * height])))
    columns = np.repeat(np.arange(len(steps)) % 2 == 1, steps).reshape(right - left, height)
    return box_toggles(np.ascontiguousarray(columns.T), left, 0, width, height)


def packed(lengths: Lengths) -> str:
    steps = lengths.astype(np.int64)
    steps[3:] -= lengths[1:-2]
    shifts = _GROUP_BITS * np.arange(_MOST_GROUPS)
    groups = (steps[:, None] >> shifts) & 0x1F
    # A number needs as many groups as its two's complement with its sign takes.
    limits = 1 << (_GROUP_BITS * np.arange(1, _MOST_GROUPS) - 1)
    needed = 1 + ((steps[:, None] >= limits) | (steps[:, None] < -limits)).sum(axis=1)
    place = np.arange(_MOST_GROUPS)
    groups = np.where(place < needed[:, None] - 1, groups | _MORE, groups)
    codes: NDArray[np.uint8] = (groups[place < needed[:, None]] + _FIRST).astype(np.uint8)
    return codes.tobytes().decode("ascii")


def unpacked(text: str) -> Lengths:
    """ValueError when it is not such a text."""
    codes = np.frombuffer(text.encode("latin-1", "replace"), np.uint8).astype(np.int64) - _FIRST
    if not text.isascii() or (len(codes) and (int(codes.min()) < 0 or int(codes.max()) > 0x3F)):
        raise ValueError("the packed run lengths hold a character that cannot stand there")
    ends = np.flatnonzero(codes < _MORE)
    if len(codes) and (not len(ends) or ends[-1] != len(codes) - 1):
        raise ValueError("the packed run lengths end in the middle of a number")
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64) if len(ends) else ends
    counts = ends - starts + 1
    if len(counts) and int(counts.max()) > _MOST_GROUPS:
        raise ValueError("a packed run length is too large")
    place = np.arange(len(codes)) - np.repeat(starts, counts)
    steps = np.add.reduceat((codes & 0x1F) << (_GROUP_BITS * place), starts) if len(ends) else ends
    negative = (codes[ends] & 0x10) != 0
    steps = steps - np.where(negative, np.int64(1) << (_GROUP_BITS * counts), 0)
    lengths = steps.copy()
    for one in (1, 2):  # odd and even places are sums of their own, from the third number on
        lengths[one::2] = np.cumsum(steps[one::2])
    return lengths
