"""Small pictures for lists."""

import os
from typing import Any, BinaryIO

import cv2
import numpy as np
import simplejpeg
from numpy.typing import NDArray

from annotator.imaging.jpeg import with_profile

LONGEST_SIDE = 320
_QUALITY = 85
_FIRST, _LAST = b"\xff\xd8", b"\xff\xd9"


def thumbnail(pixels: NDArray[Any], profile: bytes | None = None) -> bytes:
    """A JPEG of the upright picture whose longest side is 320 pixels, or the picture's own if that is shorter.

    Transparent parts become black; 16-bit grey is spread linearly from its darkest to its brightest sample, because
    cameras seldom use the whole range.
    """
    small = _shrunk(pixels)
    if small.dtype != np.uint8:
        small = _spread(small)
    if small.shape[2] in (2, 4):
        small = _on_black(small)
    grey = small.shape[2] == 1
    encoded: bytes = simplejpeg.encode_jpeg(
        np.ascontiguousarray(small),
        quality=_QUALITY,
        colorspace="GRAY" if grey else "RGB",
        colorsubsampling="Gray" if grey else "420",
    )
    return with_profile(encoded, profile)


def is_whole(file: BinaryIO) -> bool:
    """Whether a stored thumbnail has its first and its last bytes; a power cut leaves nothing, zeros or a part."""
    first = file.read(len(_FIRST))
    file.seek(0, os.SEEK_END)
    size = file.tell()
    file.seek(max(0, size - len(_LAST)))
    last = file.read()
    file.seek(0)
    return first == _FIRST and last == _LAST


def _shrunk(pixels: NDArray[Any]) -> NDArray[Any]:
    """Quartered once (the mean of the middle four of sixteen pixels), halved by averaging while it is at least twice
    too large, then brought to size between neighbouring pixels.

    One area average over the whole looks the same and takes eight times as long, nearly as long as decoding the JPEG.
    A step leaves out the last rows and columns that do not fill a block, at most one part in 320 of the picture.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, LONGEST_SIDE / max(height, width))
    target = (max(1, round(width * scale)), max(1, round(height * scale)))
    if _fits(pixels, 4, target):
        pixels = _reduced(pixels, 4, cv2.INTER_LINEAR)
    while _fits(pixels, 2, target):
        pixels = _reduced(pixels, 2, cv2.INTER_AREA)
    if (pixels.shape[1], pixels.shape[0]) == target:
        return pixels
    return _with_channels(cv2.resize(pixels, target, interpolation=cv2.INTER_LINEAR))


def _fits(pixels: NDArray[Any], factor: int, target: tuple[int, int]) -> bool:
    rows, columns = pixels.shape[:2]
    return bool(columns >= factor * target[0] and rows >= factor * target[1])


def _reduced(pixels: NDArray[Any], factor: int, how: int) -> NDArray[Any]:
    rows, columns = pixels.shape[0] // factor, pixels.shape[1] // factor
    whole = pixels[: factor * rows, : factor * columns]
    return _with_channels(cv2.resize(whole, (columns, rows), interpolation=how))


def _with_channels(pixels: NDArray[Any]) -> NDArray[Any]:
    return pixels[:, :, np.newaxis] if pixels.ndim == 2 else pixels


def _spread(samples: NDArray[Any]) -> NDArray[np.uint8]:
    low, high = int(samples.min()), int(samples.max())
    return ((samples.astype(np.float64) - low) * (255 / max(1, high - low))).round().astype(np.uint8)


def _on_black(samples: NDArray[np.uint8]) -> NDArray[np.uint8]:
    alpha = samples[:, :, -1:].astype(np.uint16)
    return ((samples[:, :, :-1] * alpha + 127) // 255).astype(np.uint8)
