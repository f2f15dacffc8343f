"""Masks as PNG pictures of one bit per pixel: white where the structure is. Such a picture cannot be anti-aliased, is
a quarter as large as a grey one, and is read as 0 and 255 (or false and true) by the usual libraries.

Written here and not by Pillow, which takes many times as long; read by `grey_picture`, like any mask.
"""

import zlib

import numpy as np

from annotator.geometry.runs import Toggles, decode
from annotator.imaging.png_chunks import SIGNATURE, Chunk

_ONE_BIT_GREY = bytes([1, 0, 0, 0, 0])  # bits, colour type, and the only compression, filter and interlace methods


def write_binary(toggles: Toggles, width: int, height: int) -> bytes:
    """The same mask always gives the same bytes."""
    rows = np.packbits(decode(toggles, width, height), axis=1)
    lines = np.zeros((height, rows.shape[1] + 1), np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = rows
    header = Chunk(b"IHDR", width.to_bytes(4, "big") + height.to_bytes(4, "big") + _ONE_BIT_GREY)
    pixels = Chunk(b"IDAT", zlib.compress(lines.tobytes(), 6))
    return SIGNATURE + header.encoded() + pixels.encoded() + Chunk(b"IEND", b"").encoded()
