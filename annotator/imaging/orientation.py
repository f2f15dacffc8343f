"""EXIF orientation: reading the one tag we obey, and turning pixels upright.

Source: Exif 2.32 (CIPA DC-008), tag 0x0112; TIFF 6.0 for the directory layout.
"""

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

UPRIGHT = 1
_ORIENTATION_TAG = 0x0112
_SHORT = 3


def orientation_of(tiff: bytes) -> int:
    """The orientation 1–8 in an EXIF block (from its TIFF header on); 1 when absent or unreadable.

    Unreadable means upright because browsers decide so too, and the metadata itself is never shown.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None or len(tiff) < 8:
        return UPRIGHT
    (directory,) = struct.unpack_from(order + "I", tiff, 4)
    if directory + 2 > len(tiff):
        return UPRIGHT
    (count,) = struct.unpack_from(order + "H", tiff, directory)
    for index in range(count):
        at = directory + 2 + 12 * index
        if at + 12 > len(tiff):
            break
        tag, kind, values, value = struct.unpack_from(order + "HHIH", tiff, at)
        if tag == _ORIENTATION_TAG:
            return value if kind == _SHORT and values == 1 and 1 <= value <= 8 else UPRIGHT
    return UPRIGHT


def turn_upright(pixels: NDArray[Any], orientation: int) -> NDArray[Any]:
    """The picture as it is meant to be looked at.

    Orientation says where the stored first row and first column lie in the upright picture: 1 top-left, 2 top-right,
    3 bottom-right, 4 bottom-left, 5 left-top, 6 right-top, 7 right-bottom, 8 left-bottom.
    """
    if orientation >= 5:
        pixels = np.swapaxes(pixels, 0, 1)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)
