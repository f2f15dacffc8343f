"""Haematoxylin and eosin on a colon section, painted as stain densities.

Colour follows Beer and Lambert, intensity = white · exp(−H·haematoxylin − E·eosin), after Ruifrok and Johnston,
Analyt Quant Cytol Histol 23 (2001) 291; the stain vectors are those QuPath starts from.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.imaging.synthetic.noise import Plane, blurred, fractal_field, smooth_field, smoothstep

_HAEMATOXYLIN = np.array([0.651, 0.701, 0.290])
_EOSIN = np.array([0.216, 0.801, 0.558])
_FINE = 2  # Nuclei are drawn at twice the size, then averaged.


@dataclass(frozen=True)
class _Slide:
    """Densities of both stains at the fine size."""

    haematoxylin: Plane
    eosin: Plane


@dataclass(frozen=True)
class _Nucleus:
    """Mean semi-axes in pixels and mean density of a kind of nucleus."""

    long: float
    short: float
    density: float


_BASAL = _Nucleus(4.7, 2.5, 0.95)
_ATYPICAL = _Nucleus(5.6, 3.0, 1.0)
_LYMPHOCYTE = _Nucleus(2.6, 2.3, 1.2)
_FIBROBLAST = _Nucleus(5.2, 1.4, 0.8)


def paint_section(labels: NDArray[np.int32], rng: np.random.Generator, *, malignant: bool) -> NDArray[np.uint8]:
    """The picture (height, width, 3) of a label map."""
    height, width = labels.shape
    slide = _stroma(labels, rng)
    for number in range(1, int(labels.max()) + 1):
        _paint_gland(slide, labels == number, rng, malignant=malignant)
    small = [
        np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)
        for plane in (slide.haematoxylin, slide.eosin)
    ]
    strength = rng.uniform(0.85, 1.2, 2)
    turn = rng.normal(0, 0.03, 3)
    density = small[0][..., None] * (strength[0] * (_HAEMATOXYLIN + turn)) + small[1][..., None] * (
        strength[1] * _EOSIN
    )
    light = 244 * np.exp(-density) + rng.normal(0, 2.0, (height, width, 1))
    light = blurred(light.astype(np.float32), 0.55)
    return np.asarray(np.clip(light + 0.5, 0, 255), dtype=np.uint8)


def _stroma(labels: NDArray[np.int32], rng: np.random.Generator) -> _Slide:
    """Fibres that flow around the glands, gaps of bare glass, and scattered cells."""
    height, width = labels.shape
    outside = np.asarray(cv2.distanceTransform((labels == 0).astype(np.uint8), cv2.DIST_L2, 5), dtype=np.float32)
    phase = outside / 3.4 + 1.5 * smooth_field(rng, width, height, 30) + smooth_field(rng, width, height, 9)
    fibre = 0.5 + 0.5 * np.sin(phase)
    body = fractal_field(rng, width, height, 40, 5)
    gap = smoothstep(fractal_field(rng, width, height, 24, 4), 1.0, 1.7) * smoothstep(outside, 1.0, 4.0)
    eosin = (0.36 + 0.17 * fibre + 0.08 * body) * (1 - 0.85 * gap)
    haematoxylin = (0.10 + 0.04 * fibre + 0.04 * body) * (1 - 0.85 * gap)
    fine = [
        np.asarray(cv2.resize(plane, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        for plane in (haematoxylin.astype(np.float32), eosin.astype(np.float32))
    ]
    slide = _Slide(fine[0], fine[1])
    crowding = smooth_field(rng, width, height, 70)
    free = np.argwhere((outside > 3.5) & (gap < 0.5))
    if len(free):
        flow = blurred(outside, 4.0)
        flow_x, flow_y = (np.asarray(np.gradient(flow, axis=axis)) for axis in (1, 0))
        for row, column in free[rng.integers(0, len(free), len(free) // 125)]:
            kind = _LYMPHOCYTE if crowding[row, column] + rng.normal(0, 0.5) > 0.4 else _FIBROBLAST
            # Spindle cells lie along the fibres, that is around the glands.
            turn = float(np.arctan2(flow_x[row, column], -flow_y[row, column]) + rng.normal(0, 0.35))
            _paint_nucleus(slide, column + 0.5, row + 0.5, turn, kind, rng)
    return slide


def _paint_gland(slide: _Slide, gland: NDArray[np.bool_], rng: np.random.Generator, *, malignant: bool) -> None:
    """Epithelium around a lumen: nuclei along the base, goblets (benign) or layered nuclei (malignant)."""
    height, width = gland.shape
    rows, columns = np.flatnonzero(gland.any(axis=1)), np.flatnonzero(gland.any(axis=0))
    top, left = int(rows[0]), int(columns[0])
    box = gland[top : rows[-1] + 1, left : columns[-1] + 1]
    # Beyond the picture's edge a gland goes on, so the edge is not its border.
    padded = np.pad(box, 1, constant_values=False).astype(np.uint8)
    if top == 0:
        padded[0] = padded[1]
    if rows[-1] == height - 1:
        padded[-1] = padded[-2]
    if left == 0:
        padded[:, 0] = padded[:, 1]
    if columns[-1] == width - 1:
        padded[:, -1] = padded[:, -2]
    depth = np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5), dtype=np.float32)[1:-1, 1:-1]
    deepest = float(depth.max())
    wall = min(deepest * float(rng.uniform(0.5, 0.72)), 30.0 if malignant else 25.0)
    _paint_epithelium(slide, box, depth, wall, (left, top), rng, malignant=malignant)
    if malignant:
        for at in np.arange(5.0, max(5.5, wall * 0.66), 7.5):
            _paint_ring(slide, depth, float(at), 7.5, _ATYPICAL, (left, top), rng)
    else:
        _paint_goblets(slide, depth, wall, (left, top), rng)
        _paint_ring(slide, depth, 4.6, 5.4, _BASAL, (left, top), rng)


def _paint_epithelium(
    slide: _Slide,
    box: NDArray[np.bool_],
    depth: Plane,
    wall: float,
    corner: tuple[int, int],
    rng: np.random.Generator,
    *,
    malignant: bool,
) -> None:
    grain = fractal_field(rng, depth.shape[1], depth.shape[0], 14, 4) if min(depth.shape) > 3 else 0 * depth
    lumen = smoothstep(depth + 1.3 * grain, wall - 1.5, wall + 1.5)
    debris = smoothstep(grain, 0.5, 1.6) * (0.75 if malignant else 0.25)
    haematoxylin = 0.26 + (0.10 if malignant else 0.0) + 0.05 * grain
    haematoxylin += lumen * (0.02 + 0.30 * debris - haematoxylin)
    eosin = 0.30 + (0.12 if malignant else 0.0) + 0.04 * grain
    eosin += lumen * (0.05 + 0.34 * debris - eosin)
    # A thin pink basement membrane parts neighbours that touch.
    membrane = smoothstep(depth, 2.6, 1.0)
    eosin += 0.16 * membrane
    haematoxylin -= 0.14 * membrane
    left, top = corner
    rows, columns = depth.shape
    window = np.s_[_FINE * top : _FINE * (top + rows), _FINE * left : _FINE * (left + columns)]
    cover = cv2.resize(box.astype(np.float32), None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_LINEAR)
    for plane, density in ((slide.haematoxylin, haematoxylin), (slide.eosin, eosin)):
        fine = cv2.resize(density.astype(np.float32), None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_LINEAR)
        plane[window] += cover * (fine - plane[window])


def _contour_points(depth: Plane, at: float, pitch: float) -> list[tuple[float, float, float]]:
    """Points along the line of equal depth with the direction across it, about `pitch` pixels apart."""
    found = []
    contours, _ = cv2.findContours((depth > at).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        line = contour[:, 0, :].astype(np.float64)
        if len(line) < 6:
            continue
        smooth = (np.roll(line, 3, axis=0) - np.roll(line, -3, axis=0))[:: max(1, round(pitch))]
        for (x, y), (dx, dy) in zip(line[:: max(1, round(pitch))], smooth, strict=True):
            found.append((float(x), float(y), float(np.arctan2(dy, dx) + np.pi / 2)))
    return found


def _paint_ring(
    slide: _Slide,
    depth: Plane,
    at: float,
    pitch: float,
    kind: _Nucleus,
    corner: tuple[int, int],
    rng: np.random.Generator,
) -> None:
    """Nuclei side by side along one depth, their long axes across the wall; not at the picture's edge."""
    rows, columns = depth.shape
    jitter = 0.14 * pitch
    for x, y, across in _contour_points(depth, at, pitch):
        if not (1 < x < columns - 2 and 1 < y < rows - 2):
            continue
        px, py = corner[0] + x + float(rng.normal(0, jitter)), corner[1] + y + float(rng.normal(0, jitter))
        _paint_nucleus(slide, px, py, across + float(rng.normal(0, 0.25)), kind, rng)


