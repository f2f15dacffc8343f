"""Whose turn it is: which of a grader's cases is offered next, everywhere by the same rule."""

from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.utils import timezone

from annotator.models import Assignment

DONE = Q(state=Assignment.State.SUBMITTED)
SKIPPED = Q(skipped_at__isnull=False)
OWN_ORDER = ("round__number", "position")


def _no_before_yes(condition: Q) -> OrderBy:
    return ExpressionWrapper(condition, output_field=BooleanField()).asc()


def to_be_read(own: QuerySet[Assignment], now: datetime | None = None) -> QuerySet[Assignment]:
    """What can be read now, in the grader's own order but with skipped cases after all others; of open rounds only."""
    now = now or timezone.now()
    begun = Q(round__opens=None) | Q(round__opens__lte=now)
    unended = Q(round__closes=None) | Q(round__closes__gt=now)
    return own.filter(begun, unended).exclude(DONE).order_by(_no_before_yes(SKIPPED), *OWN_ORDER)


def up_to(own: QuerySet[Assignment], last: Assignment) -> QuerySet[Assignment]:
    """The grader's own cases as far as this one."""
    return own.filter(Q(round__number__lt=last.round.number) | Q(round=last.round_id, position__lte=last.position))


def next_in_turn(own: QuerySet[Assignment], here: Assignment) -> str | None:
    """From here on and then from the start; a skipped one only when nothing else is left."""
    earlier = Q(round__number__lt=here.round.number) | Q(round=here.round_id, position__lt=here.position)
    others = to_be_read(own).exclude(pk=here.pk).order_by(_no_before_yes(SKIPPED), _no_before_yes(earlier), *OWN_ORDER)
    return others.values_list("public_id", flat=True).first()
