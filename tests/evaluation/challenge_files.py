"""A reference and a submission in files, small enough for the eye."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

VALUES = {"#": 0, "+": 128, ".": 255, "?": 17}
SIDES = ("reference", "submission")


def picture(*rows: str, kind: str = "PNG") -> bytes:
    """`#` 0 (cup, or the one structure), `+` 128 (rim of the disc), `.` 255 (nothing), `?` 17 (no meaning)."""
    return encoded(np.array([[VALUES[letter] for letter in row] for row in rows], dtype=np.uint8), kind)


def encoded(samples: Any, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.fromarray(samples).save(out, format=kind)
    return out.getvalue()


class Challenge:
    """Files of both sides; what is given to both is the same on both until one is written again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for side in SIDES:
            (root / side).mkdir()

    @property
    def sides(self) -> tuple[Any, ...]:
        """The arguments of the command."""
        return ("--reference", self.root / "reference", "--submission", self.root / "submission")

    def write(self, name: str, data: str | bytes, side: str | None = None) -> "Challenge":
        for each in (side,) if side else SIDES:
            path = self.root / each / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        return self

    def remove(self, name: str, side: str = "submission") -> None:
        (self.root / side / name).unlink()

    def packed(self, prefix: str = "", more: dict[str, bytes] | None = None) -> tuple[Any, ...]:
        """The arguments of the command with the submission in an archive."""
        archive, folder = self.root / "submission.zip", self.root / "submission"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    packed.writestr(f"{prefix}{path.relative_to(folder).as_posix()}", path.read_bytes())
            for name, data in (more or {}).items():
                packed.writestr(name, data)
        return ("--reference", self.root / "reference", "--submission", archive)
