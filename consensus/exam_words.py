"""Limits, marks and errors of an exam in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.models import Role, Study
from annotator.models.reading import Answer
from annotator.selectors.recipes import recipe_of
from consensus.models import Exam, ExamResult
from consensus.programme.exam import Marked
from consensus.selectors.exams import ADMITTED_AS, limits_of
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


def measures_of(exam: Exam) -> list[Limit]:
    """What candidates are measured by: a measure that two roles are held to stands once."""
    limits = [limit for role in ADMITTED_AS for limit in limits_of(exam, role)]
    return list({(limit.target, limit.measure): limit for limit in limits}.values())


def measure_heads(exam: Exam) -> list[str]:
    """Heads of the table's columns; where the exam is about one target, its name goes without saying."""
    measures = measures_of(exam)
    if len({limit.target for limit in measures}) == 1:
        return [capfirst(str(MEASURES[limit.measure])) for limit in measures]
    return [measure_words(exam.study, limit) for limit in measures]


def marks_shown(exam: Exam, result: ExamResult) -> list[dict[str, Any]]:
    """One for each of `measures_of`; `short` where it misses a limit of graders."""
    marks = {
        (one["target"], one["measure"]): one for role in reversed(ADMITTED_AS) for one in result.marks.get(role, [])
    }
    of_graders = {(limit.target, limit.measure) for limit in limits_of(exam, Role.GRADER)}
    shown = []
    for limit in measures_of(exam):
        one = marks[limit.target, limit.measure.value]
        figures = {name: _figure(one[name]) for name in ("got", "low", "high")}
        short = not one["met"] and (limit.target, limit.measure) in of_graders
        shown.append(figures | {"images": one["images"], "short": short})
    return shown


def rate_head(exam: Exam, one: Marked) -> str:
    """As `measure_heads` has it, of a measure that the exam has no limit for."""
    alone = {limit.target for limit in measures_of(exam)} == {one.limit.target}
    return capfirst(str(MEASURES[one.limit.measure])) if alone else measure_words(exam.study, one.limit)


def rate_shown(one: Marked) -> dict[str, Any]:
    figures = {"got": one.value, "low": one.interval.low, "high": one.interval.high}
    return {name: _figure(value) for name, value in figures.items()} | {"images": one.images, "short": False}


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
