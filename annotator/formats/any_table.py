"""Tables as people save them: cells between commas, semicolons or tabs, in UTF-8 or UTF-16, numbers with a point or a
decimal comma.

Nothing is guessed. A line that is not UTF-8 (Latin-1, Windows and Chinese code pages cannot be told apart) is refused
with its number, and so is a number such as `1,234`, unless other numbers of the table show what its comma means.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.cells import starts_a_formula
from annotator.formats.table import MAX_LINES, MAX_SHOWN, MAX_TABLE_BYTES

Line = tuple[int, list[str]]
_SEPARATORS = ",;\t"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+", re.ASCII)
_PERHAPS_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}", re.ASCII)


@dataclass(frozen=True)
class AnyTable:
    """`columns` in lower case with `_` for blanks; `decimal_comma`: None when no number tells."""

    columns: tuple[str, ...]
    text: str
    separator: str
    not_utf8: frozenset[int] = field(default_factory=frozenset)
    decimal_comma: bool | None = None

    def lines(self) -> Iterator[Line | BadTable]:
        """The lines below the header, or what is wrong with them."""
        last = 0
        for line, end, cells in _records(self.text, self.separator):
            is_first, last = last == 0, end
            if is_first or not any(cells):
                continue
            if not self.not_utf8.isdisjoint(range(line, end + 1)):
                yield bad_table("not_utf8", line)
            elif len(cells) != len(self.columns):
                yield bad_table("wrong_width", line, found=len(cells), expected=len(self.columns))
            else:
                yield line, cells

    def number(self, written: str, column: str, line: int) -> float:
        """A finite number; BadTable for anything else and for a comma of which nobody knows what it means."""
        if _WITH_COMMA.fullmatch(written):
            if not self.decimal_comma:
                raise bad_table("ambiguous_comma", line, value=written[:MAX_SHOWN], column=column)
            written = written.replace(",", ".")
        value = float(written) if _NUMBER.fullmatch(written) else float("nan")
        if value - value != 0:  # neither NaN nor infinite
            raise bad_table("not_a_number", line, value=written[:MAX_SHOWN], column=column)
        return value


def read_any_table(data: bytes) -> AnyTable:
    """BadTable when nothing of it can be read."""
    if len(data) > MAX_TABLE_BYTES:
        raise bad_table("too_large", None, limit=MAX_TABLE_BYTES)
    text, not_utf8 = _decoded(data)
    if "\0" in text:
        raise bad_table("not_text", text.count("\n", 0, text.index("\0")) + 1)
    first = text.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=first.count)  # of equals the first
    _start, end, header = next(_records(text, separator), (1, 1, []))
    if not_utf8 & set(range(1, end + 1)):
        raise bad_table("not_utf8", 1)
    columns = tuple(re.sub(r"[\s._-]+", "_", name).casefold() for name in header)
    if not any(columns):
        raise bad_table("no_header", 1)
    for index, column in enumerate(columns):
        if column and column in columns[:index]:
            raise bad_table("repeated_column", 1, column=column[:MAX_SHOWN])
    return AnyTable(columns, text, separator, not_utf8, _decimal_comma(text, separator))


def _decoded(data: bytes) -> tuple[str, frozenset[int]]:
    """The text, and the numbers of its lines that are not what the file says it is."""
    if data.startswith(_UTF_16):
        try:
            return data.decode("utf-16"), frozenset()
        except UnicodeDecodeError as error:
            line = data[: error.start].decode("utf-16", "replace").count("\n") + 1
            raise bad_table("not_text", line) from None
    try:
        return data.decode("utf-8-sig"), frozenset()
    except UnicodeDecodeError:
        bad = (number for number, line in enumerate(data.split(b"\n"), start=1) if not _is_utf8(line))
        return data.decode("utf-8-sig", "replace"), frozenset(bad)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _records(text: str, separator: str) -> Iterator[tuple[int, int, list[str]]]:
    """First and last line of every record, with its cells; BadTable where it stops being a table."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for values in reader:
            if line > MAX_LINES:
                raise bad_table("too_many_rows", None, limit=MAX_LINES)
            yield line, reader.line_num, [_plain(value.strip()) for value in values]
            line = reader.line_num + 1
    except csv.Error as error:
        raise bad_table("malformed", reader.line_num, detail=str(error)) from None


def _plain(cell: str) -> str:
    """Without the apostrophe that keeps spreadsheet programs from taking text for a formula (`cells.safe_cell`)."""
    return cell[1:] if cell.startswith("'") and starts_a_formula(cell[1:]) else cell


def _decimal_comma(text: str, separator: str) -> bool | None:
    """Whether numbers such as 12,5 stand in the table and none such as 12.5; None when there is neither.

    Goes through the whole table, so that one which breaks off somewhere is refused before a line of it is used.
    """
    commas = points = False
    for _line, _end, cells in _records(text, separator):
        for cell in cells:
            if "," in cell and _WITH_COMMA.fullmatch(cell) and not _PERHAPS_THOUSANDS.fullmatch(cell):
                commas = True
            elif "." in cell and _NUMBER.fullmatch(cell):
                points = True
    return (commas and not points) if commas or points else None
