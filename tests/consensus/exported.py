"""An exported archive, as somebody opens it who has nothing but the file."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture


class Archive:
    def __init__(self, content: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(content))
        self.names = self._zip.namelist()

    def read(self, path: str) -> bytes:
        return self._zip.read(path)

    def rows(self, path: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.read(path).decode())))

    def picture(self, path: str) -> NDArray[Any]:
        return np.asarray(Picture.open(io.BytesIO(self.read(path))))

    def unpack(self, folder: Path) -> Path:
        self._zip.extractall(folder)
        return folder
