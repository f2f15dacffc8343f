"""Skip a case and come back to it: it is offered again when nothing else is left, and keeps its place in the order."""

from django.db import transaction
from django.utils import timezone

from annotator.models import Assignment, User
from annotator.services.audit import record
from annotator.services.drafts import refuse_submitted
from annotator.services.readings import locked_assignment, refuse_unless_open


@transaction.atomic
def skip_case(*, assignment: Assignment, actor: User, skip: bool) -> None:
    """Skipping what is skipped changes nothing. Unsent work stays where it is."""
    held, now = locked_assignment(assignment.pk), timezone.now()
    refuse_unless_open(held, actor, now)
    refuse_submitted(held)
    if skip == (held.skipped_at is not None):
        return
    Assignment.objects.filter(pk=held.pk).update(skipped_at=now if skip else None)
    action = "assignment.skipped" if skip else "assignment.unskipped"
    record(action=action, actor=actor, study=held.grader.study, subject=held.public_id)
