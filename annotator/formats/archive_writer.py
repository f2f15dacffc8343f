"""An archive (.zip) written file by file, with the SHA-256 of each. The same files in the same order give the same
bytes: nothing in it tells when or by whom it was written."""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

EARLIEST = (1980, 1, 1, 0, 0, 0)  # the first moment that the format knows
PACKED_ALREADY = frozenset({".png", ".jpg", ".gz"})
_READABLE = 0o644 << 16
_REGULAR = 0o100000 << 16


@dataclass(frozen=True)
class Written:
    path: str
    byte_count: int
    sha256: str


class ArchiveWriter:
    """Used as a context; `written` lists what is in it so far."""

    def __init__(self, file: IO[bytes] | io.RawIOBase) -> None:
        self._archive = zipfile.ZipFile(cast(IO[bytes], file), "w")
        self.written: list[Written] = []

    def __enter__(self) -> "ArchiveWriter":
        return self

    def __exit__(self, *ended: object) -> None:
        self._archive.close()

    def add(self, path: str, content: bytes) -> None:
        self.add_portions(path, [content])

    def add_portions(self, path: str, portions: Iterable[bytes]) -> None:
        """A file of any size, never in memory as a whole."""
        digest, count = hashlib.sha256(), 0
        with self._archive.open(_entry(path), "w", force_zip64=True) as file:
            for portion in portions:
                digest.update(portion)
                count += len(portion)
                file.write(portion)
        self.written.append(Written(path, count, digest.hexdigest()))


def _entry(path: str) -> zipfile.ZipInfo:
    ending = PurePosixPath(path).suffix.lower()
    entry = zipfile.ZipInfo(path, EARLIEST)
    entry.create_system = 3  # the same on every machine
    entry.external_attr = _REGULAR | _READABLE
    entry.compress_type = zipfile.ZIP_STORED if ending in PACKED_ALREADY else zipfile.ZIP_DEFLATED
    return entry


def portions_of(file: BinaryIO, size: int = 1 << 20) -> Iterator[bytes]:
    while portion := file.read(size):
        yield portion
