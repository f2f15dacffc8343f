"""A PNG file as its chunks.

Source: W3C Portable Network Graphics (PNG) Specification, third edition, sections 5 and 11.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from annotator.imaging.bad_picture import bad_picture

SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Chunk:
    kind: bytes
    payload: bytes

    def encoded(self) -> bytes:
        checksum = zlib.crc32(self.payload, zlib.crc32(self.kind))
        return len(self.payload).to_bytes(4, "big") + self.kind + self.payload + checksum.to_bytes(4, "big")


def chunks(data: bytes) -> Iterator[Chunk]:
    """Every chunk up to IEND, checksums proved; bytes after IEND are ignored.

    Raises BadPicture `truncated` when IEND is not reached and `corrupt` at the first wrong checksum.
    """
    at = len(SIGNATURE)
    while True:
        if at + 12 > len(data):
            raise bad_picture("truncated")
        length = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if not (kind.isalpha() and kind.isascii()):
            raise bad_picture("corrupt", detail=f"no chunk at byte {at}")
        end = at + 12 + length
        if end > len(data):
            raise bad_picture("truncated")
        payload = data[at + 8 : end - 4]
        if zlib.crc32(payload, zlib.crc32(kind)) != int.from_bytes(data[end - 4 : end], "big"):
            raise bad_picture("corrupt", detail=f"wrong checksum in chunk {kind.decode('ascii')}")
        yield Chunk(kind, payload)
        if kind == b"IEND":
            return
        at = end
