"""A table with one line for each case, whose columns a protocol's recipe names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.file_names import stem, without_ending
from annotator.formats.table import Row, read_rows
from protocols.scoring_names import ColumnRole, NameMatch
from protocols.standard import Column

_YES_OR_NO = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True)
class CaseLine:
    """One case: its name as written (without folder and picture ending where names are matched by their stem)."""

    name: str
    row: Row
    columns: Mapping[str, Column]

    def text(self, column: str) -> str:
        return self.row.text(column.casefold())

    def number(self, column: str) -> float:
        """A finite number within the column's limits."""
        value, known = self.row.number(column.casefold()), self.columns[column]
        low = float("-inf") if known.low is None else known.low
        high = float("inf") if known.high is None else known.high
        if not low <= value <= high:
            written = self.text(column)
            raise bad_table("out_of_range", self.row.line, value=written, column=column, low=low, high=high)
        return value

    def flag(self, column: str) -> bool:
        """1 or true, 0 or false."""
        written = self.text(column)
        if written.casefold() not in _YES_OR_NO:
            raise self.bad_choice(column, tuple(_YES_OR_NO))
        return _YES_OR_NO[written.casefold()]

    def is_empty(self, column: str) -> bool:
        return not self.row.cells[column.casefold()]

    def bad_choice(self, column: str, allowed: Sequence[str]) -> BadTable:
        values = {"value": self.text(column), "column": column, "allowed": ", ".join(allowed)}
        return bad_table("bad_choice", self.row.line, **values)


def read_case_table(data: bytes, columns: Sequence[Column], names: NameMatch) -> dict[str, CaseLine]:
    """The lines by what their case is matched by, in the order of the table; BadTable for a case named twice."""
    required = tuple(column.name.casefold() for column in columns if column.required)
    optional = tuple(column.name.casefold() for column in columns if not column.required)
    case = next(column.name.casefold() for column in columns if column.role is ColumnRole.CASE)
    known = {column.name: column for column in columns}
    lines: dict[str, CaseLine] = {}
    for row in read_rows(data, required, optional):
        written = row.text(case)
        key, name = (written, written) if names is NameMatch.EXACT else (stem(written), _bare(written))
        if key in lines:
            raise bad_table("repeated_case", row.line, name=name, first=lines[key].row.line)
        lines[key] = CaseLine(name, row, known)
    return lines


def _bare(written: str) -> str:
    return without_ending(written).replace("\\", "/").rsplit("/", 1)[-1]
