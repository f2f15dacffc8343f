"""Who marked which pixels, without looking at pixels.

The graders' toggles, sorted together, cut the picture (read row by row) into runs in which the same graders have marked
every pixel. All that is voted, measured or estimated from several masks depends only on these runs: their number grows
with the length of the contours, not with the size of the picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles

MOST_GRADERS = 62  # one bit each in a signed 64-bit integer
_GRADERS_IN_A_TABLE = 12


@dataclass(frozen=True, eq=False)
class Votes:
    """Runs in reading order; together they cover the picture. Bit k of a pattern is set where grader k marked."""

    width: int
    height: int
    graders: int
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    patterns: NDArray[np.int64]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Votes per run."""
        return np.bitwise_count(self.patterns).astype(np.int64)

    @cached_property
    def pixels_by_count(self) -> NDArray[np.int64]:
        """How many pixels have 0, 1, … all votes."""
        return np.bincount(self.counts, weights=self.lengths, minlength=self.graders + 1).astype(np.int64)

    @cached_property
    def pixels_by_pattern(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The distinct patterns, ascending, and the number of pixels of each."""
        distinct, place = self._distinct
        return distinct, np.bincount(place, weights=self.lengths).astype(np.int64)

    @property
    def pattern_of_run(self) -> NDArray[np.int64]:
        """For each run, which of the distinct patterns it has."""
        return self._distinct[1]

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self.graders > _GRADERS_IN_A_TABLE:
            return np.unique(self.patterns, return_inverse=True)
        # A table of all patterns that could occur spares the sort.
        occurs = np.zeros(1 << self.graders, dtype=np.bool_)
        occurs[self.patterns] = True
        return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[self.patterns]

    def where(self, chosen: NDArray[np.bool_]) -> Toggles:
        """The mask of all pixels in the chosen runs."""
        if chosen.shape != self.starts.shape:
            raise ValueError(f"chosen has shape {chosen.shape}, expected one value per run {self.starts.shape}")
        before = np.concatenate(([False], chosen[:-1]))
        toggles: Toggles = self.starts[chosen != before].astype(np.int32)
        return toggles


def count_votes(readings: Sequence[Toggles], width: int, height: int) -> Votes:
    """The runs of equal votes of masks of one size; an empty mask is a reading like any other."""
    if not 1 <= len(readings) <= MOST_GRADERS:
        raise ValueError(f"readings holds {len(readings)} masks, expected 1 to {MOST_GRADERS}")
    if width < 1 or height < 1:
        raise ValueError(f"picture of {width}×{height} pixels has no pixel")
    bits = max(1, (len(readings) - 1).bit_length())
    keyed = [(toggles.astype(np.int64) << bits) | grader for grader, toggles in enumerate(readings)]
    events = np.sort(np.concatenate(keyed))
    positions = events >> bits
    if len(positions) and (positions[0] < 0 or positions[-1] >= width * height):
        raise ValueError(f"readings hold a toggle outside the {width}×{height} pixels of the picture")
    patterns = np.bitwise_xor.accumulate(np.int64(1) << (events & ((1 << bits) - 1)))
    starts = np.concatenate(([0], positions))
    lengths = np.diff(starts, append=width * height)
    # Several graders toggle at one place: only the last of these events has the pattern of the pixels that follow.
    real = lengths > 0
    return Votes(width, height, len(readings), starts[real], lengths[real], np.concatenate(([0], patterns))[real])
