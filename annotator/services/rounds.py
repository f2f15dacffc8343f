"""Closing a round and opening it again: in a closed one nothing is submitted, and nothing taken back."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Round, User
from annotator.selectors.workbench import is_open
from annotator.services.audit import record


@transaction.atomic
def close_round(*, round: Round, actor: User) -> Round:
    round, now = _held(round), timezone.now()
    if round.opens is not None and now <= round.opens:
        raise Conflict("round_not_begun", _("This round has not begun."))
    if not is_open(round, now):
        raise Conflict("round_closed", _("This round is closed already."))
    return _changed(round, actor, "round.closed", closes=now)


@transaction.atomic
def reopen_round(*, round: Round, actor: User) -> Round:
    """Without an end: the organiser closes it again."""
    round, now = _held(round), timezone.now()
    if round.closes is None or now < round.closes:
        raise Conflict("round_open", _("This round is not closed."))
    return _changed(round, actor, "round.reopened", closes=None)


def _held(round: Round) -> Round:
    return Round.objects.select_for_update(of=("self",)).select_related("study").get(pk=round.pk)


def _changed(round: Round, actor: User, action: str, **fields: object) -> Round:
    before = {"closes": round.closes}
    for name, value in fields.items():
        setattr(round, name, value)
    round.save(update_fields=list(fields))
    after = {"round": round.number, "closes": round.closes}
    record(action=action, actor=actor, study=round.study, subject=round.public_id, before=before, after=after)
    return round
