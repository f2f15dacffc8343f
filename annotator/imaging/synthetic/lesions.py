"""Which lesions an eye has, and where; lengths in disc diameters, fovea at the origin."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse
from annotator.imaging.synthetic.noise import ragged_harmonics

KINDS = ("drusen", "exudate", "hemorrhage", "scar", "other")
AMD_STAGES = ("none", "early", "intermediate", "late-dry", "late-wet")


@dataclass(frozen=True)
class Lesion:
    """A ragged blob: `radius` is the mean semi-axis, `aspect` the ratio of the two, `turn` radians."""

    kind: str
    style: str
    x: float
    y: float
    radius: float
    aspect: float
    turn: float
    harmonics: NDArray[np.float32]
    strength: float


def amd_lesions(rng: np.random.Generator, stage: str) -> tuple[Lesion, ...]:
    """Lesions that fit the stage; an eye without AMD may have a few hard drusen or another disease."""
    if stage not in AMD_STAGES:
        raise ValueError(f"amd_stage is {stage!r}, expected one of {', '.join(AMD_STAGES)}")
    if stage == "none":
        return _other_disease(rng)
    if stage == "early":
        return _drusen(rng, soft=int(rng.integers(4, 12)), hard=int(rng.integers(8, 22)), spread=0.75)
    if stage == "intermediate":
        drusen = _drusen(rng, soft=int(rng.integers(24, 58)), hard=int(rng.integers(15, 50)), spread=0.85)
        return drusen + (_pigment_clumps(rng) if rng.random() < 0.5 else ())
    if stage == "late-dry":
        atrophy = _scars(rng, "atrophic", int(rng.integers(1, 4)))
        drusen = _drusen(rng, soft=int(rng.integers(8, 26)), hard=int(rng.integers(10, 30)), spread=1.15)
        return _without_buried(atrophy + drusen)
    return _without_buried(_wet(rng))


def _without_buried(lesions: tuple[Lesion, ...]) -> tuple[Lesion, ...]:
    """Leave out drusen that a scar or a subretinal bleeding would hide: nobody could mark them."""
    large = [lesion for lesion in lesions if lesion.style in ("atrophic", "fibrous", "subretinal")]
    return tuple(
        lesion
        for lesion in lesions
        if lesion.kind != "drusen"
        or all(math.hypot(lesion.x - big.x, lesion.y - big.y) > 1.25 * big.radius + lesion.radius for big in large)
    )


def disc_haemorrhage(rng: np.random.Generator, disc: Ellipse) -> tuple[Lesion, ...]:
    """A splinter across the disc's margin, mostly below on the temporal side."""
    angle = math.pi + float(rng.normal(0.75, 0.2)) * (-1 if rng.random() < 0.75 else 1)
    x, y = disc.cx + disc.half_width * 1.04 * math.cos(angle), disc.cy + disc.half_height * 1.04 * math.sin(angle)
    return (_blob(rng, "hemorrhage", "flame", (x, y), 0.055, turn=angle, aspect=0.28, roughness=0.25),)


def _blob(
    rng: np.random.Generator,
    kind: str,
    style: str,
    where: tuple[float, float],
    radius: float,
    *,
    turn: float | None = None,
    aspect: float | None = None,
    roughness: float = 0.2,
) -> Lesion:
    return Lesion(
        kind, style, *where, radius,
        float(rng.uniform(0.72, 1.0)) if aspect is None else aspect,
        float(rng.uniform(0, math.pi)) if turn is None else turn,
        ragged_harmonics(rng, roughness),
        float(rng.uniform(0.75, 1.0)),
    )  # fmt: skip


def _near_fovea(rng: np.random.Generator, spread: float) -> tuple[float, float]:
    return float(rng.normal(0, spread)), float(rng.normal(0, spread))


