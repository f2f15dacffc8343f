"""Alerts of a study: which stand, and from when on final labels count towards the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, QuerySet

from annotator.models import Study
from consensus.models import Alert


def alerts_of(study: Study) -> QuerySet[Alert]:
    """The latest first."""
    return Alert.objects.filter(grader__study=study).select_related("grader__user", "closed_by")


def open_alerts(study: Study) -> QuerySet[Alert]:
    return alerts_of(study).filter(closed_at=None)


@dataclass(frozen=True)
class OpenAlerts:
    """How many stand, and the grader (public id) if all are about one."""

    count: int
    grader: str | None


def open_by_study(studies: Sequence[int]) -> dict[int, OpenAlerts]:
    """By study (row number), where there is any. About somebody who was removed or has left nothing is to be done."""
    still_read = Alert.objects.filter(grader__study__in=studies, grader__active=True, closed_at=None)
    rows = still_read.order_by().values("grader__study")
    found = rows.annotate(alerts=Count("pk"), first=Min("grader__public_id"), last=Max("grader__public_id"))
    return {
        row["grader__study"]: OpenAlerts(row["alerts"], row["first"] if row["first"] == row["last"] else None)
        for row in found
    }


def counting_since(graders: Sequence[int]) -> dict[tuple[int, str], datetime]:
    """By grader and limit: when an organiser last closed an alert. What was final before is dealt with."""
    rows = Alert.objects.filter(grader__in=graders, closed_at__isnull=False).order_by()
    closed = rows.values_list("grader", "target", "measure").annotate(last=Max("closed_at"))
    return {(grader, f"{target}:{measure}"): last for grader, target, measure, last in closed}
