"""The pixels of one TIFF page, by libtiff."""

import io
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, TiffImagePlugin

from annotator.imaging import tiff_directory as tag
from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.tiff_directory import Directory
from annotator.imaging.tiff_pieces import pieces

_SHORT, _LONG, _UNDEFINED = 3, 4, 7
_COPIED = (
    tag.WIDTH, tag.HEIGHT, tag.BITS, tag.COMPRESSION, tag.PHOTOMETRIC, tag.FILL_ORDER, tag.SAMPLES, tag.ROWS_PER_STRIP,
    tag.PLANAR, tag.PREDICTOR, tag.COLOUR_MAP, tag.TILE_WIDTH, tag.TILE_HEIGHT, tag.EXTRA_SAMPLES, tag.SUBSAMPLING,
)  # fmt: skip
_LONGS = {tag.WIDTH, tag.HEIGHT, tag.ROWS_PER_STRIP, tag.TILE_WIDTH, tag.TILE_HEIGHT}


def decode_page(page: Directory, data: bytes) -> NDArray[Any]:
    """H × W × channels in 8 or 16 bits, not turned; BadPicture when libtiff cannot make sense of it."""
    try:
        # Not Image.open: it would try every other format, and its own bomb limit is lower than ours.
        with TiffImagePlugin.TiffImageFile(io.BytesIO(_alone(page, data))) as picture:
            picture.load()
            pixels = np.asarray(_written_out(picture))
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, struct.error) as error:
        # The decoder's own words may quote what stands in the file.
        raise bad_picture("corrupt", detail="its pixels cannot be decoded") from error
    if pixels.dtype not in (np.uint8, np.dtype("<u2"), np.dtype(">u2")):
        raise bad_picture("unsupported_format", kind="TIFF with unusual samples")
    pixels = pixels.astype(pixels.dtype.newbyteorder("="), copy=False)
    return pixels.reshape(page.one(tag.HEIGHT, 0), page.one(tag.WIDTH, 0), -1)


def _written_out(picture: Image.Image) -> Image.Image:
    if picture.mode == "1":
        return picture.convert("L")
    if picture.mode == "P":
        return picture.convert("RGB")
    if picture.mode in ("RGBX", "RGBa"):
        return picture.convert("RGBA")
    return picture


def _alone(page: Directory, data: bytes) -> bytes:
    """The page as a TIFF file of its own: its pieces, and only the tags that decide what they mean."""
    found = pieces(page)
    blocks, offsets, at = [], [], 8
    for start, count in found:
        blocks.append(data[start : start + count] + bytes(count % 2))
        offsets.append(at)
        at += count + count % 2
    values: dict[int, tuple[int, tuple[int, ...] | bytes]] = {
        one: (_LONG if one in _LONGS else _SHORT, page.numbers[one]) for one in _COPIED if one in page.numbers
    }
    tiled = tag.TILE_OFFSETS in page.numbers
    values[tag.TILE_OFFSETS if tiled else tag.STRIP_OFFSETS] = (_LONG, tuple(offsets))
    values[tag.TILE_BYTES if tiled else tag.STRIP_BYTES] = (_LONG, tuple(count for _start, count in found))
    if tag.JPEG_TABLES in page.raw:
        values[tag.JPEG_TABLES] = (_UNDEFINED, page.raw[tag.JPEG_TABLES])
    directory, far = [], b""
    beyond = at + 2 + 12 * len(values) + 4
    for one in sorted(values):
        kind, content = values[one]
        body = content if isinstance(content, bytes) else _packed(page.order, kind, content)
        where = body.ljust(4, b"\0")
        if len(body) > 4:
            where = struct.pack(page.order + "I", beyond + len(far))
            far += body + bytes(len(body) % 2)
        directory.append(struct.pack(page.order + "HHI", one, kind, len(content)) + where)
    mark = b"II*\0" if page.order == "<" else b"MM\0*"
    how_many = struct.pack(page.order + "H", len(directory))
    return b"".join([mark, struct.pack(page.order + "I", at), *blocks, how_many, *directory, bytes(4), far])


def _packed(order: str, kind: int, numbers: tuple[int, ...]) -> bytes:
    return struct.pack(f"{order}{len(numbers)}{'H' if kind == _SHORT else 'I'}", *numbers)
