"""The files of an archive, packed or unpacked. Each is compared with `manifest.json` when it is read."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple

from quorum_client.errors import Damaged, Missing

FORM = "quorum-export/"
MANIFEST = "manifest.json"
PORTION = 1 << 20
LARGEST_MANIFEST = 1 << 30


class Stated(NamedTuple):
    """What the manifest says of a file."""

    sha256: str
    size: int


class Files:
    """`.zip` or folder. A file that the manifest does not name is not there."""

    def __init__(self, place: str | Path) -> None:
        self.place = Path(place)
        self._zip: zipfile.ZipFile | None = None
        if not self.place.exists():
            raise Missing(f"{self.place}: there is no such file or folder")
        if not self.place.is_dir():
            try:
                self._zip = zipfile.ZipFile(self.place)
            except (zipfile.BadZipFile, OSError) as fault:
                raise Damaged(f"{self.place}: this is no archive that can be read: {fault}") from None
        self.manifest = self._read_manifest()
        self._stated = {str(one["path"]): Stated(one["sha256"], one["bytes"]) for one in self.manifest["files"]}

    def close(self) -> None:
        if self._zip is not None:
            self._zip.close()

    def __contains__(self, path: str) -> bool:
        return path in self._stated

    def paths(self) -> Iterator[str]:
        return iter(self._stated)

    def read(self, path: str) -> bytes:
        """The bytes of a file, once they are what the manifest says."""
        out = io.BytesIO()
        for portion in self._portions(path):
            out.write(portion)
        return out.getvalue()

    def verify(self) -> int:
        """Compares every file with the manifest, in constant memory; how many there are."""
        for path in self._stated:
            for _portion in self._portions(path):
                pass
        return len(self._stated)

    def rows(self, path: str) -> Iterator[dict[str, str]]:
        """The lines of a table, by the names of its columns; none where there is no such table."""
        if path in self:
            yield from csv.DictReader(io.StringIO(self.read(path).decode("utf-8"), newline=""))

    def _portions(self, path: str) -> Iterator[bytes]:
        stated = self._stated.get(path)
        if stated is None:
            raise Missing(f"{self.place}: the archive holds no {path}")
        told, size = hashlib.sha256(), 0
        with self._open(path) as file:
            while portion := self._portion(file, path):
                size += len(portion)
                if size > stated.size:
                    raise Damaged(f"{path}: larger than the {stated.size} bytes that {MANIFEST} states")
                told.update(portion)
                yield portion
        if size != stated.size or told.hexdigest() != stated.sha256:
            raise Damaged(f"{path}: not the file that {MANIFEST} describes (its SHA-256 differs)")

    def _portion(self, file: BinaryIO, path: str) -> bytes:
        try:
            return file.read(PORTION)
        except (zipfile.BadZipFile, OSError, EOFError) as fault:
            raise Damaged(f"{path}: cannot be read: {fault}") from None

    def _open(self, path: str) -> BinaryIO:
        try:
            if self._zip is not None:
                return self._zip.open(path)  # type: ignore[return-value]
            return self._inside(path).open("rb")
        except (KeyError, FileNotFoundError, IsADirectoryError):
            raise Damaged(f"{path}: named by {MANIFEST} but not there") from None
        except (zipfile.BadZipFile, NotImplementedError, OSError) as fault:
            raise Damaged(f"{path}: cannot be read: {fault}") from None

    def _inside(self, path: str) -> Path:
        """No path of a manifest leads out of the folder."""
        parts = PurePosixPath(path).parts
        place = self.place.joinpath(*parts)
        if path.startswith("/") or "\\" in path or ".." in parts or not _is_within(place, self.place):
            raise Damaged(f"{path}: leads out of the folder {self.place}")
        return place

    def _read_manifest(self) -> dict[str, Any]:
        with self._open(MANIFEST) as file:
            text = file.read(LARGEST_MANIFEST)
        try:
            manifest: Any = json.loads(text)
            known = str(manifest["format"]).startswith(FORM) and isinstance(manifest["files"], list)
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise Damaged(f"{self.place}: its {MANIFEST} is not that of a Quorum export")
        result: dict[str, Any] = manifest
        return result


def _is_within(place: Path, folder: Path) -> bool:
    return place.resolve().is_relative_to(folder.resolve())
