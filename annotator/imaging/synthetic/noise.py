"""Seeded randomness: generators, smooth fields, ragged outlines."""

import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Points = NDArray[np.float64]


def generator(seed: int, purpose: str) -> np.random.Generator:
    """A stream of its own for each purpose, so that one part may draw more without moving the others."""
    if seed < 0:
        raise ValueError(f"seed is {seed}, expected 0 or more")
    return np.random.Generator(np.random.PCG64([seed, zlib.crc32(purpose.encode())]))


def resized(plane: Plane, width: int, height: int) -> Plane:
    return np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def blurred(plane: Plane, sigma: float) -> Plane:
    """Gaussian blur; sigma of 0 gives the plane back."""
    if sigma <= 0:
        return plane
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma, borderType=cv2.BORDER_REFLECT), dtype=np.float32)


def smooth_field(rng: np.random.Generator, width: int, height: int, cell: float) -> Plane:
    """Zero-mean, unit-variance field that varies over about `cell` pixels."""
    columns, rows = max(2, round(width / cell) + 1), max(2, round(height / cell) + 1)
    coarse = rng.standard_normal((rows, columns), dtype=np.float32)
    field = resized(coarse, width, height)
    field -= field.mean()
    field /= max(float(field.std()), 1e-6)
    return field


def fractal_field(rng: np.random.Generator, width: int, height: int, cell: float, octaves: int) -> Plane:
    """Sum of smooth fields, each octave half as wide and 0.6 as strong; unit variance."""
    field = np.zeros((height, width), dtype=np.float32)
    for octave in range(octaves):
        size = cell / 2**octave
        if size < 1.5:
            break
        field += np.float32(0.6**octave) * smooth_field(rng, width, height, size)
    field /= max(float(field.std()), 1e-6)
    return field


def smoothstep(values: Plane, low: float, high: float) -> Plane:
    """0 below `low`, 1 above `high` (or the reverse when low > high), cubic between."""
    share = np.clip((values - np.float32(low)) / np.float32(high - low), 0, 1)
    return np.asarray(share * share * (3 - 2 * share), dtype=np.float32)


def ragged_harmonics(rng: np.random.Generator, roughness: float, count: int = 7) -> NDArray[np.float32]:
    """Amplitude and phase of the outline's harmonics 2, 3, …; radius = 1 + Σ amplitude·cos(nθ + phase)."""
    order = np.arange(2, count + 2)
    amplitude = roughness * rng.standard_normal(count) / order**1.15
    return np.stack((amplitude, rng.uniform(0, 2 * np.pi, count)), axis=1).astype(np.float32)


def ragged_radius(theta: Plane, harmonics: NDArray[np.float32]) -> Plane:
    radius = np.ones_like(theta)
    for order, (amplitude, phase) in enumerate(harmonics, start=2):
        radius += amplitude * np.cos(order * theta + phase)
    return np.maximum(radius, np.float32(0.35))
