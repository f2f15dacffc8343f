"""The directories of a TIFF file, read by an allow-list of tags: what is not needed to decode pixels is not looked at.

Source: TIFF 6.0, and the BigTIFF design for files with 64-bit offsets.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.limits import MAX_FRAMES

STARTS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")

SUBFILE, WIDTH, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC, FILL_ORDER = 254, 256, 257, 258, 259, 262, 266
STRIP_OFFSETS, ORIENTATION, SAMPLES, ROWS_PER_STRIP, STRIP_BYTES, PLANAR = 273, 274, 277, 278, 279, 284
PREDICTOR, COLOUR_MAP, TILE_WIDTH, TILE_HEIGHT, TILE_OFFSETS, TILE_BYTES = 317, 320, 322, 323, 324, 325
EXTRA_SAMPLES, SAMPLE_FORMAT, JPEG_TABLES, SUBSAMPLING, PROFILE = 338, 339, 347, 530, 34675

_NUMBERS = {
    SUBFILE, WIDTH, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC, FILL_ORDER, STRIP_OFFSETS, ORIENTATION, SAMPLES,
    ROWS_PER_STRIP, STRIP_BYTES, PLANAR, PREDICTOR, COLOUR_MAP, TILE_WIDTH, TILE_HEIGHT, TILE_OFFSETS, TILE_BYTES,
    EXTRA_SAMPLES, SAMPLE_FORMAT, SUBSAMPLING,
}  # fmt: skip
_BYTES = {JPEG_TABLES, PROFILE}
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
_CODES = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
_MOST_VALUES = 2_000_000  # strips of one row in each of three planes of the largest picture are far fewer


@dataclass(frozen=True)
class Directory:
    """One page: numbers and bytes by tag. `order` is struct's sign for the byte order of the whole file."""

    order: str
    numbers: dict[int, tuple[int, ...]]
    raw: dict[int, bytes]

    def one(self, tag: int, usual: int) -> int:
        """The tag's first value, or what the standard says when it is absent."""
        values = self.numbers.get(tag)
        return values[0] if values else usual


def directories(data: bytes) -> Iterator[Directory]:
    """The pages in the order of the file, which begins with one of STARTS."""
    order = "<" if data[:2] == b"II" else ">"
    big = data[2:4] in (b"+\0", b"\0+")
    if len(data) < 16:
        raise bad_picture("truncated")
    if big and struct.unpack_from(order + "HH", data, 4) != (8, 0):
        raise bad_picture("corrupt", detail="the header names a kind of TIFF that does not exist")
    (at,) = struct.unpack_from(order + "Q", data, 8) if big else struct.unpack_from(order + "I", data, 4)
    seen: set[int] = set()
    while at:
        if at in seen or len(seen) > 2 * MAX_FRAMES:
            raise bad_picture("corrupt", detail="its pages do not end")
        seen.add(at)
        page, at = _read(data, at, order, big)
        yield page


def _read(data: bytes, at: int, order: str, big: bool) -> tuple[Directory, int]:
    counting, entry = ("Q", 20) if big else ("H", 12)
    head = struct.calcsize("=" + counting)
    if at + head > len(data):
        raise bad_picture("truncated")
    (count,) = struct.unpack_from(order + counting, data, at)
    following = at + head + count * entry
    link = "Q" if big else "I"
    if following + struct.calcsize("=" + link) > len(data):
        raise bad_picture("truncated")
    page = Directory(order, {}, {})
    for place in range(at + head, following, entry):
        _add(page, data, place, big)
    (after,) = struct.unpack_from(order + link, data, following)
    return page, int(after)


def _add(page: Directory, data: bytes, place: int, big: bool) -> None:
    (tag,) = struct.unpack_from(page.order + "H", data, place)
    if tag not in _NUMBERS and tag not in _BYTES:
        return
    kind, count = struct.unpack_from(page.order + ("HQ" if big else "HI"), data, place + 2)
    size = _SIZES.get(kind, 0) * count
    if not size or count > _MOST_VALUES:
        raise bad_picture("corrupt", detail=f"tag {tag} has a wrong kind or length")
    inline = 8 if big else 4
    start = place + (12 if big else 8)
    if size > inline:
        (start,) = struct.unpack_from(page.order + ("Q" if big else "I"), data, start)
    if start + size > len(data):
        raise bad_picture("truncated")
    if tag in _BYTES:
        page.raw[tag] = data[start : start + size]
    elif kind in _CODES:
        page.numbers[tag] = struct.unpack_from(f"{page.order}{count}{_CODES[kind]}", data, start)
    else:
        raise bad_picture("corrupt", detail=f"tag {tag} has a wrong kind or length")
