"""Files out of an archive from outside (.zip, .tar, .tar.gz).

The list of members is proved before the first one is given out: one bad member refuses the archive. Sizes are counted
while reading, because a header can claim anything.
"""

import contextlib
import io
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, cast

from annotator.formats.bad_archive import BadArchive, bad_archive
from annotator.formats.counted import BROKEN, Budget, MemberReader, TarStream
from annotator.formats.file_names import folded, is_left_behind, is_unsafe

__all__ = ["DEFAULT_LIMITS", "BadArchive", "Limits", "Member", "members", "opened"]

_GZIP = b"\x1f\x8b"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


@dataclass(frozen=True)
class Limits:
    members: int = 20_000
    member_bytes: int = 512 * 1024**2
    total_bytes: int = 64 * 1024**3
    ratio: float = 200
    """Unpacked to packed bytes; looked at only above `ratio_from_bytes`, since a small file may well be all zeros."""
    ratio_from_bytes: int = 16 * 1024**2


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Member:
    """A plain file in the archive; `open` is good while the archive is open."""

    name: str
    open: Callable[[], BinaryIO]
    byte_count: int = 0
    """As its header says; what is read is counted."""


def members(archive: Path | BinaryIO, limits: Limits = DEFAULT_LIMITS) -> Iterator[Member]:
    """The plain files in order; BadArchive names the member when one is unsafe, special, repeated or too large.

    Folders and what desktops leave behind (`__MACOSX`, dot files) are passed over.
    """
    with opened(archive, limits) as found:
        yield from found


@contextlib.contextmanager
def opened(archive: Path | BinaryIO, limits: Limits = DEFAULT_LIMITS) -> Iterator[list[Member]]:
    """The same files, to be opened in any order while the archive is open."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(archive.open("rb")) if isinstance(archive, Path) else archive
        start = file.read(512)
        budget = Budget(file.seek(0, 2), limits.total_bytes, limits.ratio, limits.ratio_from_bytes)
        file.seek(0)
        try:
            if start.startswith(_ZIP_STARTS):
                found = _zip_members(stack.enter_context(zipfile.ZipFile(file)), limits, budget)
            elif start.startswith(_GZIP) or start[257:262] == b"ustar":
                stream = cast(BinaryIO, TarStream(file, packed=start.startswith(_GZIP), budget=budget))
                unpacked = stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))
                found = _tar_members(unpacked, stream, limits, budget)
            else:
                raise bad_archive("not_an_archive")
        except BadArchive:
            raise
        except BROKEN as error:
            raise bad_archive("corrupt", detail=str(error)) from None
        yield found


def _zip_members(archive: zipfile.ZipFile, limits: Limits, budget: Budget) -> list[Member]:
    names = _Names(limits)
    # Not `is_dir`, which fails where a NUL at the start leaves nothing of the name.
    found = [(info, info.orig_filename.endswith("/")) for info in archive.infolist()]
    wanted = [info for info, is_folder in found if names.wants(info.orig_filename, is_folder)]
    for info in wanted:
        if info.flag_bits & _ENCRYPTED:
            raise bad_archive("encrypted", member=info.filename)
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise bad_archive("special_file", member=info.filename)
        if info.compress_type not in _ZIP_METHODS:
            raise bad_archive("unsupported_compression", member=info.filename)
        if info.file_size > limits.member_bytes:
            raise bad_archive("member_too_large", member=info.filename, limit=limits.member_bytes)
    return [_member(info.filename, info.file_size, partial(archive.open, info), limits, budget) for info in wanted]


def _tar_members(archive: tarfile.TarFile, stream: BinaryIO, limits: Limits, budget: Budget) -> list[Member]:
    names = _Names(limits)
    wanted = [info for info in archive if _tar_wants(info, names, limits)]
    # `tarfile` takes a damaged header in the middle for the end; the real end is a block of zeros.
    stream.seek(archive.offset)
    end = stream.read(tarfile.BLOCKSIZE)
    if len(end) < tarfile.BLOCKSIZE:
        raise bad_archive("truncated")
    if end.strip(b"\0"):
        raise bad_archive("corrupt", detail="a header is damaged")
    # The stream has counted every byte already.
    uncounted = replace(budget, total_bytes=1 << 62, ratio_from_bytes=1 << 62)
    return [_member(info.name, info.size, partial(_extracted, archive, info), limits, uncounted) for info in wanted]


def _tar_wants(info: tarfile.TarInfo, names: "_Names", limits: Limits) -> bool:
    if not names.wants(info.name, info.isdir()):
        return False
    if not info.isreg() or info.issparse():
        raise bad_archive("special_file", member=info.name)
    if info.size < 0:
        raise bad_archive("corrupt", detail="a member has an impossible size")
    if info.size > limits.member_bytes:
        raise bad_archive("member_too_large", member=info.name, limit=limits.member_bytes)
    return True


def _extracted(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(info)
    if content is None:
        raise bad_archive("special_file", member=info.name)
    return content


def _member(name: str, size: int, opener: Callable[[], IO[bytes]], limits: Limits, budget: Budget) -> Member:
    def reader() -> BinaryIO:
        try:
            content = opener()
        except BROKEN as error:
            raise bad_archive("corrupt", detail=f"{name}: {error}") from None
        return io.BufferedReader(MemberReader(content, name, limits.member_bytes, budget))

    return Member(name.replace("\\", "/"), reader, size)


class _Names:
    """The names seen so far in one archive."""

    def __init__(self, limits: Limits) -> None:
        self._limit = limits.members
        self._count = 0
        self._seen: set[str] = set()

    def wants(self, name: str, is_folder: bool) -> bool:
        """Whether to take the member; BadArchive when its name refuses the archive."""
        self._count += 1
        if self._count > self._limit:
            raise bad_archive("too_many_members", limit=self._limit)
        if is_unsafe(name):
            raise bad_archive("unsafe_name", member=name)
        if is_folder or is_left_behind(name):
            return False
        if folded(name) in self._seen:
            raise bad_archive("duplicate_name", member=name)
        self._seen.add(folded(name))
        return True
