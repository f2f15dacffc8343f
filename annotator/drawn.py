"""Drawn pictures and their truth in the forms that the rest of the house uses: JPEG bytes and answers. Pure."""

import numpy as np
import simplejpeg
from numpy.typing import NDArray

from annotator.answers import Given
from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse, Mask


def jpeg(image: NDArray[np.uint8]) -> bytes:
    colour = "GRAY" if image.ndim == 2 else "RGB"
    pixels = np.ascontiguousarray(image[:, :, None] if image.ndim == 2 else image)
    return bytes(simplejpeg.encode_jpeg(pixels, quality=92, colorspace=colour, colorsubsampling="444"))


def packed(mask: Mask) -> bytes:
    return runs.pack(runs.encode(mask))


def ellipse_answer(target: str, ellipse: Ellipse) -> Given:
    names = ("cx", "cy", "a", "b", "theta_deg")
    return Given(target, geometry={name: float(getattr(ellipse, name)) for name in names})


def point_answer(target: str, point: tuple[float, float] | None, otherwise: str) -> Given:
    if point is None:
        return Given(target, answer=otherwise)
    return Given(target, geometry={"x": float(point[0]), "y": float(point[1])})


def mask_answer(target: str, mask: Mask | None, otherwise: str) -> Given:
    if mask is None or not mask.any():
        return Given(target, answer=otherwise)
    return Given(target, masks=(packed(mask),))


def objects_answer(target: str, labels: NDArray[np.int32], otherwise: str) -> Given:
    """Every numbered object as its own mask."""
    numbers = [number for number in range(1, int(labels.max()) + 1) if (labels == number).any()]
    masks = tuple(packed(labels == number) for number in numbers)
    return Given(target, masks=masks) if masks else Given(target, answer=otherwise)
