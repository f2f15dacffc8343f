"""Tables of an archive, each read once and found by photograph."""

from __future__ import annotations

from collections.abc import Mapping

from quorum_client.errors import Missing
from quorum_client.files import Files

Row = Mapping[str, str]


class Tables:
    def __init__(self, files: Files) -> None:
        self._files = files
        self._read: dict[str, dict[str, list[Row]]] = {}

    def find(self, path: str, image: str, target: str = "") -> list[Row]:
        """The lines about a photograph and, where named, a target; none where there are none."""
        if path not in self._read:
            by_image: dict[str, list[Row]] = {}
            for row in self._files.rows(path):
                by_image.setdefault(row["image"], []).append(row)
            self._read[path] = by_image
        rows = self._read[path].get(image, [])
        return [row for row in rows if row["target"] == target] if target else rows

    def rows(self, path: str, image: str, target: str = "") -> list[Row]:
        """The same, where there must be one."""
        found = self.find(path, image, target)
        if not found:
            where = f"{path} has no line for {image}" if path in self._files else f"the archive holds no {path}"
            raise Missing(f"{self._files.place}: {where}{f' and {target}' if target else ''}")
        return found

    def row(self, path: str, image: str, target: str) -> Row:
        return self.rows(path, image, target)[0]
