"""BMP files, decoded to the last pixel.

Taken: 1, 4, 8, 24 and 32 bits per pixel, upside down or not, packed (RLE) or not. A palette of greys gives a grey
picture. Refused: 16 bits per pixel (no exact 8-bit colours), colours in unusual places, transparency, pictures that are
JPEG or PNG inside.

Source: Microsoft, BITMAPINFOHEADER and its later forms, "Bitmap Compression".
"""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.bmp_packed import unpacked
from annotator.imaging.decoded import Decoded
from annotator.imaging.limits import check_size

START = b"BM"
_CORE = 12
_HEADERS = (_CORE, 40, 52, 56, 64, 108, 124)
_PLAIN, _RLE8, _RLE4, _MASKED, _MASKED_WITH_ALPHA = 0, 1, 2, 3, 6
_FILE_HEADER = 14


@dataclass(frozen=True)
class _Header:
    size: int
    width: int
    height: int
    top_down: bool
    bits: int
    compression: int
    colours: int


def decode_bmp(data: bytes) -> Decoded:
    """All pixels of `data` (which begins with BM); BadPicture when they are not all there."""
    header = _read_header(data)
    (start,) = struct.unpack_from("<I", data, 10)
    if start < _FILE_HEADER + header.size or start > len(data):
        raise bad_picture("corrupt", detail="its pixels do not begin behind its header")
    if header.bits <= 8:
        pixels = _coloured(_indices(data, start, header), _palette(data, header))
    else:
        pixels = _direct(data, start, header)
    if not header.top_down:
        pixels = pixels[::-1]
    return Decoded("bmp", iter([np.ascontiguousarray(pixels)]))


def _read_header(data: bytes) -> _Header:
    if len(data) < _FILE_HEADER + 4:
        raise bad_picture("truncated")
    (size,) = struct.unpack_from("<I", data, _FILE_HEADER)
    if size not in _HEADERS:
        raise bad_picture("corrupt", detail="the header names a kind of BMP that does not exist")
    if len(data) < _FILE_HEADER + size:
        raise bad_picture("truncated")
    if size == _CORE:
        width, height, planes, bits = struct.unpack_from("<HHHH", data, _FILE_HEADER + 4)
        compression = colours = 0
    else:
        width, height, planes, bits, compression = struct.unpack_from("<iiHHI", data, _FILE_HEADER + 4)
        (colours,) = struct.unpack_from("<I", data, _FILE_HEADER + 32)
    if planes != 1 or width < 0:
        raise bad_picture("corrupt", detail="the header names a kind of BMP that does not exist")
    check_size(width, abs(height))
    _check_kind(bits, compression)
    return _Header(size, width, abs(height), height < 0, bits, compression, colours)


def _check_kind(bits: int, compression: int) -> None:
    if compression in (4, 5):
        raise bad_picture("unsupported_format", kind="BMP with a JPEG or PNG inside")
    if bits in (2, 16):
        raise bad_picture("unsupported_format", kind=f"BMP with {bits} bits per pixel")
    allowed = {
        _PLAIN: (1, 4, 8, 24, 32),
        _RLE8: (8,),
        _RLE4: (4,),
        _MASKED: (32,),
        _MASKED_WITH_ALPHA: (32,),
    }
    if bits not in allowed.get(compression, ()):
        raise bad_picture("corrupt", detail="the header names a kind of BMP that does not exist")


def _rows(data: bytes, start: int, header: _Header) -> NDArray[np.uint8]:
    """The stored rows, each padded to whole words."""
    row = (header.width * header.bits + 31) // 32 * 4
    if start + row * header.height > len(data):
        raise bad_picture("truncated")
    return np.frombuffer(data, np.uint8, row * header.height, start).reshape(header.height, row)


def _indices(data: bytes, start: int, header: _Header) -> NDArray[np.uint8]:
    if header.compression in (_RLE8, _RLE4):
        if header.top_down:
            raise bad_picture("corrupt", detail="a packed picture cannot begin at the top")
        return unpacked(data[start:], header.width, header.height, nibbles=header.compression == _RLE4)
    rows = _rows(data, start, header)
    if header.bits == 1:
        rows = np.unpackbits(rows, axis=1)
    elif header.bits == 4:
        rows = np.stack([rows >> 4, rows & 15], axis=2).reshape(header.height, -1)
    return rows[:, : header.width]


def _palette(data: bytes, header: _Header) -> NDArray[np.uint8]:
    """Colours as RGB, one row each."""
    width = 3 if header.size == _CORE else 4
    count = header.colours or 1 << header.bits
    at = _FILE_HEADER + header.size
    if count > 1 << header.bits:
        raise bad_picture("corrupt", detail="the palette has a wrong length")
    if at + count * width > len(data):
        raise bad_picture("truncated")
    stored = np.frombuffer(data, np.uint8, count * width, at).reshape(count, width)
    return stored[:, 2::-1]


def _coloured(indices: NDArray[np.uint8], palette: NDArray[np.uint8]) -> NDArray[Any]:
    if int(indices.max()) >= len(palette):
        raise bad_picture("corrupt", detail="a pixel names a colour that is not in the palette")
    if (palette == palette[:, :1]).all():
        return palette[indices][:, :, :1]
    return palette[indices]


def _direct(data: bytes, start: int, header: _Header) -> NDArray[Any]:
    samples = header.bits // 8
    rows = _rows(data, start, header)[:, : header.width * samples]
    pixels = rows.reshape(header.height, header.width, samples)
    if header.compression == _PLAIN:
        return pixels[:, :, 2::-1]  # the fourth byte of 32 bits means nothing
    places, alpha = _places(data, header)
    if alpha is not None and not _says_nothing(pixels[:, :, alpha]):
        raise bad_picture("unsupported_format", kind="BMP with transparency")
    return pixels[:, :, places]


def _says_nothing(alpha: NDArray[np.uint8]) -> bool:
    """Writers that know no transparency leave all of it at nothing or at full."""
    return bool((alpha == 255).all() or (alpha == 0).all())


def _places(data: bytes, header: _Header) -> tuple[list[int], int | None]:
    """In which byte of a pixel red, green, blue and the transparency stand."""
    at = _FILE_HEADER + 40
    if at + 16 > len(data):
        raise bad_picture("truncated")
    red, green, blue, alpha = struct.unpack_from("<IIII", data, at)
    if header.size < 56 and header.compression != _MASKED_WITH_ALPHA:
        alpha = 0  # an older header ends before it
    whole = {0xFF << 8 * place: place for place in range(4)}
    wanted = [red, green, blue, *([alpha] if alpha else [])]
    if len(set(wanted)) != len(wanted) or not whole.keys() >= set(wanted):
        raise bad_picture("unsupported_format", kind="BMP with unusual colour masks")
    return [whole[mask] for mask in (red, green, blue)], whole[alpha] if alpha else None
