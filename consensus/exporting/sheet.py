"""Tables that grow line by line on the disk, however long they become."""

import csv
import io
import tempfile
from collections.abc import Iterator, Sequence
from typing import BinaryIO, cast

from annotator.formats.cells import safe_cell
from consensus.exporting.record import Entry

IN_MEMORY = 1 << 20
Cell = str | int | float | bool | None


def scratch() -> BinaryIO:
    """A file that nobody else sees; small ones stay in memory, and all are gone when nobody holds them."""
    return cast(BinaryIO, tempfile.SpooledTemporaryFile(IN_MEMORY))


class Sheet:
    """A CSV file: UTF-8, commas, a head, numbers with all their digits, nothing for what is not known."""

    def __init__(self, path: str, head: Sequence[str]) -> None:
        self.path, self.rows = path, 0
        self._file = scratch()
        self._text = io.TextIOWrapper(self._file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._text, lineterminator="\n")
        self._writer.writerow(head)

    def add(self, *cells: Cell) -> None:
        self._writer.writerow([_cell(cell) for cell in cells])
        self.rows += 1

    def entry(self) -> Iterator[Entry]:
        """Nothing, where there is nothing but the head."""
        if not self.rows:
            return
        self._text.flush()
        self._file.seek(0)
        yield Entry(self.path, self._file)


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    return safe_cell(cell) if isinstance(cell, str) else repr(cell)
