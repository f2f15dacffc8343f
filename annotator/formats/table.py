"""Comma-separated tables from outside, line by line.

UTF-8 with or without byte order mark, commas, a header. Column names are matched without regard to case and outer
blanks and may stand in any order. The first fault is raised with its line (the header is line 1).
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotator.formats.bad_table import bad_table

MAX_TABLE_BYTES = 64 * 1024 * 1024
MAX_LINES = 1_000_000  # a line takes hundreds of bytes once it is read, also where it was written with three
MAX_SHOWN = 60  # characters of a name in a refusal


@dataclass(frozen=True)
class Row:
    """One line: its number and its cells by column, without outer blanks."""

    line: int
    cells: dict[str, str]

    def text(self, column: str) -> str:
        """What the cell says; BadTable when it is empty."""
        if not self.cells[column]:
            raise bad_table("empty_cell", self.line, column=column)
        return self.cells[column]

    def number(self, column: str) -> float:
        """A finite number; BadTable otherwise. Digits are those of plain ASCII, as every program writes them."""
        written = self.text(column)
        try:
            value = float(written) if written.isascii() and "_" not in written else float("nan")
        except ValueError:
            value = float("nan")
        if value - value != 0:  # neither NaN nor infinite
            raise bad_table("not_a_number", self.line, column=column, value=written)
        return value


def table_lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Every line that is not blank, with its number; the first one is the header."""
    if len(data) > MAX_TABLE_BYTES:
        raise bad_table("too_large", None, limit=MAX_TABLE_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise bad_table("not_utf8", data.count(b"\n", 0, error.start) + 1) from None
    if "\0" in text:
        raise bad_table("not_text", text.count("\n", 0, text.index("\0")) + 1)
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for values in lines:
            if line > MAX_LINES:
                raise bad_table("too_many_rows", None, limit=MAX_LINES)
            if line == 1 or any(value.strip() for value in values):
                yield line, values
            line = lines.line_num + 1
    except csv.Error as error:
        raise bad_table("malformed", lines.line_num, detail=str(error)) from None


def header_of(lines: Iterator[tuple[int, list[str]]]) -> list[str]:
    """The names of the columns, taken from the first line, in lower case and without outer blanks."""
    header = [name.strip().casefold() for name in next(lines, (1, []))[1]]
    if not any(header):
        raise bad_table("no_header", 1)
    return header


def has_semicolons(header: Sequence[str]) -> bool:
    """As spreadsheet programs write tables where a comma stands in decimal numbers."""
    return len(header) == 1 and ";" in header[0]


def read_rows(
    data: bytes, required: tuple[str, ...], optional: tuple[str, ...] = (), *, no_others: bool = False
) -> list[Row]:
    """The rows with the columns that are asked for; an optional column that is not there reads as empty.

    `no_others`: a column that nobody asked for is a fault instead of being passed over.
    """
    lines = table_lines(data)
    header = header_of(lines)
    for column in required + optional:
        if header.count(column) > 1:
            raise bad_table("repeated_column", 1, column=column)
        if column in required and column not in header:
            if has_semicolons(header):
                raise bad_table("separator", 1)
            raise bad_table("missing_column", 1, column=column)
    if no_others and (others := [column for column in header if column not in required + optional]):
        raise bad_table("unknown_column", 1, column=others[0][:MAX_SHOWN])
    rows = []
    for line, values in lines:
        if len(values) != len(header):
            raise bad_table("wrong_width", line, found=len(values), expected=len(header))
        cells = dict(zip(header, (value.strip() for value in values), strict=True))
        rows.append(Row(line, {column: cells.get(column, "") for column in required + optional}))
    if not rows:
        raise bad_table("no_rows", None)
    return rows
