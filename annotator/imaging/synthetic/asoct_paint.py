"""Tissue, shadows and speckle of an anterior-segment OCT scan."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.imaging.synthetic.chamber import Angle, AsOctTruth, Chamber
from annotator.imaging.synthetic.noise import Plane, Points, blurred, smooth_field, smoothstep

_AIR = 0.018


def paint_asoct(truth: AsOctTruth, chamber: Chamber, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Reflectivity of each tissue, dimmed by the tissue above it, then speckled."""
    x = (np.arange(truth.width) + 0.5 - chamber.centre[0]).astype(np.float32)
    y = (np.arange(truth.height) + 0.5 - chamber.centre[1]).astype(np.float32)[:, None]
    cosine, sine = math.cos(chamber.tilt), math.sin(chamber.tilt)
    across, up = x * cosine + y * sine, x * sine - y * cosine
    at = np.abs(np.arctan2(across, up)).astype(np.float32)
    above = np.hypot(across, up).astype(np.float32) - np.float32(chamber.radius)
    tissue = _wall(chamber, at, above, rng)
    for angle in (truth.left, truth.right):
        _paint_iris(tissue, angle, chamber, rng)
    _paint_lens(tissue, chamber, across, up)
    mm = 1000 / chamber.um_per_px
    shadow = np.exp(-np.cumsum(np.maximum(tissue - 0.1, 0), axis=0) * np.float32(1.05 / mm))
    light = _AIR + tissue * (0.22 + 0.78 * shadow)
    apex = chamber.on_circle(0.0)
    streak = np.exp(-(((x + np.float32(chamber.centre[0]) - apex[0]) / (0.035 * mm)) ** 2))
    light += streak * (0.10 + 0.75 * ((above > -0.02 * mm) & (above < 0.62 * mm)))
    return _speckle(light.astype(np.float32), rng)


def _wall(chamber: Chamber, at: Plane, above: Plane, rng: np.random.Generator) -> Plane:
    """Cornea, sclera and ciliary body by angle from the apex and height above the posterior surface."""
    mm = 1000 / chamber.um_per_px
    spur = chamber.spur_at
    beyond = np.maximum(at - spur, 0)
    thickness = mm * (0.54 + 0.16 * smoothstep(at, 0.2, spur) + 0.9 * beyond + 0.6 * smoothstep(at, spur, spur + 0.45))
    # Beyond the spur the sclera's inner face recedes and ciliary muscle lies beneath it: the spur is the corner.
    floor = mm * 1.35 * beyond
    height_share = np.clip((above - floor) / np.maximum(thickness - floor, 1), -1, 2)
    in_wall = smoothstep(above - floor, -1.2, 1.2) * smoothstep(thickness - above, -1.2, 1.2)
    limbus = smoothstep(at + 0.11 * height_share, spur - 0.16, spur + 0.02)
    grain = 1 + 0.10 * smooth_field(rng, at.shape[1], at.shape[0], 0.12 * mm)
    cornea = 0.36 + 0.10 * np.cos(height_share * 3.1) ** 2
    cornea += 0.38 * np.exp(-(((thickness - above) / (0.028 * mm)) ** 2)) + 0.26 * np.exp(
        -((above / (0.022 * mm)) ** 2)
    )
    sclera = 0.80 - 0.16 * (1 - height_share)
    wall = in_wall * (cornea + limbus * (sclera - cornea)) * grain
    # Ciliary muscle and processes, lost in depth; they begin behind the spur.
    behind = smoothstep(at, spur - 0.001, spur + 0.006) * smoothstep(floor - above, -1.2, 1.2)
    reach = mm * (0.03 + 0.75 * smoothstep(at, spur + 0.02, spur + 0.22))
    ciliary = 0.46 * behind * np.exp(-((np.maximum(-above, 0) / reach) ** 2))
    return np.asarray(np.maximum(wall, ciliary * grain), dtype=np.float32)


