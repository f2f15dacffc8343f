"""Flags: a grader asks the organiser about a case, the organiser answers or closes, the grader sees it."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import Assignment, Flag, Study, User
from annotator.services.audit import record

LONGEST = 2000


def raise_flag(*, assignment: Assignment, actor: User, comment: str) -> Flag:
    """Also about a submitted case and in a round that has ended: a question changes nothing."""
    comment = _checked(comment, field="comment")
    if not comment:
        raise DomainError("comment_missing", _("Say what the organiser should look at."), field="comment")
    if assignment.grader.user_id != actor.pk or not assignment.grader.active:
        raise Forbidden("not_yours", _("This case is not assigned to you."))
    study = assignment.grader.study
    if study.state != Study.State.READING:
        raise Conflict("study_not_reading", _("The study is not open for reading."))
    try:
        with transaction.atomic():
            flag = Flag.objects.create(assignment=assignment, comment=comment, raised_at=timezone.now())
            after = {"comment": comment}
            record(action="flag.raised", actor=actor, study=study, subject=assignment.public_id, after=after)
    except IntegrityError:
        message = _("You have flagged this case already; the organiser has not answered yet.")
        raise Conflict("already_flagged", message) from None
    return flag


@transaction.atomic
def close_flag(*, flag: Flag, actor: User, answer: str) -> Flag:
    """With an answer to its author, or without a word."""
    answer = _checked(answer, field="answer")
    now = timezone.now()
    if not Flag.objects.filter(pk=flag.pk, closed_at=None).update(answer=answer, closed_at=now, closed_by=actor):
        raise Conflict("not_open", _("This flag has been closed already."))
    flag = Flag.objects.select_related("assignment__grader__study").get(pk=flag.pk)
    record(
        action="flag.answered" if answer else "flag.closed",
        actor=actor,
        study=flag.assignment.grader.study,
        subject=flag.assignment.public_id,
        before={"comment": flag.comment},
        after={"answer": answer} if answer else None,
    )
    return flag


def see_answers(*, assignment: Assignment) -> None:
    """The grader has read what came back; that is a reader's mark and no event."""
    Flag.objects.filter(assignment=assignment, closed_at__isnull=False, seen_at=None).update(seen_at=timezone.now())


def _checked(text: str, *, field: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST:
        raise DomainError("too_long", _("Use at most %(count)s characters.") % {"count": LONGEST}, field=field)
    return text
