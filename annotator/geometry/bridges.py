"""Outlines that hold a hole by walking to it and back along the same line, as formats without holes have to."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

Place = tuple[float, float]


def without_bridges(points: Sequence[Place]) -> list[list[Place]]:
    """The closed rings that are left when every edge that is walked both ways is taken out.

    Under the even-odd rule such an edge encloses nothing, but a pixel whose centre lies on it would count as border.
    """
    if len(set(points)) == len(points):
        return [list(points)]
    edges = Counter((one, two) for one, two in pairwise((*points, points[0])) if one != two)
    onward: defaultdict[Place, list[Place]] = defaultdict(list)
    for (one, two), times in edges.items():
        onward[one] += [two] * max(0, times - edges.get((two, one), 0))
    rings = []
    for start in list(onward):
        while onward[start]:
            ring, here = [start], onward[start].pop()
            while here != start:  # as many edges leave a place as reach it
                ring.append(here)
                here = onward[here].pop()
            rings.append(ring)
    return rings
