"""Cases whose graders agree well enough are accepted together; which ones is told before it happens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Case, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from consensus.models import CaseReview, ConsensusRun, Reference
from consensus.selectors.inputs import inputs_of
from consensus.selectors.standing import OPEN, cases_with_standing, is_voted
from consensus.services.fusing import CaseFusion, PlaceFusion, fuse_case
from consensus.services.letters import draw_letters
from consensus.services.runs import new_run
from consensus.services.signed_off import refuse_without_reason
from consensus.services.writing import CaseWrite, NewReference, automatic, unchanged_since, write_cases
from protocols.names import TieRule

CHUNK = 6
MOST_CASES = 300  # at once; what is left is offered again


@dataclass(frozen=True)
class Acceptable:
    """A case that would be accepted, and how far its graders agree where they agree least."""

    case: Case
    agreement: float
    targets: tuple[str, ...]


def acceptable_cases(*, study: Study, above: float, target: str = "") -> list[Acceptable]:
    """Open cases whose references are all agreed on this far: GCI, share of the largest label, nearness of points.

    With a target only its references count, and only they would be accepted. What the readings leave open never is.
    """
    if target and not any(one.key == target and is_voted(one) for one in recipe_of(study).targets):
        message = _("The study has no such target to decide about.")
        raise DomainError("unknown_target", message, field="target")
    ready = cases_with_standing(study).filter(Q(standing=OPEN), Q(review__until=None) | _lease_over())
    if not target:
        ready = ready.filter(review__disagreement__lte=1 - above)
    ids = list(ready.order_by("number").values_list("pk", flat=True))
    found: list[Acceptable] = []
    for start in range(0, len(ids), CHUNK):
        read = inputs_of(study, ids[start : start + CHUNK])
        letters = draw_letters(study=study)
        for inputs in read:
            places = _to_accept(fuse_case(inputs, letters), target)
            agreement = min((1 - place.standing.disagreement for place in places), default=0.0)
            if places and agreement >= above and all(_is_settled(place) for place in places):
                keys = tuple(sorted({place.place.row.key for place in places}))
                found.append(Acceptable(inputs.case, agreement, keys))
        if len(found) >= MOST_CASES:
            break
    return found[:MOST_CASES]


def _lease_over() -> Q:
    return Q(review__until__lte=timezone.now())


def _to_accept(fusion: CaseFusion, target: str) -> list[PlaceFusion]:
    """Open places of a case, or of one of its targets."""
    return [
        place
        for place in fusion.places.values()
        if place.place.latest is not None
        and not place.place.latest.decided
        and (not target or place.place.row.key == target)
    ]


def _is_settled(place: PlaceFusion) -> bool:
    tied = place.fused.measures.numbers.get("tied_px", 0) > 0 and place.place.asked.consensus.ties is TieRule.SENIOR
    return place.stored.answer != Reference.Answer.UNDECIDED and not tied


def accept_cases(
    *, study: Study, actor: User, above: float, target: str = "", only: Sequence[str] | None = None, reason: str = ""
) -> list[Acceptable]:
    """Accept those that qualify, of `only` these cases if given; the ones that were accepted."""
    reason = reason.strip()
    refuse_without_reason(study, reason)
    wanted = [
        one
        for one in acceptable_cases(study=study, above=above, target=target)
        if only is None or one.case.public_id in only
    ]
    accepted: list[Acceptable] = []
    run: ConsensusRun | None = None
    for start in range(0, len(wanted), CHUNK):
        chunk = {one.case.pk: one for one in wanted[start : start + CHUNK]}
        read = inputs_of(study, list(chunk))
        letters = draw_letters(study=study)
        writes = [_write(fuse_case(inputs, letters), target, actor, reason) for inputs in read]
        with transaction.atomic():
            current = unchanged_since(_free(writes))
            if not current:
                continue
            run = run or new_run(study=study, actor=actor, kind=ConsensusRun.Kind.CASE, cases=len(wanted))
            write_cases(run, current)
            numbers = [write.inputs.case.number for write in current]
            after = {"cases": numbers, "above": above, "target": target} | ({"reason": reason} if reason else {})
            record(action="cases.accepted", actor=actor, study=study, subject=run.public_id, after=after)
            accepted += [chunk[write.inputs.case.pk] for write in current]
    return accepted


def _free(writes: Sequence[CaseWrite]) -> list[CaseWrite]:
    """Those that no senior has open now."""
    cases: Mapping[int, CaseWrite] = {write.inputs.case.pk: write for write in writes}
    open_now = CaseReview.objects.filter(case__in=list(cases), until__gt=timezone.now())
    held = set(open_now.values_list("case_id", flat=True))
    return [write for pk, write in cases.items() if pk not in held]


def _write(fusion: CaseFusion, target: str, actor: User, reason: str) -> CaseWrite:
    now = timezone.now()
    return CaseWrite(fusion, [_accepted(automatic(place, reason), actor, now) for place in _to_accept(fusion, target)])


def _accepted(vote: NewReference, actor: User, now: datetime) -> NewReference:
    return replace(vote, state=Reference.State.ACCEPTED, decided_by=actor, decided_at=now)
