"""The compressed streams inside a DICOM file: that they are whole and claim no other size than its header."""

import struct

from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.jpeg import decode_jpeg, read_jpeg
from annotator.imaging.jpeg_segments import SOI

_JPEG_2000_START, _END = b"\xff\x4f\xff\x51", b"\xff\xd9"
_JPEG_LS_FRAME, _SCAN = 0xF7, 0xDA
_PADDING = b"\0\xff"
_MOST_TILES = 65_535


def check_jpeg(stream: bytes, width: int, height: int, channels: int) -> None:
    """By decoding it strictly: Pillow fills up what is missing."""
    if not stream.startswith(SOI):
        raise bad_picture("corrupt", detail="a frame is no JPEG")
    file = read_jpeg(stream)
    _check_size((file.width, file.height, file.channels), (width, height, channels))
    decode_jpeg(file, exact=False)


def check_jpeg_2000(stream: bytes, width: int, height: int, channels: int) -> None:
    """By its size segment (ISO 15444-1, A.5.1) and its end."""
    if not stream.startswith(_JPEG_2000_START) or len(stream) < 42:
        raise bad_picture("corrupt", detail="a frame is no JPEG 2000 stream")
    right, bottom, left, top, across, down, tile_left, tile_top, found = struct.unpack_from(">8IH", stream, 8)
    _check_size((right - left, bottom - top, found), (width, height, channels))
    if not across or not down or -(-(right - tile_left) // across) * -(-(bottom - tile_top) // down) > _MOST_TILES:
        raise bad_picture("corrupt", detail="a frame has tiles that do not exist")
    if not stream.rstrip(_PADDING).endswith(_END):
        raise bad_picture("truncated")


def check_jpeg_ls(stream: bytes, width: int, height: int, channels: int) -> None:
    """By its frame header (ISO 14495-1, C.2.2) and its end."""
    at = len(SOI)
    if not stream.startswith(SOI):
        raise bad_picture("corrupt", detail="a frame is no JPEG-LS stream")
    while at + 10 <= len(stream) and stream[at] == 0xFF and stream[at + 1] != _SCAN:
        if stream[at + 1] == _JPEG_LS_FRAME:
            rows, columns, found = struct.unpack_from(">HHB", stream, at + 5)
            _check_size((columns, rows, found), (width, height, channels))
            if not stream.rstrip(_PADDING).endswith(_END):
                raise bad_picture("truncated")
            return
        at += 2 + int.from_bytes(stream[at + 2 : at + 4], "big")
    raise bad_picture("corrupt", detail="a frame is no JPEG-LS stream")


def _check_size(found: tuple[int, int, int], expected: tuple[int, int, int]) -> None:
    if found != expected:
        raise bad_picture("corrupt", detail="a frame has another size than the header says")
