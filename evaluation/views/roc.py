"""ROC curves of entries, and where yes and no of several readers lie on the same ground."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from consensus.charts import Axis, Curve, Line, Mark, Panel
from evaluation.metrics.evidence import Scored
from evaluation.metrics.roc import curve

SIDE, LEFT, TOP, BOTTOM, RIGHT = 260.0, 40.0, 8.0, 24.0, 8.0
MOST_CORNERS = 300  # more cannot be seen
X = Axis(0.0, 1.0, LEFT, SIDE + LEFT)
Y = Axis(0.0, 1.0, SIDE + TOP, TOP)


def roc_panel(
    points: Mapping[str, Mapping[str, Any]],
    curves: Sequence[tuple[str, Scored]] = (),
    *,
    title: str = "",
    note: str = "",
) -> Panel:
    """One mark for each reader with both intervals as a cross, `points` by the reader's letter; one curve through every
    threshold for each entry. What is drawn how is said only where there are several kinds of it."""
    marks = dict[tuple[float, float], Mark]()
    lines = [Line(X.at(0), Y.at(0), X.at(1), Y.at(1), "limit")]
    for letter, point in points.items():
        (sensitivity, low, high), (specificity, least, most) = point["sensitivity"], point["specificity"]
        if sensitivity is None or specificity is None:
            continue
        at = X.at(1 - specificity), Y.at(sensitivity)
        lines += [
            Line(at[0], Y.at(low), at[0], Y.at(high), "zero"),
            Line(X.at(1 - most), at[1], X.at(1 - least), at[1], "zero"),
        ]
        said = {"letter": letter, "sensitivity": f"{sensitivity:.3f}", "specificity": f"{specificity:.3f}"}
        told = _("%(letter)s: sensitivity %(sensitivity)s, specificity %(specificity)s") % said
        beside = marks.get(at)  # readers who reach the same share one mark
        marks[at] = (
            Mark(*at, told, label=letter)
            if beside is None
            else Mark(*at, f"{beside.title}\n{told}", label=f"{beside.label} {letter}")
        )
    drawn = [Curve(_corners(scored), f"curve-{place}") for place, (_name, scored) in enumerate(curves, start=1)]
    legend = [(one.kind, name) for one, (name, _scored) in zip(drawn, curves, strict=True)]
    if legend and marks:
        legend.append(("zero", _("Graders, by letter, with 95 % intervals")))
    ground = _("Sensitivity over 1 − specificity")
    return Panel(
        title or ground,
        list(marks.values()),
        lines,
        x_ticks=X.ticks(),
        y_ticks=Y.ticks(),
        note=note or (ground if title else ""),
        width=SIDE + LEFT + RIGHT,
        height=SIDE + TOP + BOTTOM,
        curves=drawn,
        legend=legend,
    )


def _corners(scored: Scored) -> list[tuple[float, float]]:
    found = curve(scored, np.ones((1, len(scored))))
    corners = np.stack([found.false[0] / found.negatives[0], found.true[0] / found.positives[0]], axis=1)
    seen = corners[np.unique(np.linspace(0, len(corners) - 1, MOST_CORNERS).astype(int))]
    return [(X.at(across), Y.at(up)) for across, up in seen.tolist()]
