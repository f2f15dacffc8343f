"""Two masks of one picture beside each other, on their runs."""

import math
from dataclasses import dataclass

import numpy as np

from annotator.geometry.runs import Toggles, area


@dataclass(frozen=True)
class Overlap:
    """How many pixels two masks have, and how many they share."""

    reference_px: int
    candidate_px: int
    shared_px: int

    @property
    def dice(self) -> float:
        """2|R∩C| / (|R| + |C|); NaN when both are empty."""
        marked = self.reference_px + self.candidate_px
        return 2 * self.shared_px / marked if marked else math.nan

    @property
    def jaccard(self) -> float:
        """|R∩C| / |R∪C|; NaN when both are empty."""
        either = self.reference_px + self.candidate_px - self.shared_px
        return self.shared_px / either if either else math.nan


def overlap(reference: Toggles, candidate: Toggles, width: int, height: int) -> Overlap:
    """|R∩C| = (|R| + |C| − |R△C|) / 2. The toggles of both, sorted together, are those of R△C: where both flip at one
    place, the run between is empty."""
    either = np.sort(np.concatenate((reference, candidate))).astype(np.int64)
    if len(either) % 2:
        either = np.append(either, width * height)
    apart = int((either[1::2] - either[::2]).sum())
    marked, found = area(reference, width, height), area(candidate, width, height)
    return Overlap(marked, found, (marked + found - apart) // 2)
