"""Every single reading, by the letters that graders have at the senior's table.

The tables and folders of a target are laid out as the commands `consensus` and `agreement` take them, so that the vote
and its statistics can be made again from the archive alone.
"""

from collections.abc import Iterator
from functools import partial

from consensus.exporting.pictures import mask_picture
from consensus.exporting.record import AREAS, PRESENT, Entry, Given, Record, Writer
from consensus.exporting.sheet import Sheet
from consensus.exporting.tables import axes
from protocols.names import Kind

ELLIPSE = ("cx", "cy", "a", "b", "theta_deg")


class Readings(Writer):
    """`readings/TARGET/LETTER/NAME.png`, `readings/TARGET.csv`, and `readings/answers.csv` with all of them."""

    def __init__(self) -> None:
        head = ("image", "target", "grader", "answer", "label", "confidence", "left_out")
        self._answers = Sheet("readings/answers.csv", head)
        self._signs = Sheet("readings/signs.csv", ("image", "target", "grader", "sign"))
        self._by_target: dict[str, Sheet] = {}

    def add(self, record: Record) -> Iterator[Entry]:
        name = record.photograph.name
        for one in record.agreed:
            for given in one.given:
                told = (given.answer, given.label, given.confidence, given.reason)
                self._answers.add(name, given.target, given.grader, *told)
                for sign in given.signs:
                    self._signs.add(name, given.target, given.grader, sign)
                self._add_row(name, given)
                if given.kind in AREAS and given.is_area:
                    path = f"readings/{given.target}/{given.grader}/{name}.png"
                    yield Entry(path, partial(mask_picture, given, *record.size))

    def _add_row(self, name: str, given: Given) -> None:
        """Each kind in the columns that the commands know."""
        if given.kind is Kind.POINT:
            x, y = given.point or (None, None)
            self._sheet(given.target, "x", "y", "visible").add(name, given.grader, x, y, given.answer == PRESENT)
        elif given.kind is Kind.ELLIPSE and given.ellipse is not None:
            self._sheet(given.target, *ELLIPSE).add(name, given.grader, *axes(given))
        elif given.kind is Kind.POLYLINE:
            for number, (x, y) in enumerate(given.line, start=1):
                self._sheet(given.target, "number", "x", "y").add(name, given.grader, number, x, y)
        elif given.kind is Kind.LABEL and given.label:
            self._sheet(given.target, "label").add(name, given.grader, given.label)

    def _sheet(self, target: str, *columns: str) -> Sheet:
        if target not in self._by_target:
            self._by_target[target] = Sheet(f"readings/{target}.csv", ("image", "grader", *columns))
        return self._by_target[target]

    def finish(self) -> Iterator[Entry]:
        for sheet in (self._answers, self._signs, *self._by_target.values()):
            yield from sheet.entry()
