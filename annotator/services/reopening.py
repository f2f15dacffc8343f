"""What a consensus run has used is held fast; only an organiser gives it back to its grader, with a reason."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, Reading, User
from annotator.services.audit import record
from annotator.services.readings import locked_assignment
from annotator.services.submission import take_back

LONGEST_REASON = 2000


def mark_used(*, readings: Sequence[Reading]) -> None:
    """Called by a consensus run in its own transaction, for the readings it takes in. A reading that was taken back in
    the meantime cannot be used; one that was used before stays marked by its first use."""
    now = timezone.now()
    wanted = {reading.pk for reading in readings}
    with transaction.atomic():
        in_force = Reading.objects.select_for_update().filter(pk__in=wanted, withdrawn_at=None)
        if in_force.count() != len(wanted):
            raise Conflict("reading_withdrawn", _("A reading was taken back in the meantime. Run it again."))
        in_force.filter(used_at=None).update(used_at=now)


@transaction.atomic
def reopen_reading(*, assignment: Assignment, actor: User, reason: str) -> Reading:
    """Give the reading in force back to its grader, who goes on from it. It stays on record as it was."""
    reason = reason.strip()
    if not reason:
        raise DomainError("reason_missing", _("Give a reason; it is kept in the log."), field="reason")
    if len(reason) > LONGEST_REASON:
        raise DomainError(
            "too_long", _("Use at most %(count)s characters.") % {"count": LONGEST_REASON}, field="reason"
        )
    held = locked_assignment(assignment.pk)
    reading = take_back(held, timezone.now(), even_if_used=True)
    if reading.set_aside_at is not None:
        raise Conflict("set_aside", _("This reading was set aside and takes part in nothing; it stays as it is."))
    before = {"number": reading.number, "digest": reading.digest, "used": reading.used_at is not None}
    study = held.grader.study
    after = {"reason": reason}
    record(action="reading.reopened", actor=actor, study=study, subject=held.public_id, before=before, after=after)
    return reading
