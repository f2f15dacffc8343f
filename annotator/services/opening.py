"""A grader opens a case."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Assignment, Study, User
from annotator.services.audit import record


def refuse_unopened(assignment: Assignment) -> None:
    """Cases are shown once the organiser has opened the study, and not before their round begins."""
    if assignment.grader.study.state == Study.State.SETUP:
        raise Conflict("study_not_reading", _("The study has not been opened for reading yet."))
    if assignment.round.opens and timezone.now() < assignment.round.opens:
        raise Conflict("round_closed", _("This round is not open."))


def start_reading(*, assignment: Assignment, actor: User) -> None:
    """Note the first look at a case; looking again changes nothing."""
    if assignment.state != Assignment.State.WAITING or assignment.grader.study.state != Study.State.READING:
        return
    now = timezone.now()
    with transaction.atomic():
        waiting = Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.WAITING)
        if waiting.update(state=Assignment.State.STARTED, opened_at=now):
            study = assignment.grader.study
            record(action="assignment.started", actor=actor, study=study, subject=assignment.public_id)
            assignment.state, assignment.opened_at = Assignment.State.STARTED, now


def note_fellow_seen(assignment: Assignment) -> None:
    """The other eye is sent only to be looked at, so sending it is the record, whatever becomes of the window."""
    if assignment.fellow_seen_at is None:
        Assignment.objects.filter(pk=assignment.pk, fellow_seen_at=None).update(fellow_seen_at=timezone.now())
