"""How far several graders' masks of one picture overlap.

Generalised conformity index (Kouwenhoven et al., Phys Med Biol 2009;54:2863–2873): over all pairs of graders, the sum
of the intersections divided by the sum of the unions. With h_v pixels that have v of K votes it is

    Σ h_v C(v, 2) / Σ h_v [C(K, 2) − C(K − v, 2)]

What every two graders share is read off the runs of equal votes, or counted bit by bit where masks are ragged.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.compare import Overlap
from annotator.geometry.runs import Toggles
from consensus.fusion.bits import are_ragged, packed, shared_bits
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


def conformity_of(shared: NDArray[np.float64]) -> Conformity:
    """From what every two graders share, and on the diagonal what each one marked."""
    own, first, second = np.diagonal(shared), *np.triu_indices(len(shared), k=1)
    both = shared[first, second]
    return Conformity(int(both.sum()), int((own[first] + own[second] - both).sum()))


def pooled(parts: Iterable[Conformity]) -> Conformity:
    """Over several pictures: large structures weigh more than in the mean of the pictures' indices."""
    known = list(parts)
    return Conformity(sum(part.intersections for part in known), sum(part.unions for part in known))


@dataclass(frozen=True)
class PairOverlap(Overlap):
    """Two graders' masks of one picture, by their numbers in the vote."""

    first: int
    second: int


def shared_by(masks: Sequence[Toggles], width: int, height: int) -> NDArray[np.float64]:
    """How many pixels each two masks share, and on the diagonal how many each one holds."""
    if are_ragged(masks, width, height):
        return shared_bits([packed(mask, width, height) for mask in masks])
    return shared_pixels(count_votes(masks, width, height))


def shared_pixels(votes: Votes) -> NDArray[np.float64]:
    """How many pixels each two graders share, and on the diagonal how many each one marked; from the pixels of each
    pattern of votes."""
    patterns, pixels = votes.pixels_by_pattern
    marked = ((patterns[:, np.newaxis] >> np.arange(votes.graders)) & 1).astype(np.float64)
    # Pixel counts stay below 2³¹, so that sums of them are exact in float64.
    return (marked * pixels[:, np.newaxis]).T @ marked


def pair_overlaps(shared: NDArray[np.float64]) -> Iterator[PairOverlap]:
    """Every pair of graders, from what they share."""
    for first, second in combinations(range(len(shared)), 2):
        pixels = (int(shared[first, first]), int(shared[second, second]), int(shared[first, second]))
        yield PairOverlap(*pixels, first, second)


def dice_to(drawn: Sequence[Toggles], reference: Toggles, width: int, height: int) -> list[float | None]:
    """Dice of each mask to the reference; None when both are empty."""
    found: list[float | None] = []
    for start in range(0, len(drawn), MOST_GRADERS - 1):
        masks = [reference, *drawn[start : start + MOST_GRADERS - 1]]
        overlaps = [pair for pair in pair_overlaps(shared_by(masks, width, height)) if pair.first == 0]
        found += [None if math.isnan(pair.dice) else pair.dice for pair in overlaps]
    return found
