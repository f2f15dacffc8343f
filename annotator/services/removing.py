"""A grader's work is set aside and given to others, blind; and the same taken back.

Readings are kept, marked and left out of every consensus. What others read instead is a round of its own.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, Membership, Reading, Role, Round, Study, User
from annotator.selectors.regrading import OPEN, Regrading, open_work_of, plan_regrading, readings_of, surplus_of
from annotator.selectors.turn import next_position
from annotator.services.people import deactivate_member, reactivate_member

LONGEST_REASON = 2000


@dataclass(frozen=True)
class SetAside:
    """By row number, so that it can be taken back: readings, and assignments with the state that they had; and whether
    the grader was still there."""

    readings: list[int]
    withdrawn: dict[int, str]
    was_active: bool = True


def hold_assigning(study: Study) -> None:
    """Whoever assigns meanwhile waits: a case must not get the same place filled twice."""
    main = study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
    Round.objects.select_for_update(of=("self",)).only("pk").get(pk=main.pk)


@transaction.atomic
def set_grader_aside(*, grader: Membership, reason: str, actor: User) -> SetAside:
    """The grader loses access; every reading stays, marked."""
    reason = reason.strip()
    if not reason:
        raise DomainError("reason_missing", _("Give a reason; it is kept with every reading."), field="reason")
    if len(reason) > LONGEST_REASON:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_REASON}
        raise DomainError("too_long", message, field="reason")
    held = Membership.objects.select_for_update(of=("self",)).get(pk=grader.pk)
    if held.role != Role.GRADER:
        raise Conflict("no_grader", _("Only graders are removed with their readings."))
    readings = list(readings_of(held).values_list("pk", flat=True))
    withdrawn = dict(open_work_of(held).values_list("pk", "state"))
    Reading.objects.filter(pk__in=readings).update(
        set_aside_at=timezone.now(), set_aside_by=actor, set_aside_reason=reason
    )
    Assignment.objects.filter(pk__in=withdrawn).update(
        state=Assignment.State.WITHDRAWN, lease_holder="", lease_until=None
    )
    was_active = held.active
    if was_active:
        deactivate_member(membership=held, actor=actor)
    return SetAside(readings, withdrawn, was_active)


@transaction.atomic
def give_to_others(*, study: Study, cases: Sequence[int], without: Collection[int]) -> tuple[Round, Regrading]:
    """In a round of its own, so that nobody's order changes; at the end of each list and with the dates of the main
    round, so that neither a number nor a deadline tells these cases from others that came later."""
    number = (Round.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0) + 1
    round = Round.objects.create(study=study, kind=Round.Kind.REGRADE, number=number, **_dates(study))
    plan = plan_regrading(study=study, cases=cases, without=without, seed=round.seed)
    begin = {grader: next_position(grader) for grader in plan.new}
    Assignment.objects.bulk_create(
        (
            Assignment(grader_id=grader, case_id=case, round=round, position=position)
            for grader, mine in plan.new.items()
            for position, case in enumerate(mine, start=begin[grader])
        ),
        batch_size=500,
    )
    return round, plan


def _dates(study: Study) -> dict[str, datetime | None]:
    """None where the main round is over: the cases have to be read all the same."""
    main = study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
    if main.closes is not None and main.closes <= timezone.now():
        return {}
    return {"opens": main.opens, "closes": main.closes}


@transaction.atomic
def take_grader_back(
    *, grader: Membership, aside: SetAside, round: Round | None, cases: Collection[int], reason: str, actor: User
) -> SetAside:
    """What was set aside counts again; somebody who had left before does not come back by it. What others have not read
    yet is taken from them; what they have read in its place, in that round or since, is set aside in turn, and given
    back is what that was."""
    if aside.was_active and not grader.active:
        grader = reactivate_member(membership=grader, actor=actor)
    own = Assignment.objects.filter(readings__in=aside.readings)  # and what was sent in anew since
    counts = {"set_aside_at": None, "set_aside_by": None, "set_aside_reason": ""}
    Reading.objects.filter(assignment__in=own, set_aside_at__isnull=False).update(**counts)
    for state in set(aside.withdrawn.values()):
        keys = [key for key, before in aside.withdrawn.items() if before == state]
        Assignment.objects.filter(pk__in=keys, state=Assignment.State.WITHDRAWN).update(state=state)
    instead = list(Assignment.objects.filter(round=round).values_list("pk", flat=True)) if round is not None else []
    first = _take_away(instead, reason, actor)
    more = _take_away(surplus_of(cases, grader), reason, actor)
    return SetAside([*first.readings, *more.readings], first.withdrawn | more.withdrawn)


def _take_away(assignments: Sequence[int], reason: str, actor: User) -> SetAside:
    own = Assignment.objects.filter(pk__in=assignments)
    unread = dict(own.filter(state__in=OPEN).values_list("pk", "state"))
    read = Reading.objects.filter(assignment__in=own, withdrawn_at=None, set_aside_at=None)
    keys = list(read.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=unread).update(state=Assignment.State.WITHDRAWN, lease_holder="", lease_until=None)
    Reading.objects.filter(pk__in=keys).update(set_aside_at=timezone.now(), set_aside_by=actor, set_aside_reason=reason)
    return SetAside(keys, unread)
