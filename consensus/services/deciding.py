"""A senior decides about a case: accepts the vote, leaves readings out and votes again, or draws it better.

Everything is computed anew from the readings before the transaction; it is written only if the page saw the same.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.answers import Given
from annotator.errors import Conflict, DomainError
from annotator.geometry import mask_text
from annotator.models import Case, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from consensus.models import ConsensusRun, Reference
from consensus.models.reference import Exclusion, ReferenceState
from consensus.selectors.adjudication import LABELS_SHOWN, NOT_BLIND
from consensus.selectors.inputs import CaseInputs, Left, Place, PlaceKey, inputs_of
from consensus.selectors.readings import by_name
from consensus.selectors.standing import is_voted
from consensus.services.adjusting import Adjusted, adjusted
from consensus.services.fusing import REFERENCE, CaseFusion, fuse_case
from consensus.services.leases import held_review, refuse_held_elsewhere
from consensus.services.letters import draw_letters
from consensus.services.opening_discussions import open_discussions
from consensus.services.runs import new_run
from consensus.services.signed_off import refuse_without_reason
from consensus.services.tracing import origin_of
from consensus.services.watching import watch_case
from consensus.services.writing import CaseWrite, NewReference, unchanged_since, write_cases
from protocols.names import Kind, ReviewStep
from protocols.recipe import Recipe

LONGEST_NOTE = 2000


@dataclass(frozen=True)
class ExcludedReading:
    reading: str
    reason: str
    note: str = ""


@dataclass(frozen=True)
class Drawn:
    """What the senior drew instead of the vote, as it travels."""

    content: Mapping[str, Any]
    masks: Sequence[str] = ()
    traced_from: tuple[float, float] | None = None  # the spur from which the page had the line traced


@dataclass(frozen=True)
class Decision:
    """About one place; `version` and `digest` are those of the reference and of the vote that the page showed."""

    position: int
    target: str
    version: int
    digest: str
    excluded: Sequence[ExcludedReading] = ()
    adjusted: Drawn | None = None


@dataclass(frozen=True)
class Decider:
    """Who decides when and why; `changed`: what an answer that is not the vote's is called then; `seen`: where an
    adjudicator is no longer blind; `shown`: the recipe shows every adjudicator what was said."""

    actor: User
    at: datetime
    comment: str
    changed: ReferenceState
    seen: Set[PlaceKey] = frozenset()
    shown: bool = False

    def sight(self, place: PlaceKey) -> dict[str, bool]:
        """What is kept with an adjudicated label of how blind it was; what the recipe shows is no breach."""
        return {LABELS_SHOWN: True} if self.shown else {NOT_BLIND: True} if place in self.seen else {}


@dataclass(frozen=True)
class Asked:
    """A decision with the place it is about."""

    decision: Decision
    place: Place
    excluded: dict[int, Left]
    field: str


def decide(
    *,
    case: Case,
    actor: User,
    tab: str,
    decisions: Sequence[Decision],
    comment: str = "",
    blind: bool = False,
    seen: Set[PlaceKey] = frozenset(),
) -> ConsensusRun:
    """All decisions or none; each makes a new version. `blind`: by an adjudicator, who is shown no reading unless the
    recipe says so; `seen`: where he or she knows them nevertheless, from having decided before."""
    study, recipe = case.study, recipe_of(case.study)
    refuse_without_reason(study, comment, field="comment")
    (inputs,) = inputs_of(study, [case.pk])
    letters = draw_letters(study=study)
    asked = [_asked(inputs, recipe, decision, index) for index, decision in enumerate(decisions)]
    _refuse_twice(asked)
    fusion = fuse_case(inputs, letters, {one.place.key: one.excluded for one in asked})
    now = timezone.now()
    changed = Reference.State.ADJUDICATED if blind else Reference.State.ADJUSTED
    shown = blind and recipe.review.adjudicator_sees_labels
    by = Decider(actor, now, comment, changed, seen if blind else frozenset(), shown)
    new = [_reference(one, fusion, recipe, by) for one in asked]
    with transaction.atomic():
        refuse_held_elsewhere(held_review(case), actor, tab, timezone.now())
        write = CaseWrite(fusion, new)
        if not unchanged_since([write]):
            raise Conflict("reference_changed", _("This case was changed meanwhile. Look at it again."))
        run = new_run(study=study, actor=actor, kind=ConsensusRun.Kind.CASE)
        write_cases(run, [write])
        after = {"case": case.number, "comment": comment, "references": [_told(one) for one in new]}
        before = {"references": [_before(one.place) for one in asked]}
        record(action="reference.decided", actor=actor, study=study, subject=run.public_id, before=before, after=after)
    open_discussions(study=study, cases=[case.pk])  # the eye may need its next photograph now
    watch_case(case)
    return run


def _asked(inputs: CaseInputs, recipe: Recipe, decision: Decision, index: int) -> Asked:
    field = f"decisions[{index}]"
    place = inputs.place(decision.position, decision.target)
    if place is None:
        raise DomainError("unknown_target", _("The case has no such image or target."), field=f"{field}.target")
    version = place.latest.version if place.latest else 0
    if decision.version != version:
        raise Conflict("reference_changed", _("This reference was changed meanwhile. Look at it again."), field=field)
    if place.is_stale and is_voted(place.asked):  # no run renews what a senior draws
        message = _("The readings have changed since this was voted. Run the consensus again.")
        raise Conflict("stale", message, field=field)
    excluded = excluded_of(inputs, place, decision.excluded, field)
    _refuse_unforeseen(recipe, place, decision, excluded, field)
    return Asked(decision, place, excluded, field)


def excluded_of(inputs: CaseInputs, place: Place, excluded: Sequence[ExcludedReading], field: str) -> dict[int, Left]:
    """By revision; each with a reason that the recipe knows."""
    readings = by_name(inputs.readings)
    answers = {revision.reading_id: revision.pk for revision in place.answers}
    left: dict[int, Left] = {}
    for number, one in enumerate(excluded):
        where = f"{field}.excluded[{number}]"
        reading = readings.get(one.reading)
        if reading is None or reading.pk not in answers:
            raise Conflict("reading_withdrawn", _("A reading is no longer there. Look at the case again."), field=where)
        note = one.note.strip()
        if one.reason not in Exclusion.values or (one.reason == Exclusion.OTHER and not note):
            raise DomainError("bad_reason", _("Say why this reading is left out."), field=where)
        if len(note) > LONGEST_NOTE:
            message = _("Use at most %(count)s characters.") % {"count": LONGEST_NOTE}
            raise DomainError("too_long", message, field=where)
        left[answers[reading.pk]] = Left(one.reason, note)
    if left and len(left) == len(place.answers):
        message = _("Every reading would be left out: nothing remains to vote on.")
        raise DomainError("nothing_left", message, field=field)
    return left


def _refuse_unforeseen(
    recipe: Recipe, place: Place, decision: Decision, excluded: Mapping[int, Left], field: str
) -> None:
    """Only the steps that the protocol foresees; what readings leave open, a person must always be able to settle."""
    steps = recipe.review.steps
    if excluded and dict(excluded) != place.excluded and ReviewStep.REMOVE_AND_REVOTE not in steps:
        message = _("The protocol does not foresee leaving readings out.")
        raise Conflict("step_not_foreseen", message, field=field)
    undecided = place.latest is not None and place.latest.answer == Reference.Answer.UNDECIDED
    free = ReviewStep.FINE_ADJUSTMENT in steps or place.asked.kind is Kind.LABEL or undecided
    if decision.adjusted is not None and is_voted(place.asked) and not free:
        message = _("The protocol does not foresee changing the vote by hand.")
        raise Conflict("step_not_foreseen", message, field=field)


def _refuse_twice(asked: Sequence[Asked]) -> None:
    if not asked:
        raise DomainError("nothing_decided", _("There is nothing to decide about."), field="decisions")
    places = [one.place.key for one in asked]
    if len(set(places)) != len(places):
        raise DomainError("decided_twice", _("A target is decided about twice."), field="decisions")


def _reference(one: Asked, fusion: CaseFusion, recipe: Recipe, by: Decider) -> NewReference:
    vote = fusion.places.get(one.place.key)
    if vote is not None and vote.digest != one.decision.digest:
        message = _("The page and the server do not count the same. Nothing was changed; load the case again.")
        raise Conflict("digest_differs", message, field=one.field)
    if one.decision.adjusted is not None:
        return _adjusted(one, fusion, recipe, by)
    if vote is None:
        raise DomainError("nothing_drawn", _("Nothing was drawn here."), field=one.field)
    if vote.stored.answer == Reference.Answer.UNDECIDED:
        message = _("The readings leave this open: decide it before you accept.")
        raise Conflict("undecided", message, field=one.field)
    return NewReference(
        place=one.place,
        state=Reference.State.ACCEPTED,
        stored=vote.stored,
        digest=vote.digest,
        inputs_digest=vote.inputs_digest,
        votes=vote.votes,
        measures=vote.measures,
        excluded=one.excluded,
        decided_by=by.actor,
        decided_at=by.at,
        comment=by.comment,
    )


def _adjusted(one: Asked, fusion: CaseFusion, recipe: Recipe, by: Decider) -> NewReference:
    drawn = one.decision.adjusted
    assert drawn is not None
    vote = fusion.places.get(one.place.key)
    try:
        result = adjusted(one.place, _given(one.place, drawn), vote.fused if vote else None)
    except (ValueError, TypeError) as fault:
        raise DomainError("bad_answer", f"{one.place.row.key}: {fault}", field=f"{one.field}.adjusted") from None
    if vote is not None and REFERENCE in vote.marked and len(result.masks) == 1:
        fusion.places[one.place.key] = vote.with_reference(result.masks[0])
    is_adjusted = by.changed == Reference.State.ADJUSTED
    return NewReference(
        place=one.place,
        state=by.changed,
        stored=result.stored,
        digest=result.digest,
        inputs_digest=vote.inputs_digest if vote else one.place.inputs_digest({}),
        votes=vote.votes if vote else None,
        measures={**(vote.measures if vote else {}), **by.sight(one.place.key)},
        excluded=one.excluded,
        decided_by=by.actor,
        decided_at=by.at,
        comment=by.comment,
        displacement=_displacement(one.place, drawn, result, recipe) if is_adjusted else None,
    )


def _displacement(place: Place, drawn: Drawn, result: Adjusted, recipe: Recipe) -> dict[str, Any]:
    """From the vote, or of a line from the tracing that it began with."""
    if drawn.traced_from is None or place.asked.kind is not Kind.POLYLINE or result.stored.geometry is None:
        return result.displacement
    return origin_of(place, recipe, result.stored.geometry["points"], drawn.traced_from)


def _given(place: Place, drawn: Drawn) -> Given:
    received = [mask_text.read(text, place.image.width, place.image.height) for text in drawn.masks]
    return Given(
        target=place.row.key,
        position=place.position,
        masks=[packed for packed, _digest in received],
        digests=[digest for _packed, digest in received],
        **drawn.content,
    )


def _told(new: NewReference) -> dict[str, Any]:
    """For the log: what it is now, and which readings were left out why."""
    digests = {revision.pk: revision.digest for revision in new.place.answers}
    told: dict[str, Any] = {"target": new.place.row.key, "photograph": new.place.position, "state": new.state.value}
    told |= {"digest": new.digest}
    if new.excluded:
        told["left_out"] = [
            {"answer": digests[revision], "reason": left.reason, "note": left.note}
            for revision, left in new.excluded.items()
        ]
    if new.displacement:
        told["displacement"] = new.displacement
    return told | {mark: True for mark in (NOT_BLIND, LABELS_SHOWN) if new.measures.get(mark)}


def _before(place: Place) -> dict[str, Any]:
    latest = place.latest
    told: dict[str, Any] = {"target": place.row.key, "photograph": place.position}
    return told | ({"state": latest.state, "version": latest.version, "digest": latest.digest} if latest else {})
