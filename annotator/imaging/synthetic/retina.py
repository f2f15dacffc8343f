"""The ground the rest is painted on: pigment, choroid, macula and the nerve fibre layer's sheen."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from annotator.imaging.synthetic.noise import Plane, fractal_field, generator, resized, smooth_field, smoothstep
from annotator.imaging.synthetic.view import View

_EXTENT_DD = 8.0
_GRID = 512

# Red, green, blue of a blond and of a heavily pigmented fundus in full light.
_BLOND = np.array([216.0, 116.0, 68.0], dtype=np.float32)
_DARK = np.array([164.0, 72.0, 30.0], dtype=np.float32)


@dataclass(frozen=True)
class Ground:
    """What one eye's ground looks like, before any camera."""

    seed: int
    pigment: float
    tessellation: float
    sheen: float
    foveal_reflex: float
    disc_x: float
    disc_y: float
    disc_radius: float
    defects: tuple[tuple[int, float, float], ...]
    """Nerve fibre defects: side (−1 above, +1 below), start angle and width in radians."""


def paint_ground(ground: Ground, view: View) -> Plane:
    """The ground as seen by a view, (height, width, 3), light uniform; drawn small and enlarged."""
    shrink = max(1.0, max(view.width, view.height) / 620)
    columns, rows = round(view.width / shrink), round(view.height / shrink)
    x, y = view.grid_dd(columns, rows)
    mottle, choroid = _textures(ground, x, y)
    colour = (1 - ground.pigment) * _BLOND + ground.pigment * _DARK
    macula = np.exp(-((x / 0.95) ** 2 + (y / 0.8) ** 2))
    pit = np.exp(-((x / 0.30) ** 2 + (y / 0.28) ** 2))
    outer = smoothstep(np.hypot(x, y), 0.9, 3.0)
    relief = ground.tessellation * (0.25 + 0.75 * outer) * choroid
    shade = 1 + 0.035 * mottle
    sheen = _sheen(ground, x, y)
    picture = np.empty((rows, columns, 3), dtype=np.float32)
    for channel, (rel, mac, deep, gloss) in enumerate(
        ((0.035, 0.10, 0.10, 0.04), (0.07, 0.20, 0.26, 0.15), (0.07, 0.26, 0.22, 0.19))
    ):
        plane = shade * (1 + rel * relief) * (1 - mac * macula) * (1 - deep * pit) * (1 + gloss * sheen)
        picture[..., channel] = colour[channel] * plane
    picture += _reflexes(ground, x, y)[..., None] * np.array([20.0, 22.0, 16.0], dtype=np.float32)
    return resized(picture, view.width, view.height)


def _textures(ground: Ground, x: Plane, y: Plane) -> tuple[Plane, Plane]:
    """Pigment mottling and choroidal vessels, drawn once per eye and looked up through the view."""
    rng = generator(ground.seed, "ground")
    mottle = fractal_field(rng, _GRID, _GRID, _GRID / 5, 6)
    warp_x, warp_y = (6 * smooth_field(rng, _GRID, _GRID, 22) for _ in range(2))
    column, row = np.meshgrid(np.arange(_GRID, dtype=np.float32), np.arange(_GRID, dtype=np.float32))
    ridge = np.zeros((_GRID, _GRID), dtype=np.float32)
    for cell, strength in ((13, 1.0), (9, 1.0), (6, 0.7)):
        # Choroidal vessels run along the zero line of a field: bright where |field| is small.
        field = smooth_field(rng, _GRID, _GRID, cell)
        bent = cv2.remap(field, column + warp_x, row + warp_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        ridge += strength * np.exp(-((np.asarray(bent, dtype=np.float32) / 0.85) ** 2))
    # Pigment between them is patchy, so the pattern comes and goes.
    ridge = (ridge - ridge.mean()) * smoothstep(smooth_field(rng, _GRID, _GRID, 60), -1.3, 1.0)
    ridge = (ridge - ridge.mean()) / ridge.std()
    scale = np.float32(_GRID / (2 * _EXTENT_DD))
    where_x, where_y = (x + _EXTENT_DD) * scale, (y + _EXTENT_DD) * scale
    looked = [
        np.asarray(cv2.remap(p, where_x, where_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT), dtype=np.float32)
        for p in (mottle, ridge)
    ]
    return looked[0], looked[1]


def fibre_coordinates(ground: Ground, x: Plane, y: Plane) -> tuple[Plane, Plane]:
    """Start angle of the nerve fibre through each point (0 temporal, π nasal), and its distance from the disc.

    Bundles leave the disc steeply and bend towards the temporal side, after the manner of Jansonius et al.,
    Vision Research 49 (2009) 2157: angle on the retina = start angle − bend · distance.
    """
    temporal, down = ground.disc_x - x, y - ground.disc_y
    distance = np.hypot(temporal, down)
    angle = np.arctan2(np.abs(down), temporal)
    bend = 0.30 * np.maximum(distance - ground.disc_radius, 0) * smoothstep(angle, math.pi * 0.95, 0.3)
    return angle + bend, distance


def _sheen(ground: Ground, x: Plane, y: Plane) -> Plane:
    """Silvery striation, strongest above and below the disc, missing inside a nerve fibre defect."""
    rng = generator(ground.seed, "fibres")
    start, distance = fibre_coordinates(ground, x, y)
    table = fractal_field(rng, 1024, 64, 12, 3)
    column = (start * 150 + np.where(y < ground.disc_y, 0, 500)).astype(np.float32)
    streak = cv2.remap(table, column, (distance * 7).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    near = np.exp(-((distance / 2.1) ** 2))
    bundle = np.exp(-(((start - 1.35) / 0.62) ** 2)) + 0.25
    sheen = ground.sheen * near * bundle * (1 + 0.33 * np.asarray(streak, dtype=np.float32))
    for side, middle, width in ground.defects:
        wedge = smoothstep(np.abs(start - middle).astype(np.float32), width * 0.62, width * 0.42)
        wedge *= (y - ground.disc_y) * side > 0
        wedge *= smoothstep(distance, 0.4, 0.55) * smoothstep(distance, 4.2, 1.8)
        sheen = sheen * (1 - wedge) - 0.62 * wedge
    return np.asarray(sheen, dtype=np.float32)


def _reflexes(ground: Ground, x: Plane, y: Plane) -> Plane:
    """The pit's pin-point reflex and the faint ring around a young macula."""
    radius = np.hypot(x * 0.92, y)
    point = np.exp(-(((x - 0.015) / 0.045) ** 2 + ((y + 0.01) / 0.04) ** 2))
    ring = np.exp(-(((radius - 0.62) / 0.075) ** 2)) * (0.6 + 0.4 * np.sin(3 * np.arctan2(y, x) + 1))
    return np.asarray(ground.foveal_reflex * (1.3 * point + 0.42 * ring), dtype=np.float32)
