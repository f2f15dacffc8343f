"""A grader's rate over time: after how many final labels it stood where, with its interval and the recipe's limit."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotator.recipe_words import word
from consensus import charts
from consensus.charts import Axis, Curve, Line, Mark, Panel
from consensus.programme.monitoring import WINDOW, Look
from consensus.programme.rates import Rate
from protocols.names import Performance

WIDTH, HEIGHT = 480.0, 230.0
RIGHT = 18.0  # room for half of the last number below
MOST_MARKS = 60
FEWEST = 5  # cases; a rate of fewer jumps from one end to the other
LOWEST = 0.5


@dataclass(frozen=True)
class Point:
    """One look at one measure."""

    finals: int
    total: Rate
    window: Rate
    independent: Rate


def points_of(looks: Sequence[Look], measure: Performance, most: int = MOST_MARKS) -> list[Point]:
    """Evenly thinned out where there are many; the last is always there."""
    step = -(-len(looks) // most) if looks else 1
    chosen = list(looks[::-1][::step])[::-1]
    return [
        Point(look.finals, look.total.rate(measure), look.window.rate(measure), look.independent.rate(measure))
        for look in chosen
    ]


def rate_panel(looks: Sequence[Look], measure: Performance, limit: float | None) -> Panel | None:
    """None where there is too little to draw."""
    points = [point for point in points_of(looks, measure) if point.total.of >= FEWEST]
    if not points:
        return None
    x = Axis(0.0, float(points[-1].finals), charts.LEFT, WIDTH - RIGHT)
    y = _upwards(points, limit)
    lines = [Line(charts.LEFT, y.at(limit), WIDTH - RIGHT, y.at(limit), "bias")] if limit is not None else []
    rate = points[-1].total
    note = _("%(value)s after %(count)s final labels") % {
        "value": f"{rate.value:.2f}",
        "count": f"{points[-1].finals:,}",
    }
    legend = [("curve", _("In all, with its interval")), ("limit", _window_words())]
    return Panel(
        word(measure),
        [Mark(x.at(point.finals), y.at(point.total.value), _title(point)) for point in points],
        lines,
        x_ticks=x.ticks(),
        y_ticks=y.ticks(),
        note=note,
        width=WIDTH,
        height=HEIGHT,
        curves=[_curve(x, y, points), _recently(x, y, points)],
        bands=[_band(x, y, points)],
        legend=[*legend, ("bias", limit_legend(f"{limit:.2f}"))] if limit is not None else legend,
        x_words=_("Final labels"),
    )


def limit_legend(value: str) -> str:
    return _("The protocol's limit, %(value)s") % {"value": value}


def _window_words() -> str:
    return _("The latest %(count)s final labels") % {"count": WINDOW}


def _upwards(points: Sequence[Point], limit: float | None) -> Axis:
    """From a half, or from as low as it went."""
    values = [rate.value for point in points for rate in (point.total, point.window) if rate.of]
    low = max(0.0, min([LOWEST, *(value - 0.05 for value in values), *([limit - 0.05] if limit is not None else [])]))
    return Axis(low, 1.0, HEIGHT - charts.BOTTOM, charts.TOP)


def _curve(x: Axis, y: Axis, points: Sequence[Point]) -> Curve:
    return Curve([(x.at(point.finals), y.at(point.total.value)) for point in points], "curve")


def _recently(x: Axis, y: Axis, points: Sequence[Point]) -> Curve:
    return Curve([(x.at(point.finals), y.at(point.window.value)) for point in points if point.window.of], "limit")


def _band(x: Axis, y: Axis, points: Sequence[Point]) -> Curve:
    above = [(x.at(point.finals), y.at(point.total.interval.high)) for point in points]
    below = [(x.at(point.finals), y.at(max(y.low, point.total.interval.low))) for point in reversed(points)]
    return Curve([*above, *below], "band")


def _title(point: Point) -> str:
    return _("After %(finals)s final labels: %(value)s (%(right)s of %(of)s)") % {
        "finals": f"{point.finals:,}",
        "value": f"{point.total.value:.2f}",
        "right": f"{point.total.right:,}",
        "of": f"{point.total.of:,}",
    }
