"""Whose turn it is: which of a grader's cases is offered next, everywhere by the same rule."""

from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper, Max, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.utils import timezone

from annotator.models import Assignment

DONE = Q(state=Assignment.State.SUBMITTED)
SKIPPED = Q(skipped_at__isnull=False)
OWN_ORDER = ("position", "pk")  # through all rounds: what comes later stands later, and no number ever changes


def _no_before_yes(condition: Q) -> OrderBy:
    return ExpressionWrapper(condition, output_field=BooleanField()).asc()


def to_be_read(own: QuerySet[Assignment], now: datetime | None = None) -> QuerySet[Assignment]:
    """What can be read now, in the grader's own order but with skipped cases after all others; of open rounds only."""
    now = now or timezone.now()
    begun = Q(round__opens=None) | Q(round__opens__lte=now)
    unended = Q(round__closes=None) | Q(round__closes__gt=now)
    return own.filter(begun, unended).exclude(DONE).order_by(_no_before_yes(SKIPPED), *OWN_ORDER)


def before(here: Assignment) -> Q:
    """What stands before this case in its grader's own order."""
    return Q(position__lt=here.position) | Q(position=here.position, pk__lt=here.pk)


def after(here: Assignment) -> Q:
    return Q(position__gt=here.position) | Q(position=here.position, pk__gt=here.pk)


def up_to(own: QuerySet[Assignment], last: Assignment) -> QuerySet[Assignment]:
    """The grader's own cases as far as this one."""
    return own.filter(before(last) | Q(pk=last.pk))


def next_position(grader: int) -> int:
    """Where a case that comes to a grader (membership) now stands: after all that this grader has, of whatever round.
    Numbers that began anew with each round would tell what was given for a reason of its own."""
    return (Assignment.objects.filter(grader=grader).aggregate(last=Max("position"))["last"] or 0) + 1


def next_in_turn(own: QuerySet[Assignment], here: Assignment) -> str | None:
    """From here on and then from the start; a skipped one only when nothing else is left."""
    earlier = _no_before_yes(before(here))
    others = to_be_read(own).exclude(pk=here.pk).order_by(_no_before_yes(SKIPPED), earlier, *OWN_ORDER)
    return others.values_list("public_id", flat=True).first()
