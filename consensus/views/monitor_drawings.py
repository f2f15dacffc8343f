"""Drawings in the monitor: each grader beside the vote of the others, as a table and over time."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.models import Membership
from annotator.recipe_words import target_names, word
from consensus import charts
from consensus.charts import Axis, Curve, Line, Mark, Panel
from consensus.models import DrawingReport
from consensus.programme.drawing import Mean, mean_of, measure_of
from consensus.programme.monitoring import WINDOW
from consensus.selectors.drawings import Drawings, drawn_targets, kept_drawings
from consensus.views.agreement_tables import interval, number
from consensus.views.monitor_charts import HEIGHT, MOST_MARKS, RIGHT, WIDTH, limit_legend
from protocols.names import Kind
from protocols.recipe import Recipe
from protocols.targets import Target

LOWEST_DICE = 0.5


def drawing_tables(recipe: Recipe, report: DrawingReport, members: Sequence[Membership]) -> list[dict[str, Any]]:
    """One for each target that somebody has drawn."""
    found = []
    for target in drawn_targets(recipe):
        kept = kept_drawings(report, target.key)
        rows = [_row(target, member, kept[member.code]) for member in members if member.code in kept]
        if rows:
            head = {"key": target.key, "name": target_names(recipe)[target.key], "is_point": target.kind is Kind.POINT}
            found.append(
                {**head, "measure": word(measure_of(target)), "limit": _limit_words(recipe, target), "rows": rows}
            )
    return found


def _row(target: Target, member: Membership, mine: Drawings) -> dict[str, Any]:
    digits = 1 if target.kind is Kind.POINT else 3
    return {
        "member": member,
        "count": len(mine.values),
        "mean": _cell(mine.mean, digits),
        "recent": _cell(mean_of(mine.values[-WINDOW:]), digits),
        "share": _percent(mine.shares),
        "dx": _signed([dx for dx, _dy in mine.offsets]),
        "dy": _signed([dy for _dx, dy in mine.offsets]),
    }


def _cell(mean: Mean, digits: int) -> dict[str, str]:
    return {
        "value": number(mean.value, digits),
        "interval": interval(mean.interval.low, mean.interval.high, digits) if mean.of > 1 else "",
    }


def _percent(shares: Sequence[float]) -> str:
    return f"{100 * mean_of(shares).value:+.1f} %".replace("-", "−") if shares else "–"


def _signed(values: Sequence[float]) -> str:
    return f"{mean_of(values).value:+.1f}".replace("-", "−") if values else "–"


def limit_of(recipe: Recipe, target: Target) -> float | None:
    limits = recipe.monitoring.limits
    here = [one.value for one in limits if (one.target, one.measure) == (target.key, measure_of(target))]
    return here[0] if here else None


def _limit_words(recipe: Recipe, target: Target) -> str:
    limit = limit_of(recipe, target)
    if limit is None:
        return ""
    values = {"measure": word(measure_of(target)), "value": f"{limit:g}"}
    if target.kind is Kind.POINT:
        return _("%(measure)s at most %(value)s") % values
    return _("%(measure)s at least %(value)s") % values


def drawing_panels(recipe: Recipe, report: DrawingReport, member: Membership) -> list[Panel]:
    """One for each target that this grader has drawn."""
    found = []
    for target in drawn_targets(recipe):
        mine = kept_drawings(report, target.key).get(member.code)
        if mine is not None and len(mine.values) > 1:
            found.append(_panel(target_names(recipe)[target.key], target, mine, limit_of(recipe, target)))
    return found


def _panel(name: str, target: Target, mine: Drawings, limit: float | None) -> Panel:
    """Single drawings as marks, their mean so far as a line with its interval."""
    values, is_point = mine.values, target.kind is Kind.POINT
    x = Axis(0.0, float(len(values)), charts.LEFT, WIDTH - RIGHT)
    known = [*values, *([limit] if limit is not None else [])]
    low, high = (0.0, max(known) * 1.05 or 1.0) if is_point else (min(LOWEST_DICE, *known), 1.0)
    y = Axis(low, high, HEIGHT - charts.BOTTOM, charts.TOP)
    step = -(-len(values) // MOST_MARKS)
    ends = sorted({*range(max(2, step), len(values) + 1, step), len(values)})
    means = [(end, mean_of(values[:end])) for end in ends]
    shown = sorted({*range(0, len(values), step), len(values) - 1})
    digits = 1 if is_point else 2
    marks = [Mark(x.at(n + 1), y.at(values[n]), _title(mine.cases[n], values[n], digits)) for n in shown]
    above = [(x.at(end), y.at(min(high, mean.interval.high))) for end, mean in means]
    below = [(x.at(end), y.at(max(low, mean.interval.low))) for end, mean in reversed(means)]
    legend = [("mark", _("One drawing")), ("curve", _("Mean so far, with its interval"))]
    return Panel(
        f"{name}: {word(measure_of(target))}",
        marks,
        [Line(charts.LEFT, y.at(limit), WIDTH - RIGHT, y.at(limit), "bias")] if limit is not None else [],
        x_ticks=x.ticks(),
        y_ticks=y.ticks(),
        note=_("%(value)s over %(count)s drawings") % {"value": f"{mine.mean.value:.{digits}f}", "count": len(values)},
        width=WIDTH,
        height=HEIGHT,
        curves=[Curve([(x.at(end), y.at(mean.value)) for end, mean in means], "curve")],
        bands=[Curve([*above, *below], "band")],
        legend=[*legend, ("bias", limit_legend(f"{limit:g}"))] if limit is not None else legend,
        x_words=_("Drawings"),
    )


def _title(case: int, value: float, digits: int) -> str:
    return _("Case %(number)s: %(value)s") % {"number": case, "value": f"{value:.{digits}f}"}
