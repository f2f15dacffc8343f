"""Hidden repeats: cases that come back to the grader who has read them, under another id.

They are drawn as they fall due. A repeat takes the place of a case that was not begun yet, which moves to the end of
the list: nothing that has begun moves, and the repeat lies among other cases. Whoever compares the list with that of
yesterday would find it by its new address; so the addresses of others that nobody has looked at change with it.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.ids import new_public_id
from annotator.mirrored import may_be_mirrored
from annotator.models import Assignment, Flag, Membership, Role, Round, Study, User
from annotator.repeat_plan import Again, shown_again
from annotator.selectors.recipes import recipe_of
from annotator.selectors.repeats import first_readings
from annotator.selectors.turn import next_position
from annotator.selectors.workbench import is_open
from annotator.services.assignments import main_round
from annotator.services.audit import record

NEAR = 3  # cases at the front of the list and after the one opened last: a window may have fetched them ahead
MOST_RENAMED = 150  # cases that get another address along with repeats; a grader may have thousands


def draw_everywhere() -> int:
    """In all studies that are being read and ask for repeats."""
    studies = Study.objects.filter(state=Study.State.READING, recipe__repeats__share__gt=0)
    return sum(draw_repeats(study=study, actor=None) for study in studies.order_by("pk"))


def draw_repeats(*, study: Study, actor: User | None, now: datetime | None = None) -> int:
    """How many cases come back by now, for all graders together. Drawn again at once, nothing more comes."""
    now = now or timezone.now()
    if recipe_of(study).repeats.share <= 0:
        raise Conflict("no_repeats", _("This study has no hidden repeats."))
    graders = Membership.objects.filter(study=study, role=Role.GRADER, active=True, user__is_active=True)
    return sum(_draw_for(study, grader, actor, now) for grader in graders.order_by("pk"))


@transaction.atomic
def _draw_for(study: Study, grader: Membership, actor: User | None, now: datetime) -> int:
    """The round's row is the lock, as when cases are assigned; one grader at a time, so that nobody waits long."""
    round = Round.objects.select_for_update(of=("self",)).select_related("study").get(pk=main_round(study).pk)
    if study.state != Study.State.READING or not is_open(round, now):
        return 0
    asked = recipe_of(study).repeats
    read = list(first_readings(study).filter(assignment__grader=grader).values_list("assignment", "submitted_at"))
    ripe = {pk for pk, at in read if at <= now - timedelta(days=asked.gap_days)}
    if not ripe:
        return 0
    others = Assignment.objects.filter(grader=grader).exclude(repeat_of=None)
    repeated = {first for first in others.values_list("repeat_of", flat=True) if first is not None}
    waiting = _waiting(round, grader)
    near = _near(round, grader, waiting)
    moving = [one.pk not in near and _may_move(one) for one in waiting]
    lots = _lots(f"{round.seed}:{grader.pk}:again:{len(repeated)}:{len(read)}")
    again = shown_again(
        read=[pk for pk, _at in read],
        ripe=ripe,
        repeated=repeated,
        waiting=moving,
        share=asked.share,
        gap=asked.gap_cases,
        lots=lots,
        turn=_lots(f"{round.seed}:{grader.pk}:turn").random(),
    )
    if again:
        moved = _place(round, grader, waiting, again, mirrored=asked.mirrored and may_be_mirrored(recipe_of(study)))
        unseen = [one.pk for one, moves in zip(waiting, moving, strict=True) if moves and one.pk not in moved]
        _rename([*moved, *lots.sample(unseen, min(len(unseen), MOST_RENAMED))])
        after = {"round": round.number, "count": len(again), "seed": round.seed}
        record(action="cases.shown_again", actor=actor, study=study, subject=grader.code, after=after)
    return len(again)


def _lots(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - an order to be made again, not a secret


def _waiting(round: Round, grader: Membership) -> list[Assignment]:
    """The grader's cases not yet begun, in order, each with whether it was asked about."""
    rows = Assignment.objects.filter(grader=grader, round=round, state=Assignment.State.WAITING)
    asked_about = Exists(Flag.objects.filter(assignment=OuterRef("pk")))
    return list(rows.annotate(asked_about=asked_about).order_by("position"))


def _near(round: Round, grader: Membership, waiting: Sequence[Assignment]) -> set[int]:
    opened = Assignment.objects.filter(grader=grader, round=round, opened_at__isnull=False).order_by("-opened_at")
    here = opened.values_list("position", flat=True).first() or 0
    following = [one.pk for one in waiting if one.position > here]
    return {*(one.pk for one in waiting[:NEAR]), *following[:NEAR]}


def _may_move(one: Assignment) -> bool:
    """Never seen, not put off, and no repeat itself; nothing in the log names it."""
    touched = one.opened_at or one.skipped_at or one.lease_until or one.comment or getattr(one, "asked_about")  # noqa: B009
    return not touched and one.repeat_of_id is None


def _place(
    round: Round, grader: Membership, waiting: Sequence[Assignment], again: Sequence[Again], *, mirrored: bool
) -> list[int]:
    """The cases whose places the repeats have taken."""
    last = next_position(grader.pk)
    firsts = Assignment.objects.in_bulk([one.first for one in again])
    places: dict[int, int] = {}
    moved: list[int] = []
    for end, one in enumerate(again, start=last):
        places[one.first] = end
        if one.slot < len(waiting):
            here = waiting[one.slot]
            places[one.first] = here.position
            Assignment.objects.filter(pk=here.pk).update(position=end)
            moved.append(here.pk)
    Assignment.objects.bulk_create(
        Assignment(
            grader=grader,
            case_id=firsts[one.first].case_id,
            round=round,
            repeat_of=firsts[one.first],
            mirrored=mirrored,
            position=places[one.first],
        )
        for one in again
    )
    return moved


def _rename(assignments: Sequence[int]) -> None:
    """Other addresses for cases that nobody has looked at; one that is opened at this moment keeps its own."""
    for pk in assignments:
        untouched = Assignment.objects.filter(pk=pk, state=Assignment.State.WAITING, opened_at=None)
        untouched.update(public_id=new_public_id())
