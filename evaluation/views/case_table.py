"""The table of single cases: which columns it has, and which case is worst by each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evaluation.models import Scorecard
from protocols.recipe import Recipe

NAMES = {
    "risk": gettext_lazy("Likelihood"),
    "score": gettext_lazy("Score"),
    "label": gettext_lazy("Reference label"),
    "class": gettext_lazy("Reference label"),
    "vcdr_reference": gettext_lazy("vCDR, reference"),
    "vcdr_candidate": gettext_lazy("vCDR, submission"),
    "f1": gettext_lazy("F1"),
    "tp": gettext_lazy("Found"),
    "fp": gettext_lazy("Too many"),
    "fn": gettext_lazy("Missed"),
    "object_dice": gettext_lazy("Object Dice"),
    "object_hausdorff": gettext_lazy("Object Hausdorff"),
    "ari": gettext_lazy("Rand index"),
    "distance_spur": gettext_lazy("Distance, scleral spur"),
    "delta_aod": gettext_lazy("Error of the opening distance"),
    "rg_likelihood": gettext_lazy("Likelihood of referable glaucoma"),
    "rg_binary": gettext_lazy("Called referable glaucoma"),
    "ungradability_score": gettext_lazy("Ungradability"),
    "ungradability_binary": gettext_lazy("Called ungradable"),
    "off": gettext_lazy("Off the label"),
}
OFF = "off"
"""How far a number lies on the wrong side of the reference's label: no column of a report, made to find the worst."""
LABELS: dict[Any, int] = {0: 0, 1: 1, "NRG": 0, "RG": 1}
LOW_IS_WORST = ("dice", "f1", "tp", "object_dice", "ari", "detected")
HIGH_IS_WORST = ("distance", "delta", "object_hausdorff", "fp", "fn", OFF)


@dataclass(frozen=True)
class CaseColumn:
    key: str
    name: str
    worst_low: bool | None  # None: it says nothing of good or bad


def case_columns(recipe: Recipe, card: Scorecard) -> list[CaseColumn]:
    """Those that tell good from bad come first."""
    lines = lines_shown(card)
    keys = [key for key in (lines[0] if lines else {}) if key != "case"]
    columns = [CaseColumn(key, column_name(recipe, key), _worst_low(key)) for key in keys]
    return sorted(columns, key=lambda column: column.worst_low is None)


def lines_shown(card: Scorecard) -> list[dict[str, Any]]:
    """The table of cases; where a number goes with a label, with how far it lies off it."""
    lines = [{**line, OFF: _off(line)} for line in card.cases]
    if any(line[OFF] is not None for line in lines):
        return lines
    return [dict(line) for line in card.cases]


def _off(line: Mapping[str, Any]) -> float | None:
    """1 − p of a likelihood p where the reference says yes, p where it says no; of a score that is cut at 0, the part
    on the wrong side."""
    label = LABELS.get(line.get("class", line.get("label")))
    likelihood = line.get("rg_likelihood", line.get("risk"))
    if label is None:
        return None
    if likelihood is not None:
        return abs(label - float(likelihood))
    score = line.get("score")
    return None if score is None else max(0.0, float(score) * (1 - 2 * label))


def column_name(recipe: Recipe, key: str) -> str:
    if key in NAMES:
        return str(NAMES[key])
    what, _underscore, target = key.partition("_")
    named = {one.key: _(one.name) for one in recipe.targets}
    words = {"dice": _("Dice, %(target)s"), "distance": _("Distance, %(target)s"), "detected": _("%(target)s found")}
    if what in words and target in named:
        return words[what] % {"target": named[target]}
    return key.replace("_", " ")


def _worst_low(key: str) -> bool | None:
    if key.startswith(LOW_IS_WORST):
        return True
    return False if key.startswith(HIGH_IS_WORST) else None


def sorted_cases(
    lines: Sequence[Mapping[str, Any]], columns: Sequence[CaseColumn], key: str
) -> list[Mapping[str, Any]]:
    """The worst first; those without a value last."""
    column = next((one for one in columns if one.key == key), None)
    if column is None:
        return list(lines)
    turned = 1 if column.worst_low or column.worst_low is None else -1

    def place(line: Mapping[str, Any]) -> tuple[bool, Any]:
        value = line.get(key)
        if value is None:
            return True, 0
        return False, value if isinstance(value, str) else turned * value

    return sorted(lines, key=place)
