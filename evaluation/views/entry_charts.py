"""Charts of one scored submission: ROC curves, and how its values spread over the cases.

Both tell what the reference of single cases is, so they are for those who see single cases.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from consensus.charts import HEIGHT, LEFT, RIGHT, WIDTH, Axis, Line, Mark, Panel, upwards
from evaluation.metrics.evidence import Numbers, Scored
from evaluation.metrics.roc import curve
from evaluation.scoring.scorecard import Findings, questions_of_track
from evaluation.views.case_table import CaseColumn
from evaluation.views.roc import roc_panel
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey

MOST_CORNERS = 300  # more cannot be seen
HALF_A_BOX = 30.0


def roc_panels(recipe: Recipe, edition: EditionKey, findings: Findings) -> list[Panel]:
    """One for each track that ranks cases by a number and has both kinds of them."""
    found = {track.track: track for track in findings.tracks}
    panels = []
    for track in recipe.scoring.tracks:
        if track.key not in found:
            continue
        questions = questions_of_track(track, edition, found[track.key])
        scored = next((one.evidence for one in questions.values() if isinstance(one.evidence, Scored)), None)
        if scored is not None and scored.positive.any() and not scored.positive.all():
            panels.append(_roc(_(track.name), scored))
    return panels


def _roc(title: str, scored: Scored) -> Panel:
    """The polyline through every threshold, on the ground that readers' points are shown on."""
    ground = roc_panel({})
    found = curve(scored, np.ones((1, len(scored))))
    corners = np.stack([found.false[0] / found.negatives[0], found.true[0] / found.positives[0]], axis=1)
    seen = corners[np.unique(np.linspace(0, len(corners) - 1, MOST_CORNERS).astype(int))]
    x = Axis(0.0, 1.0, ground.left, ground.right)
    y = Axis(0.0, 1.0, ground.floor, ground.lines[0].y2)
    places = [(x.at(across), y.at(up)) for across, up in seen.tolist()]
    steps = [Line(*start, *end, "curve") for start, end in pairwise(places)]
    return Panel(
        title,
        [],
        [*ground.lines, *steps],
        x_ticks=ground.x_ticks,
        y_ticks=ground.y_ticks,
        note=ground.title,
        width=ground.width,
        height=ground.height,
    )


def box_panels(lines: Sequence[Mapping[str, Any]], columns: Sequence[CaseColumn]) -> list[Panel]:
    """One for each number of which it is known what is good: quartiles, whiskers of 1.5 box lengths, outliers."""
    panels = []
    for column in columns:
        known = [(line["case"], line[column.key]) for line in lines if isinstance(line.get(column.key), float)]
        if column.worst_low is not None and known:
            panels.append(_box(column.name, known))
    return panels


def _box(title: str, known: Sequence[tuple[str, float]]) -> Panel:
    """Tukey's box plot: whiskers end at the farthest value within 1.5 box lengths."""
    values: Numbers = np.array([value for _name, value in known])
    low, middle, high = np.percentile(values, [25, 50, 75]).tolist()
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    least, most = float(inside.min()), float(inside.max())
    y = upwards(values.tolist())
    centre = (LEFT + WIDTH - RIGHT) / 2
    left, right = centre - HALF_A_BOX, centre + HALF_A_BOX
    lines = [
        Line(left, y.at(low), right, y.at(low), "zero"),
        Line(left, y.at(high), right, y.at(high), "zero"),
        Line(left, y.at(low), left, y.at(high), "zero"),
        Line(right, y.at(low), right, y.at(high), "zero"),
        Line(left, y.at(middle), right, y.at(middle), "curve"),
        Line(centre, y.at(high), centre, y.at(most), "zero"),
        Line(centre, y.at(low), centre, y.at(least), "zero"),
    ]
    outside = [Mark(centre, y.at(value), f"{name}: {value:.4f}") for name, value in known if not least <= value <= most]
    note = _("median %(value)s") % {"value": f"{middle:.4f}"}
    return Panel(title, outside, lines, y_ticks=y.ticks(), note=note, height=HEIGHT)
