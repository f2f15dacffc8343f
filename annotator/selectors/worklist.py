"""A grader's worklist of one study: own cases in own order, how far they are, and how long today took."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum

from annotator import access
from annotator.models import Assignment, Draft, Flag, Reading, Study
from annotator.selectors.flags import IS_FLAGGED
from annotator.selectors.turn import DONE, SKIPPED
from annotator.selectors.work import own_cases

if TYPE_CHECKING:
    from annotator.access import Person

LONGEST_GAP = timedelta(seconds=30)  # the reading page counts pauses up to here too


@dataclass(frozen=True)
class Counts:
    total: int
    submitted: int
    skipped: int
    flagged: int

    @property
    def left(self) -> int:
        return self.total - self.submitted

    def shown(self, show: str) -> int:
        """How many `worklist_cases` gives for the same word."""
        counted = {"unread": self.left, "skipped": self.skipped, "flagged": self.flagged, "submitted": self.submitted}
        return counted.get(show, self.total)


@dataclass(frozen=True)
class FlagMark:
    """What a case's flags say at a glance."""

    waits: bool
    answered: bool  # and the answer has not been seen


@dataclass(frozen=True)
class Today:
    submitted: int
    active_ms: int


def worklist_cases(user: "Person", study: Study, *, show: str = "") -> QuerySet[Assignment]:
    """In the own order, whatever is shown of them; nothing before the study is opened."""
    own = own_cases(user, study)
    if study.state == Study.State.SETUP:
        return own.none()
    narrowed = {
        "unread": own.exclude(DONE),
        "skipped": own.filter(SKIPPED).exclude(DONE),
        "flagged": own.filter(IS_FLAGGED),
        "submitted": own.filter(DONE),
    }
    return narrowed.get(show, own)


def worklist_counts(user: "Person", study: Study) -> Counts:
    own = worklist_cases(user, study).order_by()
    counted = own.aggregate(
        total=Count("pk"),
        submitted=Count("pk", filter=DONE),
        skipped=Count("pk", filter=SKIPPED & ~DONE),
        flagged=Count("pk", filter=IS_FLAGGED),
    )
    return Counts(**counted)


def flag_marks(assignments: Sequence[Assignment]) -> dict[int, FlagMark]:
    """By assignment, for those that are flagged; one query."""
    rows = Flag.objects.filter(assignment__in=[assignment.pk for assignment in assignments])
    marks: dict[int, FlagMark] = {}
    for pk, closed_at, seen_at in rows.values_list("assignment", "closed_at", "seen_at"):
        former = marks.get(pk, FlagMark(waits=False, answered=False))
        waits, answered = closed_at is None, closed_at is not None and seen_at is None
        marks[pk] = FlagMark(former.waits or waits, former.answered or answered)
    return marks


def today(user: "Person", study: Study, *, since: datetime) -> Today:
    """Work in the study since the grader's midnight: the active time of all readings submitted since then, also of
    those taken back, and of unsent work as much as its saving shows."""
    own = access.assignments_of(user).filter(grader__study=study)
    readings = Reading.objects.filter(assignment__in=own, submitted_at__gte=since)
    summed = readings.aggregate(ms=Sum("active_ms"))["ms"] or 0
    submitted = readings.filter(withdrawn_at=None).count()
    return Today(submitted, summed + _unsent_ms(own, since))


def _unsent_ms(own: QuerySet[Assignment], since: datetime) -> int:
    """Of the moments at which a case was opened and its answers were last saved."""
    begun = own.filter(state=Assignment.State.STARTED)
    fresh = begun.filter(~Exists(Reading.objects.filter(assignment=OuterRef("pk"))), opened_at__gte=since)
    moments: dict[int, list[datetime]] = {pk: [opened] for pk, opened in fresh.values_list("pk", "opened_at") if opened}
    saved = Draft.objects.filter(assignment__in=begun, content__isnull=False, saved_at__gte=since)
    for pk, at in saved.values_list("assignment", "saved_at"):
        moments.setdefault(pk, []).append(at)
    return sum(active_ms(of_case) for of_case in moments.values())


def active_ms(moments: Sequence[datetime]) -> int:
    """Time between the moments; a gap counts up to half a minute."""
    ordered = sorted(moments)
    gaps = (min(later - earlier, LONGEST_GAP) for earlier, later in itertools.pairwise(ordered))
    return sum(gap // timedelta(milliseconds=1) for gap in gaps)
