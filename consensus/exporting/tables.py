"""References and what was decided about them as tables. Coordinates are the house's own: the centre of the first pixel
is (0.5, 0.5); angles are in degrees, clockwise on the screen."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from consensus.exporting.record import PRESENT, Agreed, Entry, Photograph, Record, Said, Writer
from consensus.exporting.sheet import Cell, Sheet
from protocols.names import Kind

Measured = Callable[[Record], Mapping[str, float | None]]


class Images(Writer):
    """`images.csv`, in every archive: the photographs and what their files are called. Of those whose answers are
    withheld only the size is told, since a pseudonym or a device may tell what they show."""

    PATH = "images.csv"
    HEAD = (
        *("image", "part", "withheld", "case", "photograph", "subject", "side", "width", "height"),
        *("um_per_px_x", "um_per_px_y", "device", "original_sha256", "frame"),
    )

    def __init__(self, strata: Sequence[str]) -> None:
        self._strata = strata
        self.columns = (*self.HEAD, *(f"stratum:{name}" for name in strata))
        self._sheet = Sheet(self.PATH, self.columns)

    def add(self, record: Record) -> Iterator[Entry]:
        one = record.photograph
        told: list[Cell] = [None] * (len(self.HEAD[3:]) + len(self._strata))
        told[4:6] = one.width, one.height
        if not one.withheld:
            told[:4] = one.case, one.position, one.subject, one.side
            told[6:] = *_scale(one), *(str(one.strata.get(name, "")) for name in self._strata)
        self._sheet.add(one.name, one.part, one.withheld, *told)
        yield from ()

    def finish(self) -> Iterator[Entry]:
        yield from self._sheet.entry()


def _scale(one: Photograph) -> tuple[float | None, float | None, str, str, int]:
    return one.um_per_px_x, one.um_per_px_y, one.device, one.sha256, one.frame


class Tables(Writer):
    """`tables/….csv`, one for each kind of answer, and one of measures."""

    def __init__(self, measures: Sequence[str], measured: Measured) -> None:
        self._measures, self._measured = measures, measured
        first = ("image", "target", "answer")
        self._points = Sheet("tables/points.csv", (*first, "x", "y", "state"))
        self._ellipses = Sheet("tables/ellipses.csv", (*first, "cx", "cy", "a", "b", "theta_deg", "state"))
        self._lines = Sheet("tables/lines.csv", ("image", "target", "number", "x", "y"))
        self._labels = Sheet("tables/labels.csv", (*first, "label", "state", "source"))
        self._signs = Sheet("tables/signs.csv", ("image", "target", "sign"))
        self._values = Sheet("tables/measures.csv", ("image", *measures))

    def add(self, record: Record) -> Iterator[Entry]:
        name = record.photograph.name
        for one in record.agreed:
            self._add(name, one)
        if record.agreed and self._measures:
            values = self._measured(record)
            if any(value is not None for value in values.values()):
                self._values.add(name, *(values.get(key) for key in self._measures))
        yield from ()

    def _add(self, name: str, one: Agreed) -> None:
        if one.kind is Kind.POINT:
            x, y = one.point or (None, None)
            self._points.add(name, one.target, one.answer, x, y, one.state)
        elif one.kind is Kind.ELLIPSE and (one.ellipse is not None or one.answer != PRESENT):
            self._ellipses.add(name, one.target, one.answer, *axes(one), one.state)
        elif one.kind is Kind.POLYLINE:
            for number, (x, y) in enumerate(one.line, start=1):
                self._lines.add(name, one.target, number, x, y)
        elif one.kind is Kind.LABEL:
            self._labels.add(name, one.target, one.answer, one.label, one.state, one.source)
            for sign in one.signs:
                self._signs.add(name, one.target, sign)

    def finish(self) -> Iterator[Entry]:
        for sheet in (self._points, self._ellipses, self._lines, self._labels, self._signs, self._values):
            yield from sheet.entry()


def axes(one: Said) -> tuple[float | None, ...]:
    if one.ellipse is None:
        return (None,) * 5
    return one.ellipse.cx, one.ellipse.cy, one.ellipse.a, one.ellipse.b, one.ellipse.theta_deg


class Decisions(Writer):
    """`decisions/….csv`: how each reference came about, what was left out of it and why, who was followed where a label
    was settled by an adjudicator, and how graders came to agree in discussion."""

    def __init__(self) -> None:
        numbers = ("readings", "left_out", "moved_px", "changed_px")
        head = ("image", "target", "version", "state", "answer", "rule", *numbers)
        self._references = Sheet("decisions/references.csv", head)
        self._left_out = Sheet("decisions/exclusions.csv", ("image", "target", "grader", "reason"))
        self._settled = Sheet(
            "decisions/adjudications.csv", ("image", "target", "label", "blind", "grader", "said", "followed")
        )
        self._discussed = Sheet(
            "decisions/discussions.csv", ("image", "target", "label", "statement", "grader", "said")
        )

    def add(self, record: Record) -> Iterator[Entry]:
        name = record.photograph.name
        for one in record.agreed:
            used = [given for given in one.given if not given.beside]
            left_out = [given for given in used if given.reason]
            moved = one.displacement or {}
            numbers = (len(used), len(left_out), moved.get("distance_px"), moved.get("changed_px"))
            self._references.add(name, one.target, one.version, one.state, one.answer, one.rule, *numbers)
            for given in left_out:
                self._left_out.add(name, one.target, given.grader, given.reason)
            if one.state == "adjudicated":
                for given in one.given:
                    told = (given.grader, given.label or given.answer, given.label == one.label)
                    self._settled.add(name, one.target, one.label, one.blind, *told)
            for number, word in enumerate(one.words, start=1):
                self._discussed.add(name, one.target, one.label, number, word.grader, word.label)
        yield from ()

    def finish(self) -> Iterator[Entry]:
        for sheet in (self._references, self._left_out, self._settled, self._discussed):
            yield from sheet.entry()
