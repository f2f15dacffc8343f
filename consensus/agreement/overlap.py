"""How far several graders' masks of one picture overlap.

Generalised conformity index (Kouwenhoven et al., Phys Med Biol 2009;54:2863–2873): over all pairs of graders, the sum
of the intersections divided by the sum of the unions. With h_v pixels that have v of K votes it is

    Σ h_v C(v, 2) / Σ h_v [C(K, 2) − C(K − v, 2)]
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.compare import Overlap
from annotator.geometry.runs import Toggles
from consensus.fusion.votes import MOST_GRADERS, Votes, count_votes

EXCELLENT_GCI = 0.7
"""0.7 to 1 is called excellent agreement (Visser et al., Eur Radiol 2019)."""


@dataclass(frozen=True)
class Conformity:
    """Sums over pairs of graders, so that pictures can be pooled."""

    intersections: int
    unions: int

    @property
    def gci(self) -> float:
        """NaN when nobody marked anything, or when there is no pair."""
        return self.intersections / self.unions if self.unions else math.nan


def conformity(votes: Votes) -> Conformity:
    graders, pixels = votes.graders, votes.pixels_by_count.tolist()
    both = sum(count * math.comb(v, 2) for v, count in enumerate(pixels))
    either = sum(count * (math.comb(graders, 2) - math.comb(graders - v, 2)) for v, count in enumerate(pixels))
    return Conformity(both, either)


def pooled(parts: Iterable[Conformity]) -> Conformity:
    """Over several pictures: large structures weigh more than in the mean of the pictures' indices."""
    known = list(parts)
    return Conformity(sum(part.intersections for part in known), sum(part.unions for part in known))


@dataclass(frozen=True)
class PairOverlap(Overlap):
    """Two graders' masks of one picture, by their numbers in the vote."""

    first: int
    second: int


def shared_pixels(votes: Votes) -> NDArray[np.float64]:
    """How many pixels each two graders share, and on the diagonal how many each one marked; from the pixels of each
    pattern of votes."""
    patterns, pixels = votes.pixels_by_pattern
    marked = ((patterns[:, np.newaxis] >> np.arange(votes.graders)) & 1).astype(np.float64)
    # Pixel counts stay below 2³¹, so that sums of them are exact in float64.
    return (marked * pixels[:, np.newaxis]).T @ marked


def pair_overlaps(votes: Votes) -> Iterator[PairOverlap]:
    """Every pair of graders."""
    shared = shared_pixels(votes)
    for first, second in combinations(range(votes.graders), 2):
        pixels = (int(shared[first, first]), int(shared[second, second]), int(shared[first, second]))
        yield PairOverlap(*pixels, first, second)


def dice_to(drawn: Sequence[Toggles], reference: Toggles, width: int, height: int) -> list[float | None]:
    """Dice of each mask to the reference; None when both are empty."""
    found: list[float | None] = []
    for start in range(0, len(drawn), MOST_GRADERS - 1):
        votes = count_votes([reference, *drawn[start : start + MOST_GRADERS - 1]], width, height)
        overlaps = [pair for pair in pair_overlaps(votes) if pair.first == 0]
        found += [None if math.isnan(pair.dice) else pair.dice for pair in overlaps]
    return found
