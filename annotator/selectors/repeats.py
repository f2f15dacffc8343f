"""What graders have been shown twice, for those who look after a study. Graders' own pages know nothing of it."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotator.models import Assignment, Membership, Reading, Role, Round, Study

OPEN = (Assignment.State.WAITING, Assignment.State.STARTED)


@dataclass(frozen=True)
class Repeats:
    """Of one grader: cases read for the first time, those shown again, and those read again."""

    member: Membership
    read: int
    shown: int
    done: int


def first_readings(study: Study) -> QuerySet[Reading]:
    """In force and made here, in the order of their submission."""
    rows = Reading.objects.filter(
        assignment__grader__study=study,
        assignment__round__kind=Round.Kind.MAIN,
        assignment__repeat_of=None,
        assignment__state=Assignment.State.SUBMITTED,
        withdrawn_at=None,
        set_aside_at=None,
        annotation_import=None,
    )
    return rows.order_by("submitted_at", "pk")


def repeats_by_grader(study: Study) -> list[Repeats]:
    own = Q(assignments__repeat_of__isnull=False)
    rows = (
        Membership.objects.filter(study=study, role=Role.GRADER)
        .select_related("user")
        .annotate(
            shown=Count("assignments", filter=own & ~Q(assignments__state=Assignment.State.WITHDRAWN)),
            done=Count("assignments", filter=own & Q(assignments__state=Assignment.State.SUBMITTED)),
        )
    )
    counted = first_readings(study).order_by().values("assignment__grader").annotate(count=Count("pk"))
    read = {row["assignment__grader"]: row["count"] for row in counted}
    found = [Repeats(row, read.get(row.pk, 0), row.shown, row.done) for row in rows]
    found.sort(key=lambda one: (len(one.member.code), one.member.code))
    return [one for one in found if one.read or one.shown]
