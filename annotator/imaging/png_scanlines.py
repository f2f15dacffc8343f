"""Whether the compressed pixels of a PNG are exactly as many as its header claims."""

import zlib
from collections.abc import Iterable

from annotator.imaging.bad_picture import bad_picture

# Adam7: first column, first row, column step, row step of each pass (PNG specification, section 8.1).
_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_PIECE = 1024 * 1024


def scanline_bytes(*, width: int, height: int, bits_per_pixel: int, interlaced: bool) -> int:
    """Length of the uncompressed pixels: per scanline one filter byte and ⌈width · bits / 8⌉ bytes, for each pass."""
    if not interlaced:
        return height * (1 + _row_bytes(width, bits_per_pixel))
    total = 0
    for left, top, across, down in _ADAM7:
        columns, rows = -(-(width - left) // across), -(-(height - top) // down)
        if columns > 0 and rows > 0:
            total += rows * (1 + _row_bytes(columns, bits_per_pixel))
    return total


def check_scanlines(pieces: Iterable[bytes], *, width: int, height: int, bits_per_pixel: int, interlaced: bool) -> None:
    """Unpack everything once, keeping nothing: BadPicture when pixels are missing, damaged or too many.

    Decoders fill up what is missing and ignore what is too much; here both are found, and so is a wrong Adler-32.
    """
    expected = scanline_bytes(width=width, height=height, bits_per_pixel=bits_per_pixel, interlaced=interlaced)
    unpacker, unpacked = zlib.decompressobj(), 0
    try:
        for piece in pieces:
            if unpacker.eof and piece:
                raise bad_picture("corrupt", detail="something stands behind the pixels")
            waiting, full = piece, True
            while full and not unpacker.eof:
                length = len(unpacker.decompress(waiting, _PIECE))
                waiting, full = unpacker.unconsumed_tail, length == _PIECE
                unpacked += length
                if unpacked > expected:
                    raise bad_picture("corrupt", detail="it holds more pixels than its header claims")
            if unpacker.unused_data:
                raise bad_picture("corrupt", detail="something stands behind the pixels")
    except zlib.error as error:
        raise bad_picture("corrupt", detail=str(error)) from None
    if not unpacker.eof or unpacked < expected:
        raise bad_picture("truncated")


def _row_bytes(columns: int, bits_per_pixel: int) -> int:
    return (columns * bits_per_pixel + 7) // 8
