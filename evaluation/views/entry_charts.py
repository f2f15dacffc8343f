"""Charts of one scored submission: ROC curves, and how its values spread over the cases.

Both tell what the reference of single cases is, so they are for those who see single cases.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from consensus.charts import HEIGHT, LEFT, RIGHT, WIDTH, Line, Mark, Panel, upwards
from evaluation.metrics.evidence import Numbers
from evaluation.scoring.scorecard import Findings
from evaluation.selectors.curves import Points, ranked_cases
from evaluation.views.case_table import CaseColumn
from evaluation.views.roc import roc_panel
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey

HALF_A_BOX = 30.0


def roc_panels(
    recipe: Recipe, edition: EditionKey, findings: Findings, *, team: str, graders: Callable[[str], Points]
) -> list[Panel]:
    """One for each track that ranks cases by a number and has both kinds of them, with the graders' points there."""
    ranked = ranked_cases(recipe, edition, findings)
    return [
        roc_panel(graders(track.key), [(team, ranked[track.key])], title=_(track.name))
        for track in recipe.scoring.tracks
        if track.key in ranked
    ]


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
