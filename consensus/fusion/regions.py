"""The part of a picture that an estimate looks at."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from consensus.fusion.votes import Votes


@dataclass(frozen=True)
class Box:
    """Columns from `left` and rows from `top` on, `right` and `bottom` not included."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def px(self) -> int:
        return (self.right - self.left) * (self.bottom - self.top)


def marked_box(votes: Votes, margin: float) -> Box:
    """The box around everything that anybody marked, on every side wider by a share of its longer side, rounded up;
    what would leave the picture is cut off. The whole picture where nobody marked anything."""
    marked = votes.counts > 0
    if not marked.any():
        return Box(0, 0, votes.width, votes.height)
    first, last = votes.starts[marked], (votes.starts + votes.lengths)[marked] - 1
    one_row = first // votes.width == last // votes.width
    left = int(np.where(one_row, first % votes.width, 0).min())
    right = int(np.where(one_row, last % votes.width, votes.width - 1).max()) + 1
    top, bottom = int(first[0] // votes.width), int(last[-1] // votes.width) + 1
    further = int(np.ceil(margin * max(right - left, bottom - top)))
    return Box(
        max(0, left - further),
        max(0, top - further),
        min(votes.width, right + further),
        min(votes.height, bottom + further),
    )


def cut(votes: Votes, region: Box) -> tuple[Votes, NDArray[np.bool_]]:
    """The same votes in runs that lie inside the region or outside it, and which of them lie inside."""
    if not (0 <= region.left < region.right <= votes.width and 0 <= region.top < region.bottom <= votes.height):
        raise ValueError(f"region {region} is no part of the {votes.width}×{votes.height} pixels of the picture")
    if region.px == votes.width * votes.height:
        return votes, np.ones(len(votes.starts), dtype=np.bool_)
    rows = np.arange(region.top, region.bottom)[:, np.newaxis] * votes.width
    borders = (rows + np.array([region.left, region.right])).ravel()
    starts = np.union1d(votes.starts, borders[borders < votes.width * votes.height])
    origin = np.searchsorted(votes.starts, starts, side="right") - 1
    lengths = np.diff(starts, append=votes.width * votes.height)
    row, column = np.divmod(starts, votes.width)
    inside = (row >= region.top) & (row < region.bottom) & (column >= region.left) & (column < region.right)
    return replace(votes, starts=starts, lengths=lengths, patterns=votes.patterns[origin]), inside
