"""What was read of a file of annotations, kept on disk until somebody has looked at it: memory holds no pictures."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import BinaryIO, TextIO

from annotator.annotation_items import Item

FIELDS = tuple(field.name for field in fields(Item))


class Spool:
    """Items in the order in which they were found, a line each, and their packed runs one behind the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs: BinaryIO | None = None

    @property
    def _lines(self) -> Path:
        return self.folder / "items.jsonl"

    @property
    def _packed(self) -> Path:
        return self.folder / "runs.bin"

    @property
    def is_whole(self) -> bool:
        return self._lines.is_file()

    def write(self, found: Iterator[tuple[Item, bytes | None]]) -> int:
        """All of it, or nothing that `is_whole`; the number of items. Files have names of their own until they are
        whole, because somebody who was taken for dead may wake up and write while another does it in his place."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lines.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as aside:
            partial, partial_runs = Path(aside) / "items", Path(aside) / "runs"
            with partial.open("w") as lines, partial_runs.open("wb") as packed_runs:
                count = _write_all(found, lines, packed_runs)
            partial_runs.replace(self._packed)
            partial.replace(self._lines)
        return count

    def items(self) -> Iterator[Item]:
        with self._lines.open() as lines:
            for line in lines:
                told = dict(zip(FIELDS, json.loads(line), strict=True))
                fault = tuple(told["fault"]) if told["fault"] else None
                marks = tuple((first, digest) for first, digest in told["marks"])
                yield Item(**{**told, "signs": tuple(told["signs"]), "marks": marks, "fault": fault})

    def packed(self, item: Item) -> bytes | None:
        if item.length is None:
            return None
        if self._runs is None:
            self._runs = self._packed.open("rb")
        self._runs.seek(item.start)
        return self._runs.read(item.length)

    def close(self) -> None:
        if self._runs is not None:
            self._runs.close()
            self._runs = None


def _write_all(found: Iterator[tuple[Item, bytes | None]], lines: TextIO, packed_runs: BinaryIO) -> int:
    count, end = 0, 0
    for item, packed in found:
        if packed is not None:
            packed_runs.write(packed)
            item = replace(item, start=end, length=len(packed))
            end += len(packed)
        _write_line(lines, item)
        count += 1
    return count


def _write_line(lines: TextIO, item: Item) -> None:
    lines.write(json.dumps([getattr(item, name) for name in FIELDS], separators=(",", ":")) + "\n")
