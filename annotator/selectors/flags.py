"""Flags as their author and as the organiser sees them."""

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, QuerySet

from annotator import access
from annotator.models import Assignment, Flag, Study

if TYPE_CHECKING:
    from annotator.access import Person

OPEN, CLOSED = "open", "closed"
IS_FLAGGED = Exists(Flag.objects.filter(assignment=OuterRef("pk")))


def study_flags(user: "Person", study: Study, *, state: str = "") -> QuerySet[Flag]:
    """Open ones first by age, because the oldest has waited longest; closed ones the latest first."""
    related = ("assignment__grader__user", "assignment__case")
    flags = access.flags_managed_by(user).filter(assignment__grader__study=study).select_related(*related)
    flags = flags.defer("assignment__grader__study").prefetch_related("assignment__case__case_images__image__eye")
    if state == OPEN:
        return flags.filter(closed_at=None).order_by("raised_at", "pk")
    if state == CLOSED:
        return flags.filter(closed_at__isnull=False).order_by("-closed_at", "-pk")
    return flags.order_by("-raised_at", "-pk")


def flags_of(assignment: Assignment) -> list[Flag]:
    """One grader's own about one case, the latest first."""
    return list(Flag.objects.filter(assignment=assignment).order_by("-raised_at", "-pk"))


def unseen_answers(user: "Person", study: Study) -> QuerySet[Flag]:
    """What came back and has not been looked at."""
    own = access.flags_of_own_cases(user).filter(assignment__grader__study=study)
    closed = own.filter(closed_at__isnull=False, seen_at=None)
    return closed.select_related("assignment").order_by("closed_at", "pk")
