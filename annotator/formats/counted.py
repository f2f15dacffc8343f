"""Reading packed bytes with a hand on the brake: what comes out is counted, whatever the headers said."""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from annotator.formats.bad_archive import BadArchive, bad_archive

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_PIECE = 1024 * 1024
_STEP = 16 * 1024 * 1024

BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RecursionError,
    ValueError,
)
"""What the standard library raises on damaged archives (BadArchive is a ValueError: let it pass first)."""


@dataclass
class Budget:
    """How many bytes an archive of `packed` bytes may still unpack to."""

    packed: int
    total_bytes: int
    ratio: float
    ratio_from_bytes: int
    spent: int = 0

    def spend(self, count: int, member: str) -> None:
        self.spent += count
        if self.spent > self.total_bytes:
            raise bad_archive("archive_too_large", member=member, limit=self.total_bytes)
        if self.spent > self.ratio_from_bytes and self.spent > self.ratio * self.packed:
            raise bad_archive("compression_bomb", member=member, limit=self.ratio)


class MemberReader(io.RawIOBase):
    """One member's bytes, never more than `limit` of them."""

    def __init__(self, content: IO[bytes], member: str, limit: int, budget: Budget) -> None:
        self._content, self._member, self._limit, self._budget = content, member, limit, budget
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        target = memoryview(buffer).cast("B")
        try:
            data = self._content.read(min(len(target), _PIECE))
        except BadArchive:
            raise
        except BROKEN as error:
            raise bad_archive("corrupt", detail=f"{self._member}: {error}") from None
        self._count += len(data)
        if self._count > self._limit:
            raise bad_archive("member_too_large", member=self._member, limit=self._limit)
        self._budget.spend(len(data), self._member)
        target[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._content.close()
        super().close()


class TarStream:
    """The bytes of a .tar or .tar.gz for `tarfile`, stopped before a bomb is unpacked to skip over it.

    Only the furthest position counts, since going back to read a member unpacks the same bytes again.
    """

    def __init__(self, file: BinaryIO, *, packed: bool, budget: Budget) -> None:
        self._raw = cast(IO[bytes], gzip.GzipFile(fileobj=file)) if packed else file
        self._budget = budget
        self._furthest = 0

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _PIECE:  # Members are read in pieces; only a header can ask for more.
            raise bad_archive("corrupt", detail="a header is larger than 1 MiB")
        data = self._raw.read(size)
        self._account()
        return data

    def seek(self, position: int, whence: int = 0) -> int:
        if whence != 0 or position < 0:
            raise bad_archive("corrupt", detail="a member has an impossible size")
        here = self._raw.tell()
        while here + _STEP < position:
            reached = self._raw.seek(here + _STEP)
            self._account()
            if reached < here + _STEP:
                return reached
            here = reached
        reached = self._raw.seek(position)
        self._account()
        return reached

    def tell(self) -> int:
        return self._raw.tell()

    def seekable(self) -> bool:
        return True

    def _account(self) -> None:
        here = self._raw.tell()
        if here > self._furthest:
            self._budget.spend(here - self._furthest, "…")
            self._furthest = here
