"""Vessels onto the picture: absorption of the blood column, and the arteries' light reflex."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.imaging.synthetic.noise import Plane, Points
from annotator.imaging.synthetic.vessels import Branch
from annotator.imaging.synthetic.view import View

_SUBPIXEL_BITS = 4

# Share of red, green and blue light taken by a full column of blood; venous blood is darker.
_ABSORPTION = {"vein": (0.27, 0.61, 0.58), "artery": (0.12, 0.46, 0.48)}


@dataclass(frozen=True)
class VesselMaps:
    """Optical thickness 0…255 of veins and of arteries, and the arteries' reflex, each (height, width)."""

    vein: NDArray[np.uint8]
    artery: NDArray[np.uint8]
    reflex: NDArray[np.uint8]


def vessel_maps(branches: tuple[Branch, ...], view: View) -> VesselMaps:
    """Draw every branch as a strip: a weaker full width and a stronger core, softened."""
    maps = {name: np.zeros((view.height, view.width), dtype=np.uint8) for name in ("vein", "artery", "reflex")}
    for branch in branches:
        points = view.to_px(branch.points)
        if not _in_picture(points, view):
            continue
        widths = branch.widths * view.px_per_dd
        # A vessel thinner than a pixel is drawn one pixel wide, but paler.
        strength = np.clip(widths.max() / 1.6, 0.35, 1.0) * (0.36 + 0.64 * min(1.0, float(branch.widths.max()) / 0.055))
        drawn = np.maximum(widths, 1.0)
        _strip(maps[branch.kind], points, drawn, int(175 * strength))
        _strip(maps[branch.kind], points, drawn * 0.62, int(255 * strength))
        if widths[0] > 4.0:
            core = widths > 3.0
            if core.sum() > 2:
                level = 220 if branch.kind == "artery" else 70
                _strip(maps["reflex"], points[core], widths[core] * 0.26, level)
    sigma = max(0.5, view.px_per_dd * 0.0042)
    soft = {name: np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), dtype=np.uint8) for name, plane in maps.items()}
    return VesselMaps(soft["vein"], soft["artery"], soft["reflex"])


def paint_vessels(picture: Plane, maps: VesselMaps) -> None:
    """Darken the picture (height, width, 3) in place."""
    for channel in range(3):
        vein = np.float32(_ABSORPTION["vein"][channel] / 255)
        artery = np.float32(_ABSORPTION["artery"][channel] / 255)
        plane = picture[..., channel]
        plane *= (1 - vein * maps.vein) * (1 - artery * maps.artery)
        plane *= 1 + np.float32((0.16, 0.30, 0.22)[channel] / 255) * maps.reflex


def _in_picture(points: Points, view: View) -> bool:
    low, high = points.min(axis=0), points.max(axis=0)
    return bool(high[0] > -20 and high[1] > -20 and low[0] < view.width + 20 and low[1] < view.height + 20)


def _strip(plane: NDArray[np.uint8], points: Points, widths: NDArray[np.float64], level: int) -> None:
    tangent = np.gradient(points, axis=0)
    length = np.maximum(np.hypot(tangent[:, 0], tangent[:, 1]), 1e-9)
    normal = np.stack((-tangent[:, 1], tangent[:, 0]), axis=1) / length[:, None]
    # OpenCV's antialiased fill reaches half a pixel beyond the outline.
    half = np.maximum(widths / 2 - 0.35, 0.15)[:, None]
    outline = np.concatenate((points + normal * half, (points - normal * half)[::-1])) - 0.5
    # Filled on its own first: where branches overlap the stronger one stays.
    fixed = np.round(outline * (1 << _SUBPIXEL_BITS)).astype(np.int32)
    left, top = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 3
    window = plane[top:bottom, left:right]
    if not window.size:
        return
    stroke = np.zeros_like(window)
    cv2.fillPoly(stroke, [fixed - (np.array([left, top]) << _SUBPIXEL_BITS)], level, cv2.LINE_AA, _SUBPIXEL_BITS)
    np.maximum(window, stroke, out=window)
