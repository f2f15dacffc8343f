"""Stained colon sections whose glands are known exactly, one positive integer per gland."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annotator.imaging.synthetic.gland_paint import paint_section
from annotator.imaging.synthetic.noise import Plane, generator, ragged_harmonics, ragged_radius

WIDTH, HEIGHT = 775, 522
SMALLEST_GLAND_PX = 350


@dataclass(frozen=True)
class GlandsTruth:
    """`labels` (height, width): 0 outside, 1 … n in the glands; each gland is one 4-connected piece."""

    labels: NDArray[np.int32]
    malignant: bool

    @property
    def count(self) -> int:
        return int(self.labels.max())


@dataclass(frozen=True)
class GlandsPicture:
    """An RGB picture (height, width, 3) and its truth."""

    image: NDArray[np.uint8]
    truth: GlandsTruth


@dataclass(frozen=True)
class _Outline:
    x: float
    y: float
    radius: float
    aspect: float
    turn: float
    harmonics: NDArray[np.float32]


def draw_glands(seed: int, *, malignant: bool = False, width: int = WIDTH, height: int = HEIGHT) -> GlandsPicture:
    """One section; the same arguments give the same bytes."""
    if width < 100 or height < 100:
        raise ValueError(f"picture of {width}×{height} pixels is too small for glands, 100 is the least")
    rng = generator(seed, "malignant glands" if malignant else "benign glands")
    outlines = _crowd(rng, width, height) if malignant else _rows(rng, width, height)
    labels = _partition(outlines, width, height)
    image = paint_section(labels, generator(seed, "stain"), malignant=malignant)
    return GlandsPicture(image, GlandsTruth(labels, malignant))


def _rows(rng: np.random.Generator, width: int, height: int) -> list[_Outline]:
    """Benign crypts: evenly spaced, alike in size, turned the same way."""
    oblique = rng.random() < 0.4
    radius = float(rng.uniform(42, 56))
    aspect = float(rng.uniform(0.5, 0.62)) if oblique else float(rng.uniform(0.8, 0.95))
    turn = float(rng.uniform(0, np.pi))
    pitch = radius * float(rng.uniform(2.45, 2.9))
    outlines = []
    for row in range(-1, int(height / (pitch * 0.9)) + 2):
        for column in range(-1, int(width / pitch) + 2):
            x = (column + 0.5 * (row % 2)) * pitch + float(rng.normal(0, 0.08 * pitch))
            y = row * pitch * 0.9 + float(rng.normal(0, 0.08 * pitch))
            size = radius * float(np.clip(rng.normal(1, 0.11), 0.7, 1.25))
            shape = float(np.clip(rng.normal(aspect, 0.06), 0.42, 1))
            harmonics = ragged_harmonics(rng, 0.09)
            if rng.random() > 0.1:
                outlines.append(_Outline(x, y, size, shape, turn + float(rng.normal(0, 0.2)), harmonics))
    return outlines


def _crowd(rng: np.random.Generator, width: int, height: int) -> list[_Outline]:
    """Malignant glands: of all sizes, ragged, pressed against one another."""
    outlines: list[_Outline] = []
    for _ in range(400):
        if len(outlines) >= round(20 * width * height / (WIDTH * HEIGHT)) + 4:
            break
        x, y = float(rng.uniform(-20, width + 20)), float(rng.uniform(-20, height + 20))
        radius = float(np.clip(rng.lognormal(3.95, 0.38), 30, 120))
        if all(np.hypot(x - other.x, y - other.y) > 0.78 * (radius + other.radius) for other in outlines):
            aspect = float(rng.uniform(0.5, 1.0))
            turn = float(rng.uniform(0, np.pi))
            outlines.append(_Outline(x, y, radius * 1.12, aspect, turn, ragged_harmonics(rng, 0.34)))
    return outlines


def _partition(outlines: list[_Outline], width: int, height: int) -> NDArray[np.int32]:
    """Each pixel goes to the gland it lies deepest in; pieces cut off and slivers go to the background."""
    best = np.ones((height, width), dtype=np.float32)
    owner = np.zeros((height, width), dtype=np.int32)
    for number, outline in enumerate(outlines, start=1):
        window, level = _level(outline, width, height)
        closer = level < best[window]
        best[window][closer], owner[window][closer] = level[closer], number
    labels = np.zeros_like(owner)
    kept = 0
    for number in range(1, len(outlines) + 1):
        pieces, count = ndimage.label(owner == number)
        if count:
            areas = np.bincount(pieces.ravel())[1:]
            if int(areas.max()) >= SMALLEST_GLAND_PX:
                kept += 1
                labels[pieces == int(areas.argmax()) + 1] = kept
    return labels


def _level(outline: _Outline, width: int, height: int) -> tuple[tuple[slice, slice], Plane]:
    """The window a gland may reach, and its level there: 0 at its centre, 1 on its outline."""
    reach = 2.2 * outline.radius / float(np.sqrt(outline.aspect))
    left, right = max(0, int(outline.x - reach)), max(0, min(width, int(outline.x + reach)))
    top, bottom = max(0, int(outline.y - reach)), max(0, min(height, int(outline.y + reach)))
    dx = (np.arange(left, right) + 0.5 - outline.x).astype(np.float32)
    dy = (np.arange(top, bottom) + 0.5 - outline.y).astype(np.float32)[:, None]
    cosine, sine, stretch = np.cos(outline.turn), np.sin(outline.turn), np.sqrt(outline.aspect)
    along = ((dx * cosine + dy * sine) * stretch).astype(np.float32)
    across = ((dy * cosine - dx * sine) / stretch).astype(np.float32)
    radius = outline.radius * ragged_radius(np.arctan2(across, along), outline.harmonics)
    level = np.asarray(np.hypot(along, across) / radius, dtype=np.float32)
    return (slice(top, bottom), slice(left, right)), level
