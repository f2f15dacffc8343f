"""What the clinic knows about cases: `case` or `image`, then a column for each target, headed by the target's key.

case      the number of the case, or
image     the name of the image file; folders, the ending and capitals do not matter
TARGET    an answer; an empty cell says nothing
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.file_names import stem
from annotator.formats.table import MAX_SHOWN, has_semicolons, table_lines

CASE, IMAGE = "case", "image"
NAMES = frozenset({CASE, IMAGE})
Words = Mapping[str, Mapping[str, str]]
"""Target → how an answer may be written, casefolded → the answer's key."""


@dataclass(frozen=True)
class TruthRow:
    """`name` is the number of the case or the stem of the image's name; `values` the answers that are given."""

    line: int
    name: str
    values: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TruthTable:
    """With a fault nothing of it is used; the rows are there to look for faults that only a study can tell."""

    named_by: str
    rows: tuple[TruthRow, ...]
    faults: tuple[BadTable, ...]


def read_truth(data: bytes, words: Words, allowed: Mapping[str, str]) -> TruthTable:
    """The whole table, or every fault in it with its line; `allowed` tells, by target, which answers there are."""
    faults: list[BadTable] = []
    rows: list[TruthRow] = []
    named_by = ""
    try:
        lines = table_lines(data)
        columns = [name.strip().casefold() for name in next(lines, (1, []))[1]]
        faults += _faults_of_header(columns, words)
        named_by = IMAGE if IMAGE in columns else CASE
        if not faults:
            for line, cells in lines:
                rows += _row(line, columns, cells, named_by, words, allowed, faults)
            if not rows and not faults:
                faults.append(bad_table("no_rows", None))
    except BadTable as fault:
        faults.append(fault)
    faults += _repeated(rows)
    faults.sort(key=lambda fault: fault.line or 0)
    return TruthTable(named_by, tuple(rows), tuple(faults))


def _faults_of_header(columns: Sequence[str], words: Words) -> list[BadTable]:
    if not any(columns):
        return [bad_table("no_header", 1)]
    if has_semicolons(columns):
        return [bad_table("separator", 1)]
    faults = []
    for index, column in enumerate(columns):
        if column in columns[:index] or (column in NAMES and NAMES & set(columns[:index])):
            faults.append(bad_table("repeated_column", 1, column=column))
        elif column not in NAMES and column not in words:
            faults.append(bad_table("unknown_column", 1, column=column[:MAX_SHOWN]))
    if not NAMES & set(columns):
        faults.append(bad_table("missing_column", 1, column=CASE))
    if not set(columns) & set(words):
        faults.append(bad_table("missing_column", 1, column=", ".join(words)))
    return faults


def _row(
    line: int,
    columns: Sequence[str],
    cells: Sequence[str],
    named_by: str,
    words: Words,
    allowed: Mapping[str, str],
    faults: list[BadTable],
) -> list[TruthRow]:
    if len(cells) != len(columns):
        faults.append(bad_table("wrong_width", line, found=len(cells), expected=len(columns)))
        return []
    said = {column: cell.strip() for column, cell in zip(columns, cells, strict=True)}
    name = said.pop(named_by)
    if not name:
        faults.append(bad_table("empty_cell", line, column=named_by))
        return []
    values = {}
    for target, written in said.items():
        if written and written.casefold() in words[target]:
            values[target] = words[target][written.casefold()]
        elif written:
            shown = {"value": written[:MAX_SHOWN], "column": target, "allowed": allowed[target]}
            faults.append(bad_table("bad_choice", line, **shown))
    return [TruthRow(line, stem(name) if named_by == IMAGE else name, values)]


def _repeated(rows: Sequence[TruthRow]) -> list[BadTable]:
    first: dict[str, int] = {}
    faults = []
    for row in rows:
        if first.setdefault(row.name, row.line) != row.line:
            faults.append(bad_table("repeated_case", row.line, name=row.name[:MAX_SHOWN], first=first[row.name]))
    return faults
