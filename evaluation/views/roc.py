"""Where yes and no of several readers lie on a ROC."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from consensus.charts import Axis, Line, Mark, Panel

SIDE, LEFT, TOP, BOTTOM, RIGHT = 260.0, 40.0, 8.0, 24.0, 8.0


def roc_panel(points: Mapping[str, Mapping[str, Any]]) -> Panel:
    """One mark for each reader with both intervals as a cross; `points` by the reader's letter."""
    x = Axis(0.0, 1.0, LEFT, SIDE + LEFT)
    y = Axis(0.0, 1.0, SIDE + TOP, TOP)
    chance = Line(x.at(0), y.at(0), x.at(1), y.at(1), "limit")
    marks, lines = [], [chance]
    for letter, point in points.items():
        (sensitivity, low, high), (specificity, least, most) = point["sensitivity"], point["specificity"]
        if sensitivity is None or specificity is None:
            continue
        at = x.at(1 - specificity), y.at(sensitivity)
        lines += [
            Line(at[0], y.at(low), at[0], y.at(high), "zero"),
            Line(x.at(1 - most), at[1], x.at(1 - least), at[1], "zero"),
        ]
        said = {"letter": letter, "sensitivity": f"{sensitivity:.3f}", "specificity": f"{specificity:.3f}"}
        marks.append(Mark(*at, _("%(letter)s: sensitivity %(sensitivity)s, specificity %(specificity)s") % said))
    return Panel(
        _("Sensitivity over 1 − specificity"),
        marks,
        lines,
        x_ticks=x.ticks(),
        y_ticks=y.ticks(),
        width=SIDE + LEFT + RIGHT,
        height=SIDE + TOP + BOTTOM,
    )
