"""Where marks, lines and figures of a small chart stand, in units of its drawing. Pure; templates draw it as SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT = 240.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 8.0, 24.0
WORDS = 14.0  # a line of words below the ticks
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Axis:
    """From a number to a place in the drawing."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 2)

    def ticks(self, most: int = 5) -> list[tuple[float, str]]:
        """Round numbers inside the axis, with the words for them."""
        step = round_step((self.high - self.low) / most)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9)) + (
            1 if round(step / 10 ** math.floor(math.log10(step)), 6) == 2.5 else 0
        )
        return [(self.at(one * step), _number(one * step, digits)) for one in range(first, last + 1)]


@dataclass(frozen=True)
class Mark:
    x: float
    y: float
    title: str
    beyond: bool = False  # it lies further out than the chart goes
    label: str = ""  # written beside it


@dataclass(frozen=True)
class Line:
    """A level that something is compared with; `kind` says how it is drawn."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str
    words: str = ""


@dataclass(frozen=True)
class Curve:
    """A line through places; `kind` says how it is drawn."""

    places: list[tuple[float, float]]
    kind: str

    @property
    def points(self) -> str:
        return " ".join(f"{x},{y}" for x, y in self.places)


@dataclass(frozen=True)
class Circle:
    x: float
    y: float
    radius: float
    words: str


@dataclass(frozen=True)
class Panel:
    title: str
    marks: list[Mark]
    lines: list[Line] = field(default_factory=list)
    circles: list[Circle] = field(default_factory=list)
    x_ticks: list[tuple[float, str]] = field(default_factory=list)
    y_ticks: list[tuple[float, str]] = field(default_factory=list)
    note: str = ""
    width: float = WIDTH
    height: float = HEIGHT
    curves: list[Curve] = field(default_factory=list)
    bands: list[Curve] = field(default_factory=list)  # filled: the way there and back
    legend: list[tuple[str, str]] = field(default_factory=list)  # how a line is drawn, and what it is
    x_words: str = ""  # below the ticks: what is counted from left to right

    @property
    def left(self) -> float:
        return LEFT

    @property
    def right(self) -> float:
        return self.width - RIGHT

    @property
    def floor(self) -> float:
        return self.height - BOTTOM

    @property
    def whole_height(self) -> float:
        return self.height + (WORDS if self.x_words else 0.0)


def round_step(rough: float) -> float:
    """The next round step that is not smaller."""
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * step for step in _STEPS if size * step >= rough * (1 - 1e-9))


def across(values: Iterable[float], *, margin: float = 0.05) -> Axis:
    low, high = _range(values, margin)
    return Axis(low, high, LEFT, WIDTH - RIGHT)


def upwards(values: Iterable[float], *, margin: float = 0.05) -> Axis:
    low, high = _range(values, margin)
    return Axis(low, high, HEIGHT - BOTTOM, TOP)


def level(axis: Axis, value: float, kind: str, words: str = "") -> Line:
    y = axis.at(value)
    return Line(LEFT, y, WIDTH - RIGHT, y, kind, words)


def rings(radius: float, axis: Axis, across_axis: Axis, most: int = 3) -> list[Circle]:
    """Circles around nought at round distances, up to `radius`."""
    step = round_step(radius / most)
    centre = across_axis.at(0), axis.at(0)
    scale = across_axis.at(step) - across_axis.at(0)
    return [
        Circle(*centre, round(scale * one, 2), f"{step * one:g}") for one in range(1, int(radius / step + 1e-9) + 1)
    ]


def square(radius: float) -> tuple[Axis, Axis]:
    """Two axes around nought with one scale, so that a circle is round."""
    span = min(WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
    middle, centre = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    return (
        Axis(-radius, radius, middle - span / 2, middle + span / 2),
        Axis(-radius, radius, centre - span / 2, centre + span / 2),  # down, as in the picture
    )


def _range(values: Iterable[float], margin: float) -> tuple[float, float]:
    known: Sequence[float] = [value for value in values if math.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    space = (high - low) * margin or max(abs(high) * margin, 0.01)
    return low - space, high + space


def _number(value: float, digits: int) -> str:
    return f"{value + 0.0:.{digits}f}".replace("-", "−")
