"""The table that comes with images: which subject and eye a file shows, by which device, at which scale.

UTF-8 with or without byte order mark, commas, a header line. Column names are matched without regard to case and outer
blanks. Coordinates do not occur, so nothing is shifted.

    file            required; the name of the image file, with `/` between folders
    subject         pseudonym
    eye             R, L, OD or OS, or empty
    position        order within the eye, from 1
    device          camera
    um_per_px_x     micrometres per pixel; x and y are given together
    um_per_px_y
    stratum:NAME    value for stratified splits
    label:NAME      a label known beforehand

The `images.csv` of an exported archive is such a table too: it calls the file `image` and the eye `side`, and what else
it tells about the export is passed over.
"""

from dataclasses import dataclass, field

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.cells import starts_a_formula
from annotator.formats.file_names import folded
from annotator.formats.metadata_cells import Cells
from annotator.formats.table import has_semicolons, table_lines

MAX_NAME = 64
_PLAIN = ("file", "subject", "eye", "position", "device", "um_per_px_x", "um_per_px_y")
_NAMED = ("stratum", "label")
_EYES = {"R": "R", "OD": "R", "L": "L", "OS": "L", "": None}
_EXPORTED = "original_sha256"
"""The column by which the list of an exported archive is known."""
_CALLED_THERE = {"image": "file", "side": "eye"}
_TOLD_THERE = frozenset({"part", "withheld", "case", "photograph", "width", "height", "frame", _EXPORTED})
_UNKNOWN_EYE_THERE = "U"


@dataclass(frozen=True)
class ImageRow:
    """What the table says about one image; None and missing names mean that it says nothing."""

    line: int
    file: str
    subject: str | None = None
    eye: str | None = None
    """R or L"""
    position: int | None = None
    device: str | None = None
    um_per_px_x: float | None = None
    um_per_px_y: float | None = None
    strata: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MetadataTable:
    """Either rows, or the faults that keep the table from being used; never both."""

    rows: tuple[ImageRow, ...]
    faults: tuple[BadTable, ...]


def read_metadata(data: bytes) -> MetadataTable:
    """Read the whole table and collect every fault in it with its line (the header is line 1)."""
    faults: list[BadTable] = []
    rows: list[ImageRow] = []
    lines = table_lines(data)
    try:
        columns = _columns(next(lines, (1, []))[1], faults)
        if columns is None:
            return MetadataTable((), tuple(faults))
        for line, values in lines:
            rows.extend(_row(line, columns, values, faults))
    except BadTable as fault:
        faults.append(fault)
    faults.extend(_conflicts(rows))
    faults.sort(key=lambda fault: fault.line or 0)
    return MetadataTable((), tuple(faults)) if faults else MetadataTable(tuple(rows), ())


def _columns(header: list[str], faults: list[BadTable]) -> list[str] | None:
    """The canonical column names; None when rows cannot be read under this header."""
    columns = [_canonical(name) for name in header]
    if _EXPORTED in columns:
        columns = [_CALLED_THERE.get(column, column) for column in columns]
    before = len(faults)
    if not any(columns):
        faults.append(bad_table("no_header", 1))
        return None
    if has_semicolons(header):
        faults.append(bad_table("separator", 1))
        return None
    for index, (column, written) in enumerate(zip(columns, header, strict=True)):
        kind, _, name = column.partition(":")
        if column in columns[:index]:
            faults.append(bad_table("repeated_column", 1, column=written.strip()))
        elif _EXPORTED in columns and column in _TOLD_THERE:
            continue
        elif not (column in _PLAIN or (kind in _NAMED and 1 <= len(name) <= MAX_NAME)):
            faults.append(bad_table("unknown_column", 1, column=written.strip()[:MAX_NAME]))
        elif starts_a_formula(name):  # it heads, and fills, tables that people open in a spreadsheet
            faults.append(bad_table("formula", 1, column=column))
    if "file" not in columns:
        faults.append(bad_table("missing_column", 1, column="file"))
    return None if len(faults) > before and "file" not in columns else columns


def _canonical(name: str) -> str:
    """Lower case without outer blanks; the name of a stratum or label keeps its case."""
    kind, colon, rest = name.strip().partition(":")
    return f"{kind.strip().lower()}:{rest.strip()}" if colon else kind.lower()


def _row(line: int, columns: list[str], values: list[str], faults: list[BadTable]) -> list[ImageRow]:
    if len(values) != len(columns):
        faults.append(bad_table("wrong_width", line, found=len(values), expected=len(columns)))
        return []
    told = dict(zip(columns, values, strict=True))
    if _EXPORTED in told and told.get("eye") == _UNKNOWN_EYE_THERE:
        told["eye"] = ""
    cells = Cells(line, told, faults)
    file = cells.text("file", longest=1000)
    if not file:
        faults.append(bad_table("missing_file", line))
        return []
    across, down = cells.positive("um_per_px_x"), cells.positive("um_per_px_y")
    if (across is None) != (down is None) and not cells.faulty:
        faults.append(bad_table("half_a_scale", line))
    return [
        ImageRow(
            line=line,
            file=file.replace("\\", "/"),
            subject=cells.text("subject"),
            eye=cells.choice("eye", _EYES),
            position=cells.count("position"),
            device=cells.text("device"),
            um_per_px_x=across,
            um_per_px_y=down,
            strata=cells.named("stratum"),
            labels=cells.named("label"),
        )
    ]


def _conflicts(rows: list[ImageRow]) -> list[BadTable]:
    """A file named twice, and two files in the same place of the same eye."""
    faults = []
    files: dict[str, int] = {}
    places: dict[tuple[str, str | None, int], int] = {}
    for row in rows:
        first = files.setdefault(folded(row.file), row.line)
        if first != row.line:
            faults.append(bad_table("repeated_file", row.line, file=row.file, first=first))
        if row.subject is not None and row.position is not None:
            first = places.setdefault((row.subject, row.eye, row.position), row.line)
            if first != row.line:
                place = {"subject": row.subject, "eye": row.eye or "–", "position": row.position}
                faults.append(bad_table("conflicting_rows", row.line, first=first, **place))
    return faults
