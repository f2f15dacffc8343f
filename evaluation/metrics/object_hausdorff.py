"""Hausdorff distance between objects of two label images, over all their pixels (GlaS, Eq. 8), exact.

H(G, S) = max( max over g in G of d(g, S), max over s in S of d(s, G) ), in pixels between pixel centres.

The pixel of S nearest to a place outside S always has a neighbour (left, right, above or below) outside S: one step
towards the place is nearer. So a tree of an object's boundary pixels gives exact distances to the object. The farthest
pixel of G, though, may lie anywhere in it (in a hole, slit or bay of S), so all pixels of G outside S count; they are
looked at by squares, and a square is opened only if it can hold a pixel farther than one already found, since distances
differ by no more than the way between two pixels.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from evaluation.metrics.label_table import LabelTable, Matches, Numbers, Picture

_FINE, _COARSE = 2, 4  # squares of 4 × 4 and of 16 × 16 pixels, as powers of two
_MANY = 4096  # with so many pixels outside the other object, 16 × 16 squares are looked at first
_FEW = 64  # so few are asked for at once
Between = Callable[[int, int, int, float], float]
"""H of an object of one side and one of the other, the pixels they share, and from where on it does not matter."""


@dataclass(frozen=True, eq=False)
class ObjectDistances:
    """H of each object to its partner (object n at place n − 1).

    An object without overlap has the smallest H to any object of the other side; if there is none, the diagonal
    √(width² + height²) of the image.
    """

    of_reference: NDArray[np.float64]
    of_candidate: NDArray[np.float64]


def object_distances(table: LabelTable) -> ObjectDistances:
    reference = _Side(table.reference_numbers, table.candidate_numbers, table.reference_areas)
    candidate = _Side(table.candidate_numbers, table.reference_numbers, table.candidate_areas)
    known: dict[tuple[int, int], float] = {}

    def between(g: int, s: int, shared: int, ceiling: float) -> float:
        """H(G, S), or some number from `ceiling` on when H is not below it."""
        distance = known.get((g, s))
        if distance is None:
            distance = reference.reach(g, s, shared, candidate, 0.0)
            if distance >= ceiling:
                return distance
            distance = known[g, s] = candidate.reach(s, g, shared, reference, distance)
        return distance

    return ObjectDistances(
        _of_side(reference, candidate, table.of_reference, between),
        _of_side(candidate, reference, table.of_candidate, lambda s, g, shared, top: between(g, s, shared, top)),
    )


def _of_side(side: "_Side", other: "_Side", matches: Matches, between: Between) -> NDArray[np.float64]:
    distances = np.full(len(matches.partner), math.hypot(*side.shape))
    for place, (partner, shared) in enumerate(zip(matches.partner.tolist(), matches.shared.tolist(), strict=True)):
        if partner:
            distances[place] = between(place + 1, partner, shared, math.inf)
            continue
        nearest = math.inf
        for least, one in other.nearest_boxes(side.boxes[place]):
            if least >= nearest:
                break
            nearest = min(nearest, between(place + 1, one, 0, nearest))
        distances[place] = min(nearest, distances[place])
    return distances


class _Side:
    """The objects of one label image; trees and squares are made when they are needed."""

    def __init__(self, numbers: Picture, others: Picture, areas: Numbers) -> None:
        self.areas = areas
        self.shape = numbers.shape
        self._width = numbers.shape[1]
        self._others = others.ravel()
        self._pixels, self._starts = _by_object(np.flatnonzero(numbers), numbers, len(areas))
        self._edges, self._edge_starts = _by_object(np.flatnonzero(_boundary(numbers)), numbers, len(areas))
        self._trees: dict[int, Any] = {}
        self._squares: dict[int, _Squares] = {}
        self._box_tree: Any = None
        rows, columns = np.divmod(self._pixels, self._width)
        starts = self._starts[1:-1]
        extremes = (np.minimum.reduceat, np.maximum.reduceat)
        ends = [extreme(line, starts) for line in (rows, columns) for extreme in extremes] if len(starts) else []
        self.boxes: NDArray[np.float64] = np.array(ends, dtype=np.float64).reshape(4, len(starts)).T
        """First and last row, first and last column of each object."""

    def reach(self, own: int, other: int, shared: int, others: "_Side", floor: float) -> float:
        """The largest distance of a pixel of object `own` to object `other` of the other side, or `floor` if that is
        larger."""
        if shared == int(self.areas[own]):
            return floor
        tree = others.tree(other)
        pixels = self._pixels[self._starts[own] : self._starts[own + 1]]
        if int(self.areas[own]) - shared > _MANY:
            floor, pixels = self._promising(self._squares_of(own, pixels), tree, other, floor)
        pixels = pixels[self._others[pixels] != other]
        if len(pixels) > _FEW:
            floor, pixels = self._promising(_squares(pixels, self._width, _FINE), tree, other, floor)
        return max(floor, float(tree.query(_points(pixels, self._width))[0].max())) if len(pixels) else floor

    def tree(self, number: int) -> Any:
        if number not in self._trees:
            edge = self._edges[self._edge_starts[number] : self._edge_starts[number + 1]]
            self._trees[number] = cKDTree(_points(edge, self._width))
        return self._trees[number]

    def nearest_boxes(self, box: NDArray[np.float64]) -> Iterator[tuple[float, int]]:
        """Objects by how far their box differs from this one: no Hausdorff distance is below the largest difference
        between two sides of the boxes."""
        if self._box_tree is None:
            self._box_tree = cKDTree(self.boxes)
        seen: set[int] = set()
        asked = 4
        while len(seen) < len(self.boxes):
            asked = min(asked * 4, len(self.boxes))
            differences, places = self._box_tree.query(box, k=np.arange(1, asked + 1), p=math.inf)
            for difference, place in zip(differences.tolist(), places.tolist(), strict=True):
                if place not in seen:
                    seen.add(place)
                    yield difference, place + 1

    def _promising(self, squares: "_Squares", tree: Any, other: int, floor: float) -> tuple[float, Numbers]:
        """A distance that is reached, and the pixels of all squares that may reach farther.

        A square's first pixel stands for it. Inside the other object it tells its distance to the boundary, which is
        too much for a distance that is reached but not too little for what the square can hold.
        """
        first = squares.pixels[squares.starts]
        distances = tree.query(_points(first, self._width))[0]
        floor = float(distances[self._others[first] != other].max(initial=floor))
        lengths = np.diff(squares.starts, append=len(squares.pixels))
        return floor, squares.pixels[np.repeat(distances + squares.span > floor, lengths)]

    def _squares_of(self, number: int, pixels: Numbers) -> "_Squares":
        if number not in self._squares:
            self._squares[number] = _squares(pixels, self._width, _COARSE)
        return self._squares[number]


@dataclass(frozen=True, eq=False)
class _Squares:
    """Pixels in the order of the squares they lie in, where each square begins, and how far one can go within it."""

    pixels: Numbers
    starts: Numbers
    span: float


def _squares(pixels: Numbers, width: int, power: int) -> _Squares:
    rows, columns = np.divmod(pixels, width)
    square = (rows >> power) * ((width >> power) + 1) + (columns >> power)
    order = np.argsort(square, kind="stable")
    ordered = square[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    return _Squares(pixels[order], starts, math.hypot((1 << power) - 1, (1 << power) - 1))


def _by_object(places: Numbers, numbers: Picture, count: int) -> tuple[Numbers, Numbers]:
    """The places in the order of the objects they belong to, and where each object (and what follows it) begins."""
    owners = numbers.ravel()[places]
    sizes = np.bincount(owners, minlength=count)
    starts: Numbers = np.concatenate(([0], np.cumsum(sizes)))
    return places[np.argsort(owners, kind="stable")], starts


def _boundary(numbers: Picture) -> NDArray[np.bool_]:
    """Pixels of objects with a pixel of something else to the left or right, above or below."""
    edge = np.zeros(numbers.shape, dtype=np.bool_)
    for here, there in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        differ = numbers[here] != numbers[there]
        edge[here] |= differ
        edge[there] |= differ
    return edge & (numbers > 0)


def _points(pixels: Numbers, width: int) -> NDArray[np.float64]:
    points = np.empty((len(pixels), 2))
    points[:, 0], points[:, 1] = np.divmod(pixels, width)
    return points
