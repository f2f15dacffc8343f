"""The charts of the agreement page: one small panel for each grader, all with the same scales."""

import math
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from consensus import charts
from consensus.charts import Line, Mark, Panel

MarkRow = Sequence[Any]  # case, grader, x, y


def difference_panels(content: dict[str, Any], graders: Sequence[str]) -> list[Panel]:
    """Bland and Altman: each grader's difference from the mean of the others, over the mean of both."""
    marks = content["marks"]
    limits = [row[name] for row in content["per_grader"] for name in ("low", "high") if row.get(name) is not None]
    x = charts.across(mark[2] for mark in marks)
    y = charts.upwards([*(mark[3] for mark in marks), *limits, 0.0])
    panels = []
    for number, grader in enumerate(graders):
        row = content["per_grader"][number]
        lines = [charts.level(y, 0, "zero")]
        if row.get("bias") is not None:
            lines += [charts.level(y, row["low"], "limit"), charts.level(y, row["high"], "limit")]
            lines.append(charts.level(y, row["bias"], "bias"))
        note = _("bias %(bias)s") % {"bias": signed(row["bias"])} if row.get("bias") is not None else ""
        panels.append(
            Panel(_grader(grader), _placed(marks, number, x, y), lines, x_ticks=x.ticks(), y_ticks=y.ticks(), note=note)
        )
    return panels


def scatter_panels(content: dict[str, Any], graders: Sequence[str]) -> list[Panel]:
    """Each grader's value over the mean of the others; who agrees with them lies on the line."""
    pairs = [(mark[0], mark[1], mark[2] - mark[3] / 2, mark[2] + mark[3] / 2) for mark in content["marks"]]
    values = [value for pair in pairs for value in pair[2:]]
    x, y = charts.across(values), charts.upwards(values)
    same = Line(x.at(x.low), y.at(x.low), x.at(x.high), y.at(x.high), "zero")
    return [
        Panel(_grader(grader), _placed(pairs, number, x, y), [same], x_ticks=x.ticks(), y_ticks=y.ticks())
        for number, grader in enumerate(graders)
    ]


def offset_panels(content: dict[str, Any], graders: Sequence[str]) -> list[Panel]:
    """A bull's eye: where each grader's points lie, seen from the mean of the others."""
    marks = content["marks"]
    reach = _reach([math.hypot(mark[2], mark[3]) for mark in marks])
    x, y = charts.square(reach * 1.05)
    panels = []
    for number, grader in enumerate(graders):
        row = content["per_grader"][number]
        lines = [
            Line(x.at(x.low), y.at(0), x.at(x.high), y.at(0), "zero"),
            Line(x.at(0), y.at(y.low), x.at(0), y.at(y.high), "zero"),
        ]
        note = ""
        if row["bias_x"] is not None:
            bias = {"x": signed(row["bias_x"]), "y": signed(row["bias_y"])}
            note = _("bias %(x)s, %(y)s px") % bias
            lines.append(Line(x.at(0), y.at(0), x.at(row["bias_x"]), y.at(row["bias_y"]), "bias"))
        panels.append(Panel(_grader(grader), _placed(marks, number, x, y), lines, charts.rings(reach, y, x), note=note))
    return panels


def _reach(distances: Sequence[float]) -> float:
    """Far enough for nearly all; a single point at the wrong place would else shrink the others to a dot."""
    if not distances:
        return 1.0
    usual = sorted(distances)[int(0.9 * (len(distances) - 1))]
    return min(max(distances), 3 * usual) or 1.0


def _on_target(marks: Sequence[MarkRow], grader: int, reach: float, x: charts.Axis, y: charts.Axis) -> list[Mark]:
    """What lies further out is drawn at the rim, in its direction."""
    placed = []
    for case, who, dx, dy in marks:
        if who != grader:
            continue
        far = math.hypot(dx, dy)
        share = min(1.0, reach / far) if far else 1.0
        title = _("Case %(number)s: %(distance)s px") % {"number": case, "distance": f"{far:.1f}"}
        placed.append(Mark(x.at(dx * share), y.at(dy * share), title, beyond=share < 1))
    return placed


def _placed(marks: Sequence[MarkRow], grader: int, x: charts.Axis, y: charts.Axis) -> list[Mark]:
    return [
        Mark(x.at(mark[2]), y.at(mark[3]), _("Case %(number)s") % {"number": mark[0]})
        for mark in marks
        if mark[1] == grader
    ]


def _grader(letter: str) -> str:
    return _("Grader %(letter)s") % {"letter": letter}


def signed(value: float) -> str:
    """Three digits that count, with a true minus."""
    return f"{value:+.3g}".replace("-", "−")
