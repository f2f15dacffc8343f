"""Simulated readings of areas: lesion masks and label maps of objects."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annotator.geometry.ellipse import Mask
from annotator.imaging.synthetic.grader_profiles import GraderProfile
from annotator.imaging.synthetic.noise import Plane, ragged_harmonics, ragged_radius, smooth_field

Labels = NDArray[np.int32]


def read_mask(profile: GraderProfile, truth: Mask, field: Mask, rng: np.random.Generator) -> Mask:
    """A grader's mask of one kind of lesion; empty when there is none and the grader invents none.

    Each lesion is missed with probability miss_rate · exp(−area / (0.02 · width)²), so that large ones are not
    missed; what is left is moved at its boundary by bias and smooth noise, in proportion to its size.
    """
    if truth.shape != field.shape:
        raise ValueError(f"truth has shape {truth.shape}, field {field.shape}")
    reading = np.zeros_like(truth)
    rows, columns = np.flatnonzero(truth.any(axis=1)), np.flatnonzero(truth.any(axis=0))
    if len(rows):
        margin = 24 + round(0.25 * max(np.ptp(rows), np.ptp(columns)))
        window = (
            slice(max(0, rows[0] - margin), rows[-1] + 1 + margin),
            slice(max(0, columns[0] - margin), columns[-1] + 1 + margin),
        )
        reading[window] = _redrawn(profile, truth[window], truth.shape[1], rng)
    for _ in range(int(rng.poisson(profile.false_rate))):
        _invent(reading, field, rng)
    return reading & field


def _redrawn(profile: GraderProfile, truth: Mask, picture_width: int, rng: np.random.Generator) -> Mask:
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(truth.astype(np.uint8), connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    typical = float(areas[1:].mean())
    chance = profile.miss_rate * np.exp(-areas / (0.02 * picture_width) ** 2)
    seen = rng.random(count) >= chance
    seen[0] = False
    kept = seen[pieces]
    # Half the square root of an area is about the radius of what is drawn.
    size = np.where(seen, np.sqrt(areas) / 2, 0).astype(np.float32)[pieces]
    if not kept.any():
        return np.zeros_like(truth)
    reach = np.asarray(cv2.dilate(size, np.ones((9, 9), np.uint8)), dtype=np.float32)
    height, width = truth.shape
    wobble = smooth_field(rng, width, height, max(6.0, 0.8 * math.sqrt(typical)))
    shift = profile.size_bias * reach + 3.5 * profile.boundary_noise * reach * wobble
    # However small the lesion, the hand shakes by about a two-thousandth of the picture.
    shift += np.float32(picture_width / 2000) * smooth_field(rng, width, height, 6.0)
    return np.asarray(_signed_distance(kept) + shift > 0)


def _signed_distance(mask: Mask) -> Plane:
    """Distance to the boundary in pixels, positive inside."""
    inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
    outside = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 5)
    signed = np.asarray(inside, dtype=np.float32) - np.asarray(outside, dtype=np.float32)
    return np.asarray(signed - np.where(mask, 0.5, -0.5), dtype=np.float32)


def _invent(reading: Mask, field: Mask, rng: np.random.Generator) -> None:
    """Mark one small blob somewhere in the field of view."""
    height, width = field.shape
    radius = max(2.0, 0.006 * width * float(rng.uniform(0.6, 1.6)))
    for _ in range(20):
        x, y = float(rng.uniform(0, width)), float(rng.uniform(0, height))
        if field[int(y), int(x)]:
            break
    reach = round(2 * radius) + 1
    top, bottom = max(0, int(y) - reach), min(height, int(y) + reach)
    left, right = max(0, int(x) - reach), min(width, int(x) + reach)
    dx = (np.arange(left, right) + 0.5 - x).astype(np.float32)
    dy = (np.arange(top, bottom) + 0.5 - y).astype(np.float32)[:, None]
    outline = radius * ragged_radius(np.arctan2(dy, dx + 0 * dy), ragged_harmonics(rng, 0.2))
    reading[top:bottom, left:right] |= np.hypot(dx, dy) <= outline


def read_objects(profile: GraderProfile, truth: Labels, rng: np.random.Generator) -> Labels:
    """A grader's label map: objects missed, touching ones merged, boundaries moved; numbered 1 … n anew."""
    height, width = truth.shape
    count = int(truth.max())
    if count == 0:
        return np.zeros_like(truth)
    renamed = _merged(profile, truth, rng)
    missed = rng.random(count + 1) < profile.miss_rate
    missed[0] = True
    renamed[missed] = 0
    labels = renamed[truth].astype(np.int32)
    labels = _warped(labels, profile, rng, math.sqrt(float((truth > 0).sum()) / count))
    labels = _resized(labels, profile.size_bias * 0.5 * math.sqrt(float((truth > 0).sum()) / count))
    return _renumbered(labels, smallest=max(20, width * height // 8000))


def _merged(profile: GraderProfile, truth: Labels, rng: np.random.Generator) -> Labels:
    """For each object the number it is drawn under; touching objects may share one."""
    names = np.arange(int(truth.max()) + 1, dtype=np.int32)
    beside = np.concatenate(
        (
            np.stack((truth[:, :-1].ravel(), truth[:, 1:].ravel()), axis=1),
            np.stack((truth[:-1].ravel(), truth[1:].ravel()), axis=1),
        )
    )
    touching = np.unique(np.sort(beside[(beside[:, 0] != beside[:, 1]) & (beside > 0).all(axis=1)], axis=1), axis=0)
    for first, second in touching:
        if rng.random() < profile.merge_rate:
            names[names == names[second]] = names[first]
    return names


def _warped(labels: Labels, profile: GraderProfile, rng: np.random.Generator, size: float) -> Labels:
    height, width = labels.shape
    strength = np.float32(1.6 * profile.boundary_noise * size)
    column, row = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    column += strength * smooth_field(rng, width, height, size / 3)
    row += strength * smooth_field(rng, width, height, size / 3)
    moved = cv2.remap(labels.astype(np.float32), column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.int32)


def _resized(labels: Labels, by_px: float) -> Labels:
    """Grow into the background, or shrink from every border, by some pixels."""
    if by_px > 0:
        distance, nearest = ndimage.distance_transform_edt(labels == 0, return_indices=True)
        return np.asarray(np.where(distance <= by_px, labels[tuple(nearest)], 0), dtype=np.int32)
    same = np.ones(labels.shape, dtype=np.uint8)
    for axis in (0, 1):
        change = np.diff(labels, axis=axis) != 0
        ahead, behind = (slice(1, None), slice(None, -1)) if axis == 0 else (np.s_[:, 1:], np.s_[:, :-1])
        same[ahead][change] = 0
        same[behind][change] = 0
    depth = cv2.distanceTransform(same, cv2.DIST_L2, 5)
    return np.asarray(np.where(np.asarray(depth) >= -by_px, labels, 0), dtype=np.int32)


def _renumbered(labels: Labels, smallest: int) -> Labels:
    """Keep each object's largest piece if it is large enough; number them 1 … n."""
    result = np.zeros_like(labels)
    kept = 0
    for number, window in enumerate(ndimage.find_objects(labels), start=1):
        if window is None:
            continue
        pieces, count = ndimage.label(labels[window] == number)
        areas = np.bincount(pieces.ravel())[1:]
        if count and int(areas.max()) >= smallest:
            kept += 1
            result[window][pieces == int(areas.argmax()) + 1] = kept
    return result
