"""How disputes of a study were settled, as its labels stand now: what was taken back does not count."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet

from annotator.models import Membership, Role, Study, User
from annotator.models import Target as TargetRow
from annotator.selectors.recipes import recipe_of
from consensus.models import Reference, ReferenceInput
from consensus.programme.adjudication import Decided, Settling, settling
from consensus.selectors.adjudication import LABELS_SHOWN, NOT_BLIND, adjudicated_keys, disputes
from consensus.selectors.monitoring import word_of
from consensus.selectors.standing import DEFERRED, OPEN, cases_with_standing
from protocols.targets import Target


@dataclass(frozen=True)
class LeftOpen:
    """Photographs that wait to be settled, and since when the one that waits longest."""

    count: int = 0
    since: datetime | None = None


@dataclass(frozen=True)
class TargetSettling:
    target: Target
    numbers: Settling
    left: LeftOpen = LeftOpen()


@dataclass(frozen=True)
class Board:
    targets: list[TargetSettling]
    graders: dict[int, Membership]
    adjudicators: dict[int, User]
    seats: dict[int, Membership]  # of the adjudicators, by person; a leaver keeps it


def settling_of(study: Study) -> Board:
    """Four queries for each adjudicated label."""
    recipe = recipe_of(study)
    rows = [
        TargetSettling(target, _of_target(study, target), _left_open(study, target))
        for target in map(recipe.target, adjudicated_keys(recipe))
    ]
    graders = {grader for row in rows for grader in row.numbers.followed}
    people = {person for row in rows for person in row.numbers.adjudicators}
    members = Membership.objects.filter(study=study, pk__in=graders).select_related("user")
    ordered = sorted(members, key=lambda one: (len(one.code), one.code))
    users = User.objects.filter(pk__in=people).order_by("name", "pk")
    seats = Membership.objects.filter(study=study, role=Role.ADJUDICATOR, user__in=people)
    return Board(
        rows,
        {one.pk: one for one in ordered},
        {one.pk: one for one in users},
        {one.user_id: one for one in seats},
    )


def _left_open(study: Study, target: Target) -> LeftOpen:
    """What an adjudicator could settle now; not what is read again or waits for a new vote."""
    here = cases_with_standing(study).filter(Q(standing__in=(OPEN, DEFERRED)))
    rows = disputes(study).filter(target__key=target.key, case__in=here.values("pk"))
    found = rows.aggregate(left=Count("pk"), since=Min("created_at"))
    return LeftOpen(found["left"], found["since"])


def _of_target(study: Study, target: Target) -> Settling:
    row = TargetRow.objects.get(study=study, key=target.key)
    heads = Reference.objects.filter(target=row, following__isnull=True).order_by("pk")
    final = [
        (pk, word, state)
        for pk, label, answer, state in heads.values_list("pk", "label", "answer", "state")
        if (word := word_of(label, answer, target))
    ]
    labels = {pk: word for pk, word, state in final if state == Reference.State.ADJUDICATED}
    said = _said(heads, target)
    settled = heads.filter(state=Reference.State.ADJUDICATED).select_related(
        *("previous", "restores", "restores__previous")
    )
    light = settled.defer(*(f"{way}{name}" for way in ("", "previous__", "restores__") for name in ("runs", "votes")))
    decided = [_decided(head, labels[head.pk], said.get(head.pk, {})) for head in light if head.pk in labels]
    return settling(len(final), decided)


def _decided(head: Reference, label: str, said: dict[int, str]) -> Decided:
    """Where taking another decision back brought this one again, it is still the adjudicator's, of its own time."""
    own = head.stands_for
    assert own.decided_by_id is not None
    assert own.decided_at is not None
    left_open = own.previous
    waited = (own.decided_at - left_open.created_at).total_seconds() if left_open is not None else None
    seen, shown = bool(own.measures.get(NOT_BLIND)), bool(own.measures.get(LABELS_SHOWN))
    return Decided(label, said, own.decided_by_id, blind=not seen, shown=shown, waited_seconds=waited)


def _said(heads: QuerySet[Reference], target: Target) -> dict[int, dict[int, str]]:
    """What counted when it was decided; readings that were left out took no part in the dispute."""
    rows = ReferenceInput.objects.filter(
        reference__in=heads.filter(state=Reference.State.ADJUDICATED).order_by().values("pk"), included=True
    )
    found: dict[int, dict[int, str]] = {}
    values = rows.order_by("revision_id").values_list(
        "reference_id", "revision__reading__assignment__grader", "revision__label", "revision__answer"
    )
    for reference, grader, label, answer in values:
        if word := word_of(label, answer, target):
            found.setdefault(reference, {})[grader] = word
    return found
