"""Who has cases to read, by when, and who has not read for long."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q

from annotator.models import Assignment, Membership, Reading, Role, Study
from annotator.selectors.turn import to_be_read

REST = timedelta(days=4)  # between two reminders
AHEAD = timedelta(days=7)  # before a round ends
PAUSE = timedelta(days=7)  # without a reading


@dataclass(frozen=True)
class Standing:
    """What one grader can read now, and when the first of these rounds ends."""

    left: int
    closes: datetime | None

    def days_left(self, now: datetime) -> int | None:
        """Whole days; 0 on the last."""
        return None if self.closes is None else max(0, (self.closes - now).days)


def standing_of(member: Membership, now: datetime) -> Standing:
    if member.study.state != Study.State.READING:
        return Standing(0, None)
    own = Assignment.objects.filter(grader=member).exclude(state=Assignment.State.WITHDRAWN)
    found = to_be_read(own, now).order_by().aggregate(left=Count("pk"), closes=Min("round__closes"))
    return Standing(found["left"], found["closes"])


def reminders_due(now: datetime) -> list[Membership]:
    """Graders with something to read whose round ends within a week, or who have not read for one."""
    rested = Q(reminded_at=None) | Q(reminded_at__lte=now - REST)
    graders = Membership.objects.filter(
        rested, role=Role.GRADER, active=True, user__is_active=True, study__state=Study.State.READING
    ).select_related("user", "study")
    latest = dict(
        Reading.objects.filter(assignment__grader__in=graders)
        .order_by()
        .values_list("assignment__grader")
        .annotate(Max("submitted_at"))
    )
    due = []
    for member in graders.order_by("pk"):
        standing = standing_of(member, now)
        ends_soon = standing.closes is not None and standing.closes <= now + AHEAD
        paused = (latest.get(member.pk) or member.joined_at) <= now - PAUSE
        if standing.left and (ends_soon or paused):
            due.append(member)
    return due
