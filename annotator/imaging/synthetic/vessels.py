"""Arteries and veins grown as branching walks that follow the arcades and spare the fovea."""

import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from annotator.imaging.synthetic.noise import Points

STEP_DD = 0.05
LARGEST_RADIUS_DD = 8.6
AVASCULAR_DD = 0.34
THINNEST_DD = 0.0075
_CELL_DD = 0.05
_GRID = int(2 * (LARGEST_RADIUS_DD + 1) / _CELL_DD)


@dataclass(frozen=True)
class Branch:
    """A vessel's centre line (n, 2) in DD, and its width at each point."""

    kind: str
    points: Points
    widths: NDArray[np.float64]


@dataclass(frozen=True)
class _Sprout:
    x: float
    y: float
    heading: float
    width: float
    role: str
    depth: int
    upper: bool


@dataclass
class _Tree:
    """A tree under growth, and the ground that any branch has taken (0 free, else the branch's number)."""

    kind: str
    disc_x: float
    disc_y: float
    taken: NDArray[np.int32]
    first: int
    branches: list[Branch] = field(default_factory=list)


def grow_vessels(rng: np.random.Generator, hilum: tuple[float, float], disc: tuple[float, float]) -> tuple[Branch, ...]:
    """All branches of one eye, veins first (arteries mostly cross above them)."""
    branches: list[Branch] = []
    arcade = float(rng.uniform(0.92, 1.12))
    spread = {(role, vertical): float(rng.normal(0, 0.10)) for role in ("t", "n") for vertical in (-1, 1)}
    taken = np.zeros((_GRID, _GRID), dtype=np.int32)
    for kind, width in (("vein", 0.092), ("artery", 0.066)):
        tree = _Tree(kind, disc[0], disc[1], taken, len(branches))
        queue = deque(_trunks(rng, kind, hilum, width * float(rng.uniform(0.9, 1.1)), spread))
        while queue and len(tree.branches) < 260:
            queue.extend(_grow(rng, tree, queue.popleft(), arcade * (0.9 if kind == "artery" else 1.0)))
        branches.extend(tree.branches)
    return tuple(branches)


def _trunks(
    rng: np.random.Generator, kind: str, hilum: tuple[float, float], width: float, spread: dict[tuple[str, int], float]
) -> list[_Sprout]:
    side = 0.16 if kind == "vein" else -0.16
    sprouts = []
    for vertical in (-1, 1):
        for role, lean, share in (("t", 1.72, 1.0), ("n", 0.78, 0.62)):
            # Angles from nasal (0) over vertical to temporal (π), mirrored for the lower half.
            angle = lean + spread[role, vertical] + side * vertical * 0.5 + side + float(rng.normal(0, 0.05))
            x, y = hilum[0] + 0.015 * float(rng.normal()), hilum[1] + 0.015 * float(rng.normal())
            sprouts.append(_Sprout(x, y, vertical * angle, width * share, role, 0, vertical < 0))
    for _ in range(int(rng.integers(1, 4))):
        turn, drop = float(rng.normal(0, 0.6)), float(rng.normal(0, 0.04))
        sprouts.append(_Sprout(hilum[0] - 0.03, hilum[1] + drop, math.pi + turn, width * 0.3, "m", 1, turn > 0))
    for _ in range(int(rng.integers(1, 3))):
        turn = float(rng.normal(0, 0.5))
        sprouts.append(_Sprout(hilum[0], hilum[1], turn, width * 0.35, "n", 1, turn < 0))
    return sprouts


def _grow(rng: np.random.Generator, tree: _Tree, sprout: _Sprout, arcade: float) -> list[_Sprout]:
    """Walk one branch to its end; returns what sprouted on the way."""
    number = tree.first + len(tree.branches) + 1
    x, y, heading, width = sprout.x, sprout.y, sprout.heading, sprout.width
    path, widths, children = [(x, y)], [width], []
    limit = 260 if sprout.depth == 0 else int(rng.uniform(22, 95))
    jitter = rng.standard_normal(limit)
    curl, since = 0.0, 0.0
    wiggle = 0.42 if sprout.depth == 0 else 0.5
    next_fork = float(rng.uniform(0.5, 0.9))
    for index in range(limit):
        curl = 0.86 * curl + wiggle * float(jitter[index])
        guide, pull = _guide(sprout, x, y, tree, arcade)
        turn = math.atan2(math.sin(guide - heading), math.cos(guide - heading))
        heading += (pull * turn + curl) * STEP_DD
        x, y = x + STEP_DD * math.cos(heading), y + STEP_DD * math.sin(heading)
        width *= 1 - STEP_DD * (0.035 if sprout.depth == 0 else 0.16)
        since += STEP_DD
        if not _may_go(tree, number, x, y, width, index, sprout.depth):
            break
        path.append((x, y))
        widths.append(width)
        if since > next_fork and width > 1.5 * THINNEST_DD and _away_from_disc(tree, x, y):
            child, width, heading = _fork(rng, sprout, x, y, heading, width)
            children.append(child)
            since, next_fork = 0.0, float(rng.uniform(0.28, 1.0))
    if len(path) < 7:
        return []
    tree.branches.append(Branch(tree.kind, np.array(path), _tapered(np.array(widths), sprout.depth)))
    return children


