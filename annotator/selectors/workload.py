"""How much is left to read, how fast it goes, and when it will be done at that pace."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from annotator.models import Assignment, Membership, Reading, Role, Round, Study

WINDOW = timedelta(days=14)
OPEN = (Assignment.State.WAITING, Assignment.State.STARTED)


@dataclass(frozen=True)
class Load:
    """Of one grader. `recent` readings were submitted within the window, over `days` days."""

    member: Membership
    left: int
    read: int
    recent: int
    days: float
    last_read: datetime | None

    @property
    def per_day(self) -> float:
        return self.recent / self.days if self.recent else 0.0

    @property
    def days_left(self) -> int | None:
        """None: at the present pace never."""
        return days_left(self.left, self.per_day)

    def done_on(self, today: date) -> date | None:
        return None if self.days_left is None else today + timedelta(days=self.days_left)

    def is_late(self, today: date, by: date | None) -> bool:
        """Whether a date is set and the pace does not meet it."""
        done = self.done_on(today)
        return bool(by and self.left and (done is None or done > by))


def to_be_read_by(study: Study) -> date | None:
    """When the latest round ends, if it does."""
    closes = study.rounds.filter(kind=Round.Kind.MAIN).latest("number").closes
    return timezone.localdate(closes) if closes else None


def days_left(left: int, per_day: float) -> int | None:
    """Whole days, none where nothing is left; None where nobody reads."""
    if not left:
        return 0
    return math.ceil(left / per_day) if per_day else None


def workload(study: Study) -> list[Load]:
    """Active graders, those who need longest first; two queries however many there are."""
    now = timezone.now()
    members = (
        Membership.objects.filter(study=study, role=Role.GRADER, active=True, user__is_active=True)
        .select_related("user")
        .annotate(
            left=Count("assignments", filter=Q(assignments__state__in=OPEN)),
            read=Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED)),
        )
        .order_by("pk")
    )
    paces = {
        row["assignment__grader"]: row
        for row in Reading.objects.filter(assignment__grader__study=study, withdrawn_at=None, annotation_import=None)
        .order_by()
        .values("assignment__grader")
        .annotate(
            recent=Count("pk", filter=Q(submitted_at__gt=now - WINDOW)),
            first=Min("submitted_at"),
            last=Max("submitted_at"),
        )
    }
    loads = [_load(member, paces.get(member.pk, {}), now) for member in members]
    return sorted(loads, key=lambda load: (load.days_left is not None, -(load.days_left or 0), load.member.pk))


def _load(member: Membership, pace: Mapping[str, Any], now: datetime) -> Load:
    """Somebody who began within the window is judged by the days since then, and by one at least."""
    since = min(now - pace["first"], WINDOW) if pace else WINDOW
    return Load(
        member=member,
        left=member.left,  # type: ignore[attr-defined]
        read=member.read,  # type: ignore[attr-defined]
        recent=pace.get("recent", 0),
        days=max(1.0, since / timedelta(days=1)),
        last_read=pace.get("last"),
    )
