"""How alike a grader's two readings of the same case are. Labels are compared when it is looked at; drawings take too
long for that and are told as the latest agreement report has measured them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Count, QuerySet

from annotator.models import Membership, Reading, Revision, Study
from annotator.selectors.recipes import recipe_of
from consensus.models import AgreementReport
from consensus.programme.repeating import SaidTwice
from consensus.selectors.agreement import latest_report
from consensus.selectors.letters import letters_of
from consensus.selectors.monitoring import word_of
from consensus.selectors.taking_part import readings_again
from protocols.names import Kind, Source
from protocols.recipe import Recipe
from protocols.targets import Target


class Alike(StrEnum):
    SAME_LABEL = "same-label"
    DICE = "mean-dice"
    DISTANCE_PX = "mean-distance-px"


FIGURES = {"area": ("pairwise-dice", Alike.DICE), "point": ("apart", Alike.DISTANCE_PX)}
"""By the kind of a report's part: the figure that says it in one number."""


@dataclass(frozen=True)
class Consistency:
    """Of one target. NaN where there is no number; `same` counts labels, `measured_at` is for drawings."""

    target: str
    measure: Alike
    of: int
    value: float
    low: float
    high: float
    same: int | None = None
    kappa: float = math.nan
    measured_at: datetime | None = None


@dataclass(frozen=True)
class OwnRepeats:
    """`cases` read twice, counted now."""

    cases: int = 0
    alike: tuple[Consistency, ...] = ()

    def of(self, target: str) -> Consistency | None:
        return next((one for one in self.alike if one.target == target), None)


def own_repeats(study: Study, only: Membership | None = None) -> dict[int, OwnRepeats]:
    """By grader (membership); those who have read nothing twice are not named."""
    again = readings_again().filter(assignment__grader__study=study)
    if only is not None:
        again = again.filter(assignment__grader=only)
    counted = again.order_by().values("assignment__grader").annotate(count=Count("pk"))
    cases = {row["assignment__grader"]: row["count"] for row in counted}
    if not cases:
        return {}
    recipe = recipe_of(study)
    labels, drawings = _labels_twice(recipe, again), _drawings_twice(study, recipe)
    found: dict[int, OwnRepeats] = {}
    for grader, count in cases.items():
        alike = {
            **{key: _of_labels(key, said[grader]) for key, said in labels.items() if grader in said},
            **drawings.get(grader, {}),
        }
        asked = [target.key for target in recipe.targets]
        found[grader] = OwnRepeats(count, tuple(alike[key] for key in asked if key in alike))
    return found


def _of_labels(target: str, pairs: list[tuple[str, str]]) -> Consistency:
    said = SaidTwice(pairs)
    same, interval = said.same, said.same.interval
    return Consistency(
        target=target,
        measure=Alike.SAME_LABEL,
        of=same.of,
        value=same.value,
        low=interval.low,
        high=interval.high,
        same=same.right,
        kappa=said.kappa,
    )


def labels_asked(recipe: Recipe) -> list[Target]:
    return [one for one in recipe.targets if one.kind is Kind.LABEL and one.source is Source.GRADED]


def _labels_twice(recipe: Recipe, again: QuerySet[Reading]) -> dict[str, dict[int, list[tuple[str, str]]]]:
    """By target and grader, what was said first and again, where both times a label was given."""
    asked = {target.key: target for target in labels_asked(recipe)}
    if not asked:
        return {}
    columns = ("target__key", "image_id", "label", "answer")
    firsts = Revision.objects.filter(
        reading__withdrawn_at=None,
        reading__assignment__in=again.order_by().values("assignment__repeat_of"),
        target__key__in=asked,
    )
    first = {
        (assignment, key, image): word_of(label, answer, asked[key])
        for assignment, key, image, label, answer in firsts.values_list("reading__assignment", *columns)
    }
    found: dict[str, dict[int, list[tuple[str, str]]]] = {}
    seconds = Revision.objects.filter(reading__in=again.order_by().values("pk"), target__key__in=asked)
    rows = seconds.order_by("pk").values_list("reading__assignment__grader", "reading__assignment__repeat_of", *columns)
    for grader, assignment, key, image, label, answer in rows:
        pair = first.get((assignment, key, image), ""), word_of(label, answer, asked[key])
        if all(pair):
            found.setdefault(key, {}).setdefault(grader, []).append(pair)
    return found


def _drawings_twice(study: Study, recipe: Recipe) -> dict[int, dict[str, Consistency]]:
    """By grader and target, from the latest report."""
    if all(target.kind is Kind.LABEL for target in recipe.targets):
        return {}
    report = latest_report(study)
    if report is None:
        return {}
    graders = {letter: grader for grader, letter in letters_of(study).items()}
    found: dict[int, dict[str, Consistency]] = {}
    for key, letter, one in _figures(report):
        if letter in graders:
            found.setdefault(graders[letter], {})[key] = one
    return found


def _figures(report: AgreementReport) -> Iterator[tuple[str, str, Consistency]]:
    """Target, letter and figure."""
    for key, part in report.content["targets"].items():
        if part["kind"] not in FIGURES:
            continue
        name, measure = FIGURES[part["kind"]]
        for row in part.get("twice", []):
            for figure in row["figures"]:
                if figure["key"] == name and figure["value"] is not None:
                    value, low, high = (_number(figure[column]) for column in ("value", "low", "high"))
                    at = report.created_at
                    yield key, row["grader"], Consistency(key, measure, figure["n"], value, low, high, measured_at=at)


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def measured_at(repeats: Sequence[OwnRepeats]) -> datetime | None:
    """When the drawings among them were compared; None where there are none."""
    known = (one.measured_at for own in repeats for one in own.alike if one.measured_at is not None)
    return next(known, None)


def read_since(at: datetime, graders: Sequence[int]) -> int:
    """How many cases they have read for the second time after that."""
    return readings_again().filter(assignment__grader__in=graders, submitted_at__gt=at).count()
