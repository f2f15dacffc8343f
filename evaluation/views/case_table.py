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
}
LOW_IS_WORST = ("dice", "f1", "tp", "object_dice", "ari", "detected")
HIGH_IS_WORST = ("distance", "delta", "object_hausdorff", "fp", "fn")


@dataclass(frozen=True)
class CaseColumn:
    key: str
    name: str
    worst_low: bool | None  # None: it says nothing of good or bad


def case_columns(recipe: Recipe, card: Scorecard) -> list[CaseColumn]:
    """Those that tell good from bad come first."""
    keys = [key for key in (card.cases[0] if card.cases else {}) if key != "case"]
    columns = [CaseColumn(key, column_name(recipe, key), _worst_low(key)) for key in keys]
    return sorted(columns, key=lambda column: column.worst_low is None)


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