def _tapered(widths: NDArray[np.float64], depth: int) -> NDArray[np.float64]:
    """A twig thins out to its end; a trunk comes up out of the depth of the cup."""
    if depth > 0:
        last = max(4, len(widths) // 2)
        widths[-last:] *= np.linspace(1.0, 0.25, last)
    else:
        widths[:4] *= np.array([0.55, 0.7, 0.82, 0.93])
    return widths


def _away_from_disc(tree: _Tree, x: float, y: float) -> bool:
    return math.hypot(x - tree.disc_x, y - tree.disc_y) > 0.62


def _may_go(tree: _Tree, number: int, x: float, y: float, width: float, index: int, depth: int) -> bool:
    """Inside the retina, outside the avascular zone, and, but for trunks, on ground no other branch has taken."""
    if math.hypot(x, y) > LARGEST_RADIUS_DD or width < THINNEST_DD or math.hypot(x, y) < AVASCULAR_DD:
        return False
    column, row = int((x + LARGEST_RADIUS_DD + 1) / _CELL_DD), int((y + LARGEST_RADIUS_DD + 1) / _CELL_DD)
    owner = tree.taken[row, column]
    if owner not in (0, number) and depth > 0 and index > 4 and _away_from_disc(tree, x, y):
        return False
    tree.taken[row, column] = number
    return True


def _fork(
    rng: np.random.Generator, sprout: _Sprout, x: float, y: float, heading: float, width: float
) -> tuple[_Sprout, float, float]:
    """Split by Murray's law, w³ = w₁³ + w₂³; the thinner daughter turns off more."""
    share = float(rng.uniform(0.34, 0.8 if sprout.depth else 0.62))
    daughter = width * share
    rest = (width**3 - daughter**3) ** (1 / 3)
    side = 1.0 if rng.random() < 0.5 else -1.0
    angle = float(rng.uniform(0.5, 1.15))
    towards_fovea = math.atan2(-y, -x)
    inward = math.sin(towards_fovea - heading) * side > 0
    role = sprout.role
    if role in ("t", "o"):
        role = "m" if inward and math.hypot(x, y) < 3.4 else "o"
    child = _Sprout(x, y, heading + side * angle, daughter, role, sprout.depth + 1, sprout.upper)
    return child, rest, heading - side * angle * 0.28 * share


def _guide(sprout: _Sprout, x: float, y: float, tree: _Tree, arcade: float) -> tuple[float, float]:
    """Where this kind of branch wants to go, and how strongly."""
    if sprout.role == "t" and sprout.depth == 0:
        return _arcade_heading(x, y, arcade, sprout.upper), 1.5
    if sprout.role == "m":
        return math.atan2(-y, -x), 0.75
    if sprout.role == "n":
        return math.atan2(y - tree.disc_y, x - tree.disc_x), 0.5
    return math.atan2(y, x - 1.2), 0.35


def _arcade_heading(x: float, y: float, arcade: float, upper: bool) -> float:
    """Tangent of an ellipse about the macula, opened towards the temporal side."""
    wide, high = 2.75, 2.0 * arcade
    u, v = (x - 0.15) / wide, y / high
    radius = math.hypot(u, v)
    sign = 1.0 if upper else -1.0
    tangent_x, tangent_y = sign * v * wide, -sign * u * high
    # Pull back onto the ellipse when the walk has strayed from it.
    stray = max(-0.8, min(0.8, 1.0 - radius)) * 1.6
    tangent_x += stray * u * wide
    tangent_y += stray * v * high
    if x < -0.3:
        opening = min(1.0, (-0.3 - x) / 1.6)
        tangent_x = (1 - opening) * tangent_x - opening * 2.2
        tangent_y = (1 - opening) * tangent_y + opening * (0.1 if upper else -0.1)
    return math.atan2(tangent_y, tangent_x)