def _paint_iris(tissue: Plane, angle: Angle, chamber: Chamber, rng: np.random.Generator) -> None:
    """The leaf below the anterior surface: bright border, fading stroma, ruffled back."""
    mm = 1000 / chamber.um_per_px
    front = _resampled(_rooted(angle.anterior_iris, 0.4 * mm), 260)
    share = np.linspace(0, 1, len(front))
    ruffle = 0.07 * np.sin(share * 17 + float(rng.uniform(0, 6))) + 0.05 * np.sin(share * 41)
    thick = (
        chamber.iris_thickness_px * (0.62 + 0.55 * share**0.8 + ruffle) * np.sqrt(np.clip((1 - share) * 10, 0.03, 1))
    )
    leaf = np.concatenate((front, (front + _below(front) * thick[:, None])[::-1]))
    left, top = np.maximum(np.floor(leaf.min(axis=0)).astype(int) - 3, 0)
    right, bottom = np.minimum(np.ceil(leaf.max(axis=0)).astype(int) + 4, tissue.shape[::-1])
    cover = _cover(leaf - (left, top), max(right - left, 0), max(bottom - top, 0))
    if not cover.size:
        return
    order = np.argsort(front[:, 0])
    columns = np.arange(left, left + cover.shape[1]) + 0.5
    surface = np.interp(columns, front[order, 0], front[order, 1]).astype(np.float32)
    depth = (np.arange(top, top + cover.shape[0]) + 0.5).astype(np.float32)[:, None] - surface
    grain = 1 + 0.16 * smooth_field(rng, cover.shape[1], cover.shape[0], 0.09 * mm)
    body = (0.30 + 0.40 * np.exp(-np.maximum(depth, 0) / (0.10 * mm)) + 0.1 * np.exp(-depth / (0.4 * mm))) * grain
    window = tissue[top:bottom, left:right]
    # Over the wall, only what is not already cornea: the iris lies behind it.
    window += cover * np.maximum(np.minimum(body, 0.95) - window, 0)


def _cover(leaf: Points, width: int, height: int) -> Plane:
    """Share of each pixel inside the outline. Four by four per pixel: OpenCV's own smooth filling lies half a pixel
    outside of what it is given, and the surface would not be where the truth says."""
    fine = np.zeros((height * 4, width * 4), dtype=np.uint8)
    if not fine.size:
        return np.zeros((height, width), dtype=np.float32)
    cv2.fillPoly(fine, [np.round((leaf * 4 - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA) / 255, dtype=np.float32)


def _rooted(front: Points, length: float) -> Points:
    """The surface carried back into the wall, where its root is hidden."""
    step = front[0] - front[1]
    return np.concatenate((front[:1] + step / np.linalg.norm(step) * length, front))


def _resampled(line: Points, count: int) -> Points:
    """`count` points equally spaced along a polyline."""
    along = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    where = np.linspace(0, along[-1], count)
    return np.stack([np.interp(where, along, line[:, axis]) for axis in (0, 1)], axis=1)


def _below(front: Points) -> Points:
    """Unit normals of the surface that point to the back of the eye."""
    tangent = np.gradient(front, axis=0)
    normal = np.stack((-tangent[:, 1], tangent[:, 0]), axis=1)
    normal *= np.where(normal[:, 1:] < 0, -1, 1)
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9))


def _paint_lens(tissue: Plane, chamber: Chamber, across: Plane, up: Plane) -> None:
    """The front of the lens, seen through the pupil only."""
    mm = 1000 / chamber.um_per_px
    # The pupil's margin rests on the lens.
    bulge = (chamber.pupil_half_px**2 - across * across) / (2 * 10.2 * mm)
    front = chamber.radius - chamber.pupil_depth_px - 0.16 * mm + bulge
    seen = smoothstep(np.abs(across), chamber.pupil_half_px + 0.15 * mm, chamber.pupil_half_px - 0.15 * mm)
    below = front - up
    shine = 0.34 * np.exp(-((below / (0.03 * mm)) ** 2)) + 0.10 * (below > 0) * np.exp(
        -np.maximum(below, 0) / (0.5 * mm)
    )
    np.maximum(tissue, seen * shine, out=tissue)


def _speckle(light: Plane, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Multiplicative speckle (amplitude of a complex Gaussian, a few looks averaged) over a faint noise floor."""
    height, width = light.shape
    speckle = rng.standard_gamma(2.6, (height, width), dtype=np.float32) / np.float32(2.6)
    speckle = 0.55 * speckle + 0.45 * blurred(speckle, 1.1)
    floor = np.abs(rng.standard_normal((height, width), dtype=np.float32)) * np.float32(0.022)
    grey = 255 * (np.clip(light * speckle + floor, 0, 1) ** np.float32(0.8))
    return np.asarray(np.clip(grey + 0.5, 0, 255), dtype=np.uint8)
