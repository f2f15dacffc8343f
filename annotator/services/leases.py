"""One window at a time works on a case. Another one is told so and can take over; nothing is overwritten unseen."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Assignment, User
from annotator.selectors.workbench import Lease, author_of, lease_of
from annotator.services.opening import start_reading
from annotator.services.readings import locked_assignment, refuse_unless_open

LEASE = timedelta(seconds=60)
FRESH = timedelta(seconds=5)


def take_lease(*, assignment: Assignment, actor: User, tab: str, take_over: bool) -> Lease:
    """Open the case in this window. The first time this is the moment the reading began."""
    with transaction.atomic():
        held = locked_assignment(assignment.pk)
        now = timezone.now()
        refuse_unless_open(held, actor, now)
        if not take_over:
            refuse_held_elsewhere(held, tab, now)
        renew_lease(held, tab, now)
        start_reading(assignment=held, actor=actor)
    return lease_of(held, tab, now)


def release_lease(*, assignment: Assignment, tab: str) -> None:
    """The window is closed: the next one need not wait until the lease has run out. Another window's stays."""
    own = Assignment.objects.filter(pk=assignment.pk, lease_holder=tab)
    own.update(lease_holder="", lease_until=None)


def refuse_held_elsewhere(assignment: Assignment, tab: str, now: datetime) -> None:
    """A lease that has run out is nobody's: whoever works next has it."""
    lease = lease_of(assignment, tab, now)
    if lease.until is not None and not lease.mine:
        message = _("This case is open in another window. Take over here to go on.")
        raise Conflict("held_elsewhere", message)


def renew_lease(assignment: Assignment, tab: str, now: datetime) -> None:
    """Counted from now, give or take the few seconds within which a stream of changes need not write it again."""
    until = assignment.lease_until
    if assignment.lease_holder == tab and until is not None and until - now > LEASE - FRESH:
        return
    assignment.lease_holder, assignment.lease_until = tab, now + LEASE
    Assignment.objects.filter(pk=assignment.pk).update(lease_holder=tab, lease_until=assignment.lease_until)


def refuse_other_author(actor: User, author: str) -> None:
    """On a shared computer the work of one person must not be sent in the name of the next who signs in."""
    if author != author_of(actor):
        raise Conflict("other_author", _("This change was made by somebody else who was signed in on this computer."))
