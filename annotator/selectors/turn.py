"""Whose turn it is: which of a grader's cases is offered next, everywhere by the same rule."""

from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.utils import timezone

from annotator.models import Assignment

DONE = Q(state=Assignment.State.SUBMITTED)
SKIPPED = Q(skipped_at__isnull=False)
IN_TURN = (ExpressionWrapper(SKIPPED, output_field=BooleanField()).asc(), "round__number", "position")


def to_be_read(own: QuerySet[Assignment], now: datetime | None = None) -> QuerySet[Assignment]:
    """What can be read now, in the grader's own order but with skipped cases after all others; of open rounds only."""
    now = now or timezone.now()
    begun = Q(round__opens=None) | Q(round__opens__lte=now)
    unended = Q(round__closes=None) | Q(round__closes__gt=now)
    return own.filter(begun, unended).exclude(DONE).order_by(*IN_TURN)


def next_in_turn(own: QuerySet[Assignment], here: Assignment) -> str | None:
    """From here on and then from the start; among skipped ones only when nothing else is left."""
    later = Q(round__number__gt=here.round.number) | Q(round=here.round_id, position__gt=here.position)
    others = to_be_read(own).exclude(pk=here.pk).values_list("public_id", flat=True)
    for rows in (others.exclude(SKIPPED), others.filter(SKIPPED)):
        found = rows.filter(later).first() or rows.first()
        if found is not None:
            return found
    return None
