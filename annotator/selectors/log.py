"""The log of one study as its organisers read it."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotator.models import AuditEvent, AuditHead, Job, Membership, Study, Target


@dataclass(frozen=True)
class LogNames:
    """What the identifiers in a page of events stand for."""

    members: dict[str, Membership]
    targets: dict[str, str]
    jobs: dict[str, Job]


def log_of(study: Study, *, action: str = "", actor: str = "") -> QuerySet[AuditEvent]:
    """Newest first; `actor` is a person's membership code or empty."""
    events = AuditEvent.objects.filter(chain=study.public_id).select_related("actor").order_by("-number")
    if action:
        events = events.filter(action=action)
    if actor:
        events = events.filter(actor__memberships__study=study, actor__memberships__code=actor)
    return events


def log_head(study: Study) -> AuditHead | None:
    return AuditHead.objects.filter(chain=study.public_id).first()


def log_actions(study: Study) -> list[str]:
    """The kinds of event that have happened in this study."""
    return list(
        AuditEvent.objects.filter(chain=study.public_id)
        .order_by("action")
        .values_list("action")
        .distinct()
        .values_list("action", flat=True)
    )


def log_people(study: Study) -> list[Membership]:
    """Everybody who is or was in the study; one row per person."""
    rows: dict[int, Membership] = {}
    for member in Membership.objects.filter(study=study).select_related("user").order_by("user__name", "pk"):
        rows.setdefault(member.user_id, member)
    return list(rows.values())


def log_names(study: Study, events: Any) -> LogNames:
    """Three queries for a whole page of events."""
    subjects = {event.subject for event in events}
    members = Membership.objects.filter(study=study, code__in=subjects).select_related("user")
    return LogNames(
        members={member.code: member for member in members},
        targets=dict(Target.objects.filter(study=study, key__in=subjects).values_list("key", "name")),
        jobs={job.public_id: job for job in Job.objects.filter(study=study, public_id__in=subjects)},
    )
