"""Limits, marks and errors of an exam in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.models import Role, Study
from annotator.models.reading import Answer
from annotator.selectors.recipes import recipe_of
from consensus.models import ExamResult
from consensus.selectors.exams import limits_from
from protocols.names import Bound, Performance
from protocols.reading import Limit

MEASURES = {
    Performance.ACCURACY: gettext_lazy("accuracy"),
    Performance.SENSITIVITY: gettext_lazy("sensitivity"),
    Performance.SPECIFICITY: gettext_lazy("specificity"),
    Performance.MEAN_DICE: gettext_lazy("mean Dice"),
    Performance.MEAN_DISTANCE_PX: gettext_lazy("mean distance, pixels"),
}


def measure_words(study: Study, limit: Limit) -> str:
    named = {"target": _(recipe_of(study).target(limit.target).name), "measure": MEASURES[limit.measure]}
    return _("%(target)s: %(measure)s") % named


def limit_words(study: Study, limit: Limit) -> str:
    """“Referable glaucoma: accuracy at least 0.85”."""
    words = (
        _("%(measured)s at least %(value)s") if limit.bound is Bound.AT_LEAST else _("%(measured)s at most %(value)s")
    )
    return words % {"measured": measure_words(study, limit), "value": f"{limit.value:g}"}


def marks_shown(study: Study, result: ExamResult) -> list[dict[str, Any]]:
    """One line per measure; a measure that two roles are held to stands once, with both limits."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for role in (Role.GRADER, Role.ADJUDICATOR):
        data = result.marks.get(role, [])
        for one, limit in zip(data, limits_from(data), strict=True):
            line = lines.setdefault(
                (limit.target, limit.measure),
                {"words": measure_words(study, limit), "got": _figure(one["got"]), "images": one["images"]}
                | {"low": _figure(one["low"]), "high": _figure(one["high"]), "met": []},
            )
            line["met"].append({"role": role.label, "met": one["met"]})
    return list(lines.values())


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def said_words(study: Study, error: Mapping[str, Any]) -> dict[str, str]:
    """What was said and what is right, in the words of the protocol."""
    target = recipe_of(study).target(error["target"])
    options = {option.key: option.name for option in target.options}
    answers = dict(Answer.choices)

    def words(said: str) -> str:
        return _(options[said]) if said in options else str(answers.get(said, said))

    return {"target": _(target.name), "said": words(error["said"]), "truth": words(error["truth"])}
