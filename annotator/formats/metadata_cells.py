"""The cells of one line, read one by one; each fault is noted and reading goes on."""

import math
import re
import unicodedata
from collections.abc import Mapping

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.cells import starts_a_formula

MAX_TEXT = 200
MAX_POSITION = 9999
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?|[0-9]+\.")
_WHOLE = re.compile(r"[0-9]{1,4}")


class Cells:
    def __init__(self, line: int, values: Mapping[str, str], faults: list[BadTable]) -> None:
        self._line, self._values, self._faults = line, values, faults
        self.faulty = False

    def text(self, column: str, longest: int = MAX_TEXT) -> str | None:
        """Without outer blanks; None when empty. Formulas are refused here, not neutralised: they are never meant."""
        raw = self._values.get(column, "")
        value = raw.strip()
        if not value:
            return None
        if starts_a_formula(raw):
            self._fault("formula", column=column)
        elif len(value) > longest:
            self._fault("too_long", column=column, limit=longest)
        elif any(unicodedata.category(character) == "Cc" for character in value):
            self._fault("control_character", column=column)
        else:
            return unicodedata.normalize("NFC", value)
        return None

    def choice(self, column: str, choices: Mapping[str, str | None]) -> str | None:
        value = self._values.get(column, "").strip()
        if value.upper() in choices:
            return choices[value.upper()]
        allowed = ", ".join(name for name in choices if name)
        self._fault("bad_choice", column=column, value=value[:MAX_TEXT], allowed=allowed)
        return None

    def positive(self, column: str) -> float | None:
        """A decimal number with a point, finite and above zero."""
        value = self._values.get(column, "").strip()
        if not value:
            return None
        number = float(value) if _NUMBER.fullmatch(value) else math.nan
        if not (math.isfinite(number) and number > 0):
            self._fault("bad_number", column=column, value=value[:MAX_TEXT])
            return None
        return number

    def count(self, column: str) -> int | None:
        value = self._values.get(column, "").strip()
        if not value:
            return None
        if not _WHOLE.fullmatch(value) or int(value) < 1:
            self._fault("bad_position", column=column, value=value[:MAX_TEXT], limit=MAX_POSITION)
            return None
        return int(value)

    def named(self, kind: str) -> dict[str, str]:
        """The columns `kind:NAME` that are filled, by NAME."""
        columns = [column for column in self._values if column.startswith(kind + ":")]
        found = {column.partition(":")[2]: self.text(column) for column in columns}
        return {name: value for name, value in found.items() if value is not None}

    def _fault(self, code: str, **params: object) -> None:
        self.faulty = True
        self._faults.append(bad_table(code, self._line, **params))
