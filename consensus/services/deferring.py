"""A case is put off: it stays open and says why."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Case, User
from annotator.services.audit import record
from consensus.services.deciding import LONGEST_NOTE
from consensus.services.leases import held_review, refuse_held_elsewhere


@transaction.atomic
def defer_case(*, case: Case, actor: User, tab: str, note: str) -> None:
    if len(note) > LONGEST_NOTE:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_NOTE}
        raise DomainError("too_long", message, field="note")
    review, now = held_review(case), timezone.now()
    refuse_held_elsewhere(review, actor, tab, now)
    review.deferred_at, review.deferred_by, review.deferred_note = now, actor, note.strip()
    review.save(update_fields=["deferred_at", "deferred_by", "deferred_note"])
    after = {"case": case.number, "note": review.deferred_note}
    record(action="case.deferred", actor=actor, study=case.study, subject=case.public_id, after=after)
