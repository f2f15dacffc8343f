"""Who may be given cases, where a study is only for those who passed an exam."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Membership, Study, User
from annotator.services.audit import record

LONGEST_WORDS = 500


@transaction.atomic
def ask_for_qualification(*, study: Study, asked: bool, actor: User, reason: str = "") -> None:
    """From now on only those who qualified are given cases, or everybody again. What is assigned stays assigned."""
    held = Study.objects.select_for_update().get(pk=study.pk)
    if held.only_qualified == asked:
        return
    reason = reason.strip()
    if not asked and not reason:
        raise DomainError("reason_missing", _("Give a reason; it is kept in the log."), field="reason")
    held.only_qualified = study.only_qualified = asked
    held.save(update_fields=["only_qualified"])
    after = {"only_qualified": asked, "reason": reason[:LONGEST_WORDS]}
    record(action="study.qualification", actor=actor, study=study, subject=study.public_id, after=after)


@transaction.atomic
def qualify(*, membership: Membership, words: str, actor: User) -> Membership:
    """`words` say by what: the exam and its marks, or why none is needed."""
    words = words.strip()
    if not words:
        raise DomainError("reason_missing", _("Say why this person needs no exam; it is kept."), field="reason")
    if len(words) > LONGEST_WORDS:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_WORDS}
        raise DomainError("too_long", message, field="reason")
    held = Membership.objects.select_for_update(of=("self",)).select_related("study").get(pk=membership.pk)
    if not held.active:
        raise Conflict("not_active", _("This person has already left the study."))
    if held.qualified_at is not None:
        raise Conflict("qualified", _("This person is qualified already."))
    held.qualified_at, held.qualification = timezone.now(), words
    held.save(update_fields=["qualified_at", "qualification"])
    record(action="member.qualified", actor=actor, study=held.study, subject=held.code, after={"reason": words})
    return held
