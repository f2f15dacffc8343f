"""A JPEG file as its segments: only what decides the pixels is read, everything else is passed over.

Source: ITU-T T.81 annex B (markers and segments), T.871 (JFIF), Adobe technical note 5116 (APP14).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from annotator.imaging.bad_picture import bad_picture

SOI = b"\xff\xd8"
EOI = 0xD9
SOS = 0xDA
DHT, DQT, DRI, DAC, DNL = 0xC4, 0xDB, 0xDD, 0xCC, 0xDC
APP0, APP1, APP2, APP14, COM = 0xE0, 0xE1, 0xE2, 0xEE, 0xFE
SOF_BASELINE, SOF_EXTENDED, SOF_PROGRESSIVE = 0xC0, 0xC1, 0xC2
TABLES = frozenset({DHT, DQT, DRI})
FRAMES = frozenset(range(0xC0, 0xD0)) - {DHT, 0xC8, DAC}

# Inside a scan 0xFF00 is a data byte, 0xFFD0–0xFFD7 are restarts and 0xFFFF is filling; any other marker ends it.
_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


@dataclass(frozen=True)
class Segment:
    marker: int
    payload: bytes
    scan: bytes | memoryview = b""
    """The entropy-coded bytes that follow a SOS segment; a view, because they are nearly the whole file."""

    def encoded(self) -> bytes:
        """The segment itself, without the scan behind it."""
        return b"\xff%c%s%s" % (self.marker, (len(self.payload) + 2).to_bytes(2, "big"), self.payload)


def segments(data: bytes) -> Iterator[Segment]:
    """Every segment between SOI and EOI; bytes after EOI are ignored.

    Raises BadPicture `truncated` when EOI is not reached and `corrupt` when something else stands between segments.
    """
    at = len(SOI)
    while True:
        marker, at = _marker(data, at)
        if marker == EOI:
            return
        if marker <= 0x01 or 0xD0 <= marker <= 0xD8:
            raise bad_picture("corrupt", detail=f"marker 0x{marker:02x} has no place there")
        length = int.from_bytes(data[at : at + 2], "big")
        if at + max(length, 2) > len(data):
            raise bad_picture("truncated")
        if length < 2:
            raise bad_picture("corrupt", detail=f"segment 0x{marker:02x} has no length")
        payload, at = data[at + 2 : at + length], at + length
        if marker != SOS:
            yield Segment(marker, payload)
            continue
        end = _SCAN_END.search(data, at)
        if end is None:
            raise bad_picture("truncated")
        yield Segment(marker, payload, memoryview(data)[at : _without_filling(data, at, end.start())])
        at = end.start()


def _without_filling(data: bytes, start: int, end: int) -> int:
    while end > start and data[end - 1] == 0xFF:
        end -= 1
    return end


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """The marker at `at`, and where its segment goes on; filling 0xFF bytes before it are allowed."""
    if at >= len(data):
        raise bad_picture("truncated")
    if data[at] != 0xFF:
        raise bad_picture("corrupt", detail=f"no marker at byte {at}")
    while at < len(data) and data[at] == 0xFF:
        at += 1
    if at >= len(data):
        raise bad_picture("truncated")
    return data[at], at + 1
