"""Which readings take part in a consensus, and which cases have all of theirs."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.models import Assignment, Reading, Round
from annotator.selectors.regrading import set_aside
from consensus.models import Seat

FUSED_ROUNDS = (Round.Kind.MAIN, Round.Kind.REGRADE, Round.Kind.SEND_BACK)
COUNTED = Q(round__kind__in=FUSED_ROUNDS, repeat_of=None)


def readings_taking_part() -> QuerySet[Reading]:
    """Of each grader the latest reading of a case that is in force and was not set aside; never a hidden repeat."""
    in_force = Reading.objects.filter(
        withdrawn_at=None,
        set_aside_at=None,
        assignment__state=Assignment.State.SUBMITTED,
        assignment__round__kind__in=FUSED_ROUNDS,
        assignment__repeat_of=None,
    )
    later = in_force.filter(
        assignment__grader=OuterRef("assignment__grader"), assignment__case=OuterRef("assignment__case")
    )
    return in_force.filter(~Exists(later.filter(pk__gt=OuterRef("pk"))))


def _submitted() -> QuerySet[Reading]:
    return Reading.objects.filter(withdrawn_at=None, set_aside_at=None, assignment__state=Assignment.State.SUBMITTED)


def readings_again() -> QuerySet[Reading]:
    """Hidden repeats whose first reading is in force like themselves. Whoever has discussed a case with others knows
    more than was in the picture, so that a repeat after it counts no longer."""
    first = Exists(_submitted().filter(assignment=OuterRef("assignment__repeat_of")))
    discussed = Seat.objects.filter(
        grader=OuterRef("assignment__grader"),
        discussion__reference__case=OuterRef("assignment__case"),
        discussion__opened_at__lt=OuterRef("submitted_at"),
    )
    return _submitted().filter(first, ~Exists(discussed), assignment__repeat_of__isnull=False)


def readings_twice() -> QuerySet[Reading]:
    """Hidden repeats and the first readings that they repeat."""
    again = Exists(readings_again().filter(assignment__repeat_of=OuterRef("assignment")))
    return _submitted().filter(Q(pk__in=readings_again().values("pk")) | Q(again))


def readings_awaited() -> QuerySet[Assignment]:
    """What graders still have to submit before a case can be fused; somebody who has left will submit nothing more, and
    what was set aside stays so when it is sent in anew."""
    done = (Assignment.State.SUBMITTED, Assignment.State.WITHDRAWN)
    waited_for = Assignment.objects.filter(COUNTED, ~Exists(set_aside()), grader__active=True)
    return waited_for.exclude(state__in=done)
