"""What an organiser says about all files of one upload or import: what holds for all of them, a pattern of their names,
a table. The table comes before the pattern, the pattern before what holds for all."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded, without_ending
from annotator.formats.metadata_csv import ImageRow, read_metadata
from annotator.formats.name_pattern import Guess, NamePattern
from annotator.models import Eye
from annotator.services.images import check_facts
from annotator.services.intake_desk import Facts

MOST_FAULTS = 50
NOTHING = Guess("", None, None)


@dataclass(frozen=True)
class Said:
    """As it was given, so that it can be kept and read again."""

    subject: str = ""
    side: str = Eye.Side.UNKNOWN
    device: str = ""
    um_per_px: float | None = None
    pattern: str = ""
    table: bytes | None = None


class Batch:
    """What was said, checked: a bad pattern or table is refused with all its faults before any file is looked at."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self._pattern = _pattern(said.pattern) if said.pattern else None
        self._rows = _rows(said.table) if said.table is not None else None

    def facts(self, name: str) -> Facts:
        """What is known about the file of this name; a name that does not fit is refused, and blames its file."""
        return self._facts(name, self._row(name))

    def sort(self, names: Iterable[str]) -> dict[str, Facts | DomainError]:
        """The facts of each file, or why it is left out. Two files never share a line of the table."""
        found = {name: self._row(name) for name in names}
        named: dict[int, list[str]] = defaultdict(list)
        for name, row in found.items():
            if row is not None:
                named[row.line].append(name)
        return {name: self._sorted(name, row, named) for name, row in found.items()}

    def lines_without_files(self, names: Iterable[str]) -> list[ImageRow]:
        met = {row.line for row in map(self._row, names) if row is not None}
        return [row for row in (self._rows or {}).values() if row.line not in met]

    def _sorted(self, name: str, row: ImageRow | None, named: Mapping[int, list[str]]) -> Facts | DomainError:
        try:
            if row is not None:
                _refuse_shared_line(name, row, named[row.line])
            return self._facts(name, row)
        except DomainError as refusal:
            return refusal

    def _row(self, name: str) -> ImageRow | None:
        """The line of the table. It may leave out the folders in front, which differ from one copy to another, and the
        ending, as the list of an exported archive does."""
        if not self._rows:
            return None
        for called in dict.fromkeys((folded(name), folded(without_ending(name)))):
            parts = called.split("/")
            keys = ("/".join(parts[at:]) for at in range(len(parts)))
            if row := next((self._rows[key] for key in keys if key in self._rows), None):
                return row
        return None

    def _facts(self, name: str, row: ImageRow | None) -> Facts:
        if self._rows is not None and row is None:
            raise DomainError("no_line", _("The table has no line for this file."), field="file")
        guess = self._guess(name, needed=row is None or row.subject is None)
        said, row = self.said, row or ImageRow(0, name)
        facts = Facts(
            subject=row.subject or guess.subject or said.subject,
            side=row.eye or guess.eye or said.side or Eye.Side.UNKNOWN,
            order=row.position or guess.position,
            device=row.device or said.device,
            um_per_px_x=row.um_per_px_x or said.um_per_px,
            um_per_px_y=row.um_per_px_y or said.um_per_px,
            strata=row.strata | row.labels,
        )
        try:
            check_facts(name=name, facts=facts)
        except DomainError as refusal:
            if refusal.field == "subject" and not said.subject:
                refusal.field = "file"  # its name or its line said so, and no field that goes along with all files
            raise
        return facts

    def _guess(self, name: str, *, needed: bool) -> Guess:
        """Silently taken, a picture whose name does not fit would stand under a subject of its own."""
        if self._pattern is None:
            return NOTHING
        guess = self._pattern.guess(name)
        if needed and (guess is None or not guess.subject):
            raise DomainError("name_does_not_fit", _("The file name does not fit the pattern."), field="file")
        return guess or NOTHING


def _refuse_shared_line(name: str, row: ImageRow, names: list[str]) -> None:
    """The file that the line names in full may have it; otherwise nobody can say which one is meant."""
    if len(names) > 1 and folded(name) != folded(row.file):
        whole = any(folded(other) == folded(row.file) for other in names)
        message = (
            _("The table has no line for this file.")
            if whole
            else _("Line %(line)s of the table fits %(count)s of these files. Write their folders into the table.")
            % {"line": row.line, "count": len(names)}
        )
        raise DomainError("shared_line", message, field="file")


def _pattern(pattern: str) -> NamePattern:
    try:
        return NamePattern(pattern)
    except Fault as fault:
        why = _(fault.message) % fault.params
        message = _("This pattern cannot be used: %(fault)s.") % {"fault": why}
        raise DomainError("bad_pattern", message, field="pattern") from None


def _rows(table: bytes) -> dict[str, ImageRow]:
    """The table by file; every fault of a bad one is told at once, by line."""
    read = read_metadata(table)
    if read.faults:
        lines = [
            _("line %(line)s: %(fault)s") % {"line": fault.line or 1, "fault": _(fault.message) % fault.params}
            for fault in read.faults
        ]
        raise DomainError("bad_table", listed(_("The table cannot be used:"), lines), field="metadata")
    return {folded(row.file): row for row in read.rows}


def listed(head: str, lines: list[str]) -> str:
    more = [_("… and %(count)s more") % {"count": len(lines) - MOST_FAULTS}] if len(lines) > MOST_FAULTS else []
    return "\n".join([head, *lines[:MOST_FAULTS], *more])
