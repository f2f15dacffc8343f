"""A line drawn to the nearest edge: where, across the line, brightness falls fastest."""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d
from scipy.signal import savgol_filter

Plane = NDArray[np.float32]
Points = NDArray[np.float64]

_REACH = 8.0  # px on both sides of the line
_STEP = 0.25
_ACROSS = 1.2  # px over which the fall is taken
_ALONG = 8.0  # px of the line that are looked at together: one pixel's speckle is as strong as the edge
_SMOOTH = 41.0
_ROUNDS = 2


def drawn_to_edge(grey: Plane, line: Points, *, into: float, unit: float) -> Points:
    """One point per pixel of length, to a fraction of a pixel. `into`: whether the dark side lies at greater (1) or
    lesser (-1) rows."""
    for _round in range(_ROUNDS):
        line = smoothed(resampled(line), unit)
        normals = _normals(line, into)
        line = line + _offsets(grey, line, normals, unit)[:, None] * normals
    return smoothed(line, unit)


def resampled(line: Points, step: float = 1.0) -> Points:
    """Points at equal distances along the line."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))))
    places = np.arange(0.0, along[-1], step)
    return np.stack([np.interp(places, along, line[:, axis]) for axis in (0, 1)], axis=1)


def smoothed(line: Points, unit: float) -> Points:
    window = min(max(5, int(_SMOOTH * unit)), len(line)) // 2 * 2 - 1
    return line if window < 5 else np.asarray(savgol_filter(line, window, 2, axis=0))


def _normals(line: Points, into: float) -> Points:
    tangents = np.gradient(line, axis=0)
    normals = np.stack((-tangents[:, 1], tangents[:, 0]), axis=1)
    normals /= np.maximum(np.hypot(*normals.T), 1e-9)[:, None]
    return normals if normals[:, 1].sum() * into > 0 else -normals


def _offsets(grey: Plane, line: Points, normals: Points, unit: float) -> NDArray[np.float64]:
    across = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    places = (line[:, None] + across[None, :, None] * normals[:, None] - 0.5).astype(np.float32)
    profiles = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = gaussian_filter1d(profiles, max(2.0, _ALONG * unit), axis=0, mode="nearest")
    falls = -gaussian_filter1d(profiles, _ACROSS / _STEP, axis=1, order=1, mode="nearest")
    best = np.clip(falls.argmax(axis=1), 1, len(across) - 2)
    rows = np.arange(len(best))
    before, here, after = falls[rows, best - 1], falls[rows, best], falls[rows, best + 1]
    bend = before - 2 * here + after
    peak = np.where(bend < -1e-9, 0.5 * (before - after) / np.where(bend < -1e-9, bend, 1.0), 0.0)
    return np.asarray(across[best] + np.clip(peak, -1.0, 1.0) * _STEP, dtype=np.float64)
