"""Objects become one set of objects: matched across graders, then voted inside each match.

A vote over all pixels would join objects that touch. So objects of different graders that cover each other (Jaccard
above ½) are matched first, the best overlap before the others and at most one object of a grader in a match; a match
with objects of more than half of the graders stands; inside it a pixel belongs to the object when more than half of its
graders say so. A pixel that two matches claim goes to the one with more votes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles

LEAST_JACCARD = 0.5
Objects = Sequence[Toggles]
Part = tuple[int, int]
"""Grader and object, each by number."""


@dataclass(frozen=True)
class LeftOut:
    """An object of a grader that is not in the reference, and why."""

    part: Part
    reason: Literal["too few graders", "no common pixel"]


@dataclass(frozen=True, eq=False)
class FusedObjects:
    """The objects in the order of their first pixels, and for each the graders' objects behind it."""

    objects: tuple[Toggles, ...]
    matches: tuple[tuple[Part, ...], ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, eq=False)
class _Labels:
    """Runs in which every grader has one object throughout; −1 is background."""

    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    labels: NDArray[np.int64]


def fuse_objects(readings: Sequence[Objects], width: int, height: int) -> FusedObjects:
    """The objects of one reading must not overlap; a reading without objects is a reading like any other."""
    if not readings:
        raise ValueError("readings is empty: nobody has read the image")
    labels = _label_runs(readings, width, height)
    matches = _matches(readings, labels)
    # Equal claims to a pixel go to the match that comes first in the picture, whoever of the graders comes first.
    kept = sorted(
        (match for match in matches if 2 * len(match) > len(readings)),
        key=lambda match: sorted(readings[grader][number].tolist() for grader, number in match),
    )
    votes = np.stack([_votes(match, labels) for match in kept]) if kept else np.zeros((0, len(labels.starts)))
    sizes = np.array([len(match) for match in kept])[:, np.newaxis]
    claims = np.where(2 * votes > sizes, votes, 0)
    owner = claims.argmax(axis=0) if len(kept) else np.zeros(len(labels.starts), dtype=np.int64)
    taken = claims.max(axis=0) > 0 if len(kept) else np.zeros(len(labels.starts), dtype=np.bool_)
    drawn = [_toggles(labels, taken & (owner == place)) for place in range(len(kept))]
    left_out = [LeftOut(part, "too few graders") for match in matches if match not in kept for part in match]
    left_out += [
        LeftOut(part, "no common pixel")
        for match, one in zip(kept, drawn, strict=True)
        if not len(one)
        for part in match
    ]
    stands = [(one, match) for one, match in zip(drawn, kept, strict=True) if len(one)]
    stands.sort(key=lambda pair: int(pair[0][0]))
    return FusedObjects(
        tuple(one for one, _match in stands),
        tuple(match for _one, match in stands),
        tuple(sorted(left_out, key=lambda left: left.part)),
    )


def _label_runs(readings: Sequence[Objects], width: int, height: int) -> _Labels:
    count = width * height
    edges = [toggles.astype(np.int64) for objects in readings for toggles in objects]
    starts = np.unique(np.concatenate([np.array([0]), *edges]))
    if starts[0] < 0 or starts[-1] >= count:
        raise ValueError(f"readings hold a toggle outside the {width}×{height} pixels of the picture")
    labels = np.full((len(readings), len(starts)), -1, dtype=np.int64)
    for grader, objects in enumerate(readings):
        for number, toggles in enumerate(objects):
            inside = np.searchsorted(toggles, starts, side="right") % 2 == 1
            if (labels[grader, inside] >= 0).any():
                raise ValueError(f"readings[{grader}] has objects that overlap")
            labels[grader, inside] = number
    return _Labels(starts, np.diff(starts, append=count), labels)


def _matches(readings: Sequence[Objects], labels: _Labels) -> list[tuple[Part, ...]]:
    """All objects, grouped; an object that matches no other is a group of its own."""
    group: dict[Part, set[Part]] = {
        (grader, number): {(grader, number)}
        for grader, objects in enumerate(readings)
        for number in range(len(objects))
    }
    pairs = [pair for a, b in combinations(range(len(readings)), 2) for pair in _overlaps(a, b, readings, labels)]
    # Equal overlaps are taken in the order of the picture, so that the order of the graders does not matter.
    pairs.sort(key=lambda pair: (-pair[0], sorted(readings[grader][number].tolist() for grader, number in pair[1:])))
    for _jaccard, one, other in pairs:
        if not {grader for grader, _number in group[one]} & {grader for grader, _number in group[other]}:
            joined = group[one] | group[other]
            for part in joined:
                group[part] = joined
    return sorted({tuple(sorted(parts)) for parts in group.values()})


def _overlaps(a: int, b: int, readings: Sequence[Objects], labels: _Labels) -> list[tuple[float, Part, Part]]:
    """Pairs of objects of two graders whose Jaccard index is above the limit."""
    sizes = (len(readings[a]) + 1, len(readings[b]) + 1)
    cells = (labels.labels[a] + 1) * sizes[1] + labels.labels[b] + 1
    table = np.bincount(cells, weights=labels.lengths, minlength=sizes[0] * sizes[1]).reshape(sizes)
    either = table.sum(axis=1, keepdims=True) + table.sum(axis=0, keepdims=True) - table
    jaccard = np.divide(table, either, out=np.zeros_like(table), where=either > 0)[1:, 1:]
    found = np.argwhere(jaccard > LEAST_JACCARD).tolist()
    return [(float(jaccard[i, j]), (a, i), (b, j)) for i, j in found]


def _votes(match: Sequence[Part], labels: _Labels) -> NDArray[np.int64]:
    votes: NDArray[np.int64] = np.sum([labels.labels[grader] == number for grader, number in match], axis=0)
    return votes


def _toggles(labels: _Labels, chosen: NDArray[np.bool_]) -> Toggles:
    before = np.concatenate(([False], chosen[:-1]))
    toggles: Toggles = labels.starts[chosen != before].astype(np.int32)
    return toggles