def _drusen(rng: np.random.Generator, *, soft: int, hard: int, spread: float) -> tuple[Lesion, ...]:
    """Soft drusen gather in a few clusters about the fovea, hard ones are strewn wider."""
    found = []
    centres = rng.normal(0, 0.5 * spread, (max(2, soft // 9), 2))
    for _ in range(soft):
        x, y = centres[int(rng.integers(len(centres)))] + rng.normal(0, 0.26 * spread, 2)
        found.append(
            _blob(rng, "drusen", "soft", (float(x), float(y)), float(rng.uniform(0.028, 0.075)), roughness=0.14)
        )
    for _ in range(hard):
        where = _near_fovea(rng, 0.95 * spread)
        found.append(_blob(rng, "drusen", "hard", where, float(rng.uniform(0.012, 0.024)), roughness=0.1))
    return tuple(found)


def _exudates(rng: np.random.Generator, x: float, y: float, ring: float, count: int) -> tuple[Lesion, ...]:
    """A broken ring of yellow flecks about a leaking spot, some run together."""
    found = []
    gap, start = float(rng.uniform(0.6, 2.2)), float(rng.uniform(0, 2 * math.pi))
    for _ in range(count):
        angle = start + float(rng.uniform(0, 2 * math.pi - gap))
        distance = ring * float(rng.normal(1, 0.14))
        size = float(np.clip(rng.lognormal(-3.75, 0.5), 0.011, 0.075))
        px, py = x + distance * math.cos(angle), y + distance * math.sin(angle) * 0.85
        found.append(_blob(rng, "exudate", "exudate", (px, py), size, roughness=0.24))
    return tuple(found)


def _scars(rng: np.random.Generator, style: str, count: int) -> tuple[Lesion, ...]:
    first = float(rng.uniform(0.5, 1.0))
    found = [_blob(rng, "scar", style, _near_fovea(rng, 0.15), first, roughness=0.3)]
    for _ in range(count - 1):
        angle, size = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.14, 0.32))
        x, y = (first + size * 0.9) * math.cos(angle), (first + size * 0.9) * math.sin(angle)
        found.append(_blob(rng, "scar", style, (x, y), size, roughness=0.3))
    return tuple(found)


def _pigment_clumps(rng: np.random.Generator) -> tuple[Lesion, ...]:
    return tuple(
        _blob(rng, "other", "pigment", _near_fovea(rng, 0.4), float(rng.uniform(0.03, 0.08)), roughness=0.55)
        for _ in range(int(rng.integers(2, 6)))
    )


def _wet(rng: np.random.Generator) -> tuple[Lesion, ...]:
    x, y = _near_fovea(rng, 0.25)
    found = _drusen(rng, soft=int(rng.integers(3, 14)), hard=int(rng.integers(4, 16)), spread=1.1)
    if rng.random() < 0.55:
        found += _scars(rng, "fibrous", int(rng.integers(1, 3)))
    if rng.random() < 0.3:
        found += (_blob(rng, "other", "detachment", (x, y), float(rng.uniform(0.5, 0.9)), roughness=0.12),)
    if rng.random() < 0.75 or len(found) < 6:
        angle, far = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.2, 0.75))
        size = float(rng.uniform(0.28, 0.72))
        where = (x + far * math.cos(angle), y + far * math.sin(angle))
        found += (_blob(rng, "hemorrhage", "subretinal", where, size, roughness=0.24),)
    for _ in range(int(rng.integers(0, 6))):
        where = _near_fovea(rng, 0.8)
        found += (_blob(rng, "hemorrhage", "blot", where, float(rng.uniform(0.03, 0.1)), roughness=0.24),)
    return found + _exudates(rng, x, y, float(rng.uniform(0.75, 1.25)), int(rng.integers(14, 60)))


def _other_disease(rng: np.random.Generator) -> tuple[Lesion, ...]:
    chance = float(rng.random())
    if chance < 0.62:
        return ()
    if chance < 0.82:
        return _drusen(rng, soft=0, hard=int(rng.integers(2, 9)), spread=1.2)
    x, y = _near_fovea(rng, 0.8)
    found = _exudates(rng, x, y, float(rng.uniform(0.3, 0.6)), int(rng.integers(12, 40)))
    for _ in range(int(rng.integers(5, 22))):
        where = _near_fovea(rng, 1.5)
        found += (_blob(rng, "hemorrhage", "blot", where, float(rng.uniform(0.015, 0.06)), roughness=0.24),)
    for _ in range(int(rng.integers(0, 3))):
        where = _near_fovea(rng, 1.6)
        found += (_blob(rng, "other", "cotton_wool", where, float(rng.uniform(0.08, 0.16)), roughness=0.2),)
    return found
