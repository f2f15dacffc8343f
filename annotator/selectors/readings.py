"""Readings in force and rounds, as an organiser looks after them."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from annotator.models import Assignment, Reading, Round, Study
from annotator.selectors.studies import Progress
from annotator.selectors.workbench import is_open


@dataclass(frozen=True)
class RoundStanding:
    round: Round
    is_open: bool
    has_begun: bool
    progress: Progress


def readings_in_force(
    study: Study, *, grader: str = "", with_comment: bool = False, case: int | None = None
) -> QuerySet[Reading]:
    """The latest first; `grader` is a membership code."""
    rows = Reading.objects.filter(assignment__round__study=study, withdrawn_at=None)
    rows = rows.select_related("assignment__grader__user", "assignment__case", "annotation_import")
    rows = rows.defer("assignment__grader__study")
    if grader:
        rows = rows.filter(assignment__grader__code=grader)
    if with_comment:
        rows = rows.exclude(comment="")
    if case is not None:
        rows = rows.filter(assignment__case__number=case)
    return rows.order_by(F("submitted_at").desc(), "-pk")


def round_standings(study: Study) -> list[RoundStanding]:
    now = timezone.now()
    rows = Round.objects.filter(study=study).annotate(
        total=Count("assignments", filter=~Q(assignments__state=Assignment.State.WITHDRAWN)),
        done=Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED)),
    )
    return [
        RoundStanding(row, is_open(row, now), row.opens is None or row.opens <= now, Progress(row.done, row.total))
        for row in rows.order_by("number")
    ]