def _paint_goblets(slide: _Slide, depth: Plane, wall: float, corner: tuple[int, int], rng: np.random.Generator) -> None:
    """Pale drops of mucin between the nuclei and the lumen."""
    if wall < 13:
        return
    for x, y, across in _contour_points(depth, wall * 0.62, 8.5):
        if rng.random() < 0.25:
            continue
        size = (float(rng.uniform(0.2, 0.3)) * wall, float(rng.uniform(2.8, 4.0)))
        where = (corner[0] + x + float(rng.normal(0, 1)), corner[1] + y + float(rng.normal(0, 1)))
        _ellipse(slide.haematoxylin, where, size, across, float(rng.uniform(0.08, 0.2)))
        _ellipse(slide.eosin, where, size, across, float(rng.uniform(0.04, 0.12)))


def _paint_nucleus(slide: _Slide, x: float, y: float, turn: float, kind: _Nucleus, rng: np.random.Generator) -> None:
    size = (kind.long * float(rng.uniform(0.8, 1.25)), kind.short * float(rng.uniform(0.8, 1.25)))
    density = kind.density * float(rng.uniform(0.6, 1.2))
    _ellipse(slide.haematoxylin, (x, y), size, turn, density)
    # Chromatin is uneven: a paler middle.
    _ellipse(slide.haematoxylin, (x + 0.4, y), (size[0] * 0.55, size[1] * 0.5), turn, density * 0.72)
    _ellipse(slide.eosin, (x, y), size, turn, 0.34)


def _ellipse(plane: Plane, where: tuple[float, float], size: tuple[float, float], turn: float, density: float) -> None:
    scale = 16 * _FINE
    centre = (round(where[0] * scale), round(where[1] * scale))
    axes = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    cv2.ellipse(plane, centre, axes, float(np.degrees(turn)), 0, 360, density, -1, cv2.LINE_8, 4)
