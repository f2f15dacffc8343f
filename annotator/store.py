"""The image store: files named by the SHA-256 of the original, written once and never changed.

    originals/ab/<sha256>            what was imported, byte for byte
    renditions/<name>/ab/<sha256>    what was made from it (the name says what: served, thumbnail, mirrored)

One level of folders, as in Git: a second one costs a new folder per file, more time than writing the file takes.

A file is visible under its name only when it is complete and on the disk: it is written beside its place, synced, and
renamed. The name of an original is then synced too. That of a rendition is not: lost in a power cut, the rendition is
missing, never damaged, and is made again from the original. A `passing` rendition is not synced at all: after a power
cut it may be empty or cut short, and whoever reads it looks whether it is whole.
"""

import contextlib
import errno
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

_KEY = re.compile(r"[0-9a-f]{64}")
_RENDITION = re.compile(r"[a-z][a-z0-9_]{0,31}")
_PARTIAL = ".partial-"
_PARTIAL_IS_OLD_AFTER_S = 3600
_READ_ONLY = 0o440
_FOLDER_MODE = 0o750


class StoreFull(OSError):
    """The disk or the quota is full; nothing was left behind."""


@dataclass(frozen=True)
class Damage:
    """A file that is not what its name says."""

    path: Path
    reason: Literal["altered", "misnamed", "orphaned", "empty", "unfinished"]


class Store:
    """Content-addressed files under `root`; safe for any number of processes at once."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def put(self, data: bytes, *, sha256: str | None = None) -> str:
        """Keep an original and return its key. `sha256` is the digest of `data` when the caller has it already."""
        key = sha256 or hashlib.sha256(data).hexdigest()
        _write_once(self.path(key), data, lasting=True)
        return key

    def put_rendition(self, name: str, key: str, data: bytes, *, passing: bool = False) -> None:
        """Keep what was made from original `key`; equal to the original, it becomes a second name of the same file."""
        place, original = self.rendition_path(name, key), self.path(key)
        if _size(original) == len(data) and hashlib.sha256(data).hexdigest() == key and _link(original, place):
            return
        _write_once(place, data, lasting=False, synced=not passing)

    def drop_rendition(self, name: str, key: str) -> None:
        """Take away what is damaged, so that it is made again."""
        self.rendition_path(name, key).unlink(missing_ok=True)

    def path(self, sha256: str) -> Path:
        return self._place("originals", sha256)

    def rendition_path(self, name: str, key: str) -> Path:
        if not _RENDITION.fullmatch(name):
            raise ValueError(f"name {name!r} is not a rendition's name")
        return self._place(f"renditions/{name}", key)

    def open(self, sha256: str) -> BinaryIO:
        return self.path(sha256).open("rb")

    def open_rendition(self, name: str, key: str) -> BinaryIO:
        return self.rendition_path(name, key).open("rb")

    def exists(self, sha256: str) -> bool:
        return self.path(sha256).is_file()

    def has_rendition(self, name: str, key: str) -> bool:
        return self.rendition_path(name, key).is_file()

    def verify(self) -> Iterator[Damage]:
        """Read every original again and yield each file that is not what its name says.

        Renditions carry their original's key, so for them this checks that the original is there and that they are not
        empty; they can be made again at any time.
        """
        for path in _files(self.root / "originals"):
            if damage := _misplaced(path):
                yield damage
            elif not path.name.startswith(_PARTIAL) and _digest(path) != path.name:
                yield Damage(path, "altered")
        for path in _files(self.root / "renditions"):
            if damage := _misplaced(path):
                yield damage
            elif not path.name.startswith(_PARTIAL):
                if not self.exists(path.name):
                    yield Damage(path, "orphaned")
                elif not _size(path):
                    yield Damage(path, "empty")

    def _place(self, kind: str, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError(f"key {key!r} is not a SHA-256 in lower-case hexadecimal")
        return self.root / kind / key[:2] / key


def _write_once(place: Path, data: bytes, *, lasting: bool, synced: bool = True) -> None:
    if _size(place) == len(data):
        return
    folder = place.parent
    with naming_full_disk(place):
        _make_folder(folder, lasting=lasting)
        handle, partial = tempfile.mkstemp(prefix=_PARTIAL, dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                os.fchmod(handle, _READ_ONLY)
                file.write(data)
                file.flush()
                if synced:
                    os.fsync(handle)
            os.rename(partial, place)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial)
            raise
        if lasting:
            _sync_folder(folder)


def _link(original: Path, place: Path) -> bool:
    """Give the original a second name; False where the file system cannot."""
    with naming_full_disk(place):
        _make_folder(place.parent, lasting=False)
        try:
            os.link(original, place)
        except FileExistsError:
            return os.path.samefile(original, place) or _size(original) == _size(place)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise
            return False
    return True


@contextlib.contextmanager
def naming_full_disk(place: Path) -> Iterator[None]:
    """Turn the errors of a full disk or quota into StoreFull."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull(error.errno, "The image store is full", str(place)) from error
        raise


def _make_folder(folder: Path, *, lasting: bool) -> None:
    """Make missing folders; `lasting` ones survive a power cut as their files do."""
    if folder.is_dir():
        return
    _make_folder(folder.parent, lasting=lasting)
    folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)
    if lasting:
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if not path.is_dir())


def _misplaced(path: Path) -> Damage | None:
    if path.name.startswith(_PARTIAL):
        old = time.time() - path.stat().st_mtime > _PARTIAL_IS_OLD_AFTER_S
        return Damage(path, "unfinished") if old else None
    fits = _KEY.fullmatch(path.name) and path.parent.name == path.name[:2]
    return None if fits and not path.is_symlink() else Damage(path, "misnamed")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
