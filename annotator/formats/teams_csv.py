"""What teams reached: `team[,phase]`, then a column for each metric.

An empty cell says that the team has no such result. No other column is accepted: a misspelt one would silently leave a
metric out of the ranking.
"""

from dataclasses import dataclass

from annotator.formats.bad_table import bad_table
from annotator.formats.file_names import folded
from annotator.formats.table import Row, header_of, read_rows, table_lines

TEAM, PHASE = "team", "phase"


@dataclass(frozen=True)
class TeamRow:
    """`phase` is None where the table has no such column."""

    team: str
    phase: str | None
    values: dict[str, float | None]


@dataclass(frozen=True)
class TeamTable:
    """`columns` are the metrics that the table has, in its order."""

    columns: tuple[str, ...]
    rows: tuple[TeamRow, ...]


def read_teams(data: bytes, metrics: tuple[str, ...], phases: tuple[str, ...] = ()) -> TeamTable:
    """In the order of the table; a team bears the name of its first line. A column `phase` needs phases."""
    known = (*((PHASE,) if phases else ()), *metrics)
    rows = read_rows(data, (TEAM,), known, no_others=True)
    header = header_of(table_lines(data))
    names: dict[str, str] = {}
    seen: dict[tuple[str, str | None], int] = {}
    found = []
    for row in rows:
        name, phase = row.text(TEAM), _phase(row, phases) if PHASE in header else None
        first = seen.setdefault((folded(name), phase), row.line)
        if first != row.line:
            raise bad_table("repeated_case", row.line, name=name, first=first)
        values = {metric: row.number(metric) if row.cells[metric] else None for metric in metrics if metric in header}
        found.append(TeamRow(names.setdefault(folded(name), name), phase, values))
    return TeamTable(tuple(column for column in header if column in metrics), tuple(found))


def _phase(row: Row, phases: tuple[str, ...]) -> str:
    written = row.text(PHASE).casefold()
    if written not in phases:
        raise bad_table("bad_choice", row.line, value=row.cells[PHASE], column=PHASE, allowed=", ".join(phases))
    return written
