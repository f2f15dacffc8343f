"""Rounds begin, get their dates, are closed and opened again. In a closed one nothing is submitted or taken back."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Round, Study, User
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


@transaction.atomic
def begin_round(*, study: Study, opens: datetime | None, closes: datetime | None, actor: User) -> Round:
    """A further main round, for the cases that no earlier one has: what has begun goes on as it is."""
    Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who begin one take turns
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed."))
    latest = study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
    if not latest.assignments.exists():
        raise Conflict("round_empty", _("The latest round has no assignments yet; go on in it."))
    _check_dates(opens, closes)
    number = (study.rounds.aggregate(last=Max("number"))["last"] or 0) + 1
    round = Round.objects.create(study=study, number=number, opens=opens, closes=closes)
    after = {"round": number, "opens": opens, "closes": closes}
    record(action="round.begun", actor=actor, study=study, subject=round.public_id, after=after)
    return round


@transaction.atomic
def date_round(*, round: Round, opens: datetime | None, closes: datetime | None, actor: User) -> Round:
    """When the round opens, and by when it must be read."""
    round = _held(round)
    _check_dates(opens, closes)
    if round.opens is not None and round.opens <= timezone.now() and opens != round.opens:
        raise DomainError("round_begun", _("The round has begun; its beginning stays as it is."), field="opens")
    return _changed(round, actor, "round.dated", opens=opens, closes=closes)


def _check_dates(opens: datetime | None, closes: datetime | None) -> None:
    if closes is not None and closes <= (opens or timezone.now()):
        message = _("It must close after it opens, and not in the past.")
        raise DomainError("bad_dates", message, field="closes")


def _held(round: Round) -> Round:
    return Round.objects.select_for_update(of=("self",)).select_related("study").get(pk=round.pk)


def _go_along(round: Round, before: Mapping[str, object], fields: Mapping[str, object]) -> list[int]:
    """Numbers of the rounds that change with a main round: those in which others read what a removed grader had, as
    long as nobody gave them dates of their own. Cases that stay open when the others close would tell what they are."""
    if round.kind != Round.Kind.MAIN:
        return []
    same = Round.objects.filter(study=round.study_id, kind=Round.Kind.REGRADE, number__gt=round.number, **before)
    later = Round.objects.filter(study=round.study_id, kind=Round.Kind.MAIN, number__gt=round.number)
    first_later = later.order_by("number").values_list("number", flat=True).first()
    same = same.filter(number__lt=first_later) if first_later is not None else same
    numbers = list(same.order_by("number").values_list("number", flat=True))
    same.update(**fields)
    return numbers


def _changed(round: Round, actor: User, action: str, **fields: object) -> Round:
    before = {name: getattr(round, name) for name in fields}
    for name, value in fields.items():
        setattr(round, name, value)
    round.save(update_fields=list(fields))
    after = {"round": round.number, **fields}
    if along := _go_along(round, before, fields):
        after["along"] = along
    record(action=action, actor=actor, study=round.study, subject=round.public_id, before=before, after=after)
    return round
