"""Graders who differ on a label discuss it in turn, without names, until all or enough of them agree, until everybody
was heard often enough, or until the organiser ends it; what stays open then is the adjudicator's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.answers import Given, check_answer
from annotator.errors import Conflict, DomainError
from annotator.models import User
from annotator.services.audit import record
from consensus.fusion.digests import fused_digest
from consensus.fusion.registry import fuse
from consensus.fusion.replies import Reply
from consensus.fusion.stored import stored_of
from consensus.models import ConsensusRun, Discussion, Reference, Statement
from consensus.programme.discussion import Outcome
from consensus.selectors.discussions import Thread, live_discussions, thread_of
from consensus.selectors.inputs import CaseInputs, Place, inputs_of
from consensus.services.fusing import fuse_case
from consensus.services.letters import draw_letters
from consensus.services.opening_discussions import open_discussions
from consensus.services.runs import new_run
from consensus.services.watching import watch_case
from consensus.services.writing import CaseWrite, NewReference, unchanged_since, write_cases

LONGEST_REASON = 2000
DISCUSSION = "discussion"  # among a reference's measures


@dataclass(frozen=True)
class Said:
    """`number`: of the statement that the page is about to make, so that nothing is said to a thread that went on."""

    number: int
    label: str
    signs: Sequence[str]
    reason: str


def speak(*, discussion: Discussion, actor: User, said: Said) -> Discussion:
    """The person whose turn it is keeps or changes the own label and says why. With the statement that brings the
    agreement the reference is written too, or neither is."""
    study, reason = discussion.reference.case.study, _reason(said.reason)
    thread = thread_of(discussion)
    _refuse_unless_asked(thread, actor, said.number)
    (inputs,) = inputs_of(study, [discussion.reference.case_id])
    place = _place(inputs, discussion)
    signs = _checked(place, said)
    after, mine = thread.talk(said.label), thread.asked
    write = _agreed(inputs, place, thread, said, signs) if after.label else None
    with transaction.atomic():
        held = Discussion.objects.select_for_update(of=("self",)).get(pk=discussion.pk)
        if held.outcome or held.statements.count() + 1 != said.number:
            raise _went_on()
        if not live_discussions(study).filter(pk=held.pk).exists():  # somebody has decided since
            raise Conflict("discussion_over", _("This discussion is over."))
        Statement.objects.create(
            discussion=held, seat=mine, number=said.number, label=said.label, signs=list(signs), reason=reason
        )
        if write is not None:
            held.result = _written(held, write)
        _move_on(held, after.outcome, thread.seats[after.turn].grader_id)
        told: dict[str, Any] = {"case": inputs.case.number, "number": said.number, "label": said.label}
        told |= {"outcome": str(after.outcome)} if after.outcome else {}
        record(action="discussion.said", actor=actor, study=study, subject=held.public_id, after=told)
    if after.outcome:
        open_discussions(study=study, cases=[inputs.case.pk])  # the eye may need its next photograph now
        watch_case(inputs.case)
    return held


def pass_on(*, discussion: Discussion, actor: User, reason: str) -> Discussion:
    """An organiser ends it; the label goes to the adjudicator as it stands."""
    reason = _reason(reason)
    with transaction.atomic():
        held = Discussion.objects.select_for_update(of=("self",)).get(pk=discussion.pk)
        if not live_discussions(discussion.reference.case.study).filter(pk=held.pk).exists():
            raise Conflict("discussion_over", _("This discussion is over."))
        held.passed_on_by, held.reason = actor, reason
        _move_on(held, Outcome.PASSED_ON, None)
        told = {"case": discussion.reference.case.number, "reason": reason}
        study = discussion.reference.case.study
        record(action="discussion.passed_on", actor=actor, study=study, subject=held.public_id, after=told)
    return held


def _reason(words: str) -> str:
    words = words.strip()
    if not any(char.isprintable() and not char.isspace() for char in words):  # nothing that anybody could read
        raise DomainError("reason_missing", _("Say why, in a few words."), field="reason")
    if len(words) > LONGEST_REASON:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_REASON}
        raise DomainError("too_long", message, field="reason")
    return words


def _went_on() -> Conflict:
    return Conflict("discussion_went_on", _("The discussion has gone on meanwhile. Look at it again."))


def _refuse_unless_asked(thread: Thread, actor: User, number: int) -> None:
    if not live_discussions(thread.discussion.reference.case.study).filter(pk=thread.discussion.pk).exists():
        raise Conflict("discussion_over", _("This discussion is over."))
    if thread.asked.grader.user_id != actor.pk:
        raise Conflict("not_your_turn", _("It is not your turn in this discussion."))
    if number != thread.statements + 1:
        raise _went_on()


def _place(inputs: CaseInputs, discussion: Discussion) -> Place:
    reference = discussion.reference
    place = inputs.places[reference.image_id, reference.target_id]
    if place.latest is None or place.latest.pk != reference.pk or place.is_stale:
        raise Conflict("discussion_over", _("The readings have changed since. This discussion is over."))
    return place


def _checked(place: Place, said: Said) -> tuple[str, ...]:
    given = Given(place.row.key, position=place.position, label=said.label, signs=tuple(said.signs))
    try:
        checked = check_answer(place.asked, given, place.image.width, place.image.height)
    except (ValueError, TypeError) as fault:
        raise DomainError("bad_answer", f"{place.row.key}: {fault}", field="label") from None
    return tuple(checked.signs)


def _agreed(inputs: CaseInputs, place: Place, thread: Thread, said: Said, signs: tuple[str, ...]) -> CaseWrite:
    """The label that was agreed on, with the signs that most of those tick who now give it."""
    agreed = thread.talk(said.label)
    standing = {one.seat.place: Reply(label=one.label, signs=tuple(one.signs)) for one in thread.heard}
    standing[thread.asked.place] = Reply(label=said.label, signs=signs)
    replies = [reply for reply in standing.values() if reply.label == agreed.label]
    # How many readings the rule wants was asked before the discussion began.
    asked = replace(place.asked, consensus=replace(place.asked.consensus, min_readings=1))
    fused = fuse(asked, replies, place.image.width, place.image.height)
    fusion = fuse_case(inputs, draw_letters(study=inputs.case.study))
    vote = fusion.places[place.key]
    told = {"outcome": str(agreed.outcome), "statements": said.number, "graders": len(standing)}
    new = NewReference(
        place=place,
        state=Reference.State.DISCUSSED,
        stored=stored_of(place.asked.kind, fused),
        digest=fused_digest(place.asked.kind, fused, place.image.width, place.image.height),
        inputs_digest=vote.inputs_digest,
        measures={**vote.measures, DISCUSSION: told},
        excluded=dict(vote.excluded),
        decided_at=timezone.now(),
        comment=_reason(said.reason),
    )
    return CaseWrite(fusion, [new])


def _written(held: Discussion, write: CaseWrite) -> Reference:
    """In the name of whoever had the readings fused: a grader's would tell whose letter is whose."""
    if not unchanged_since([write]):
        raise Conflict("discussion_over", _("The readings have changed since. This discussion is over."))
    open_version = held.reference
    run = new_run(study=write.inputs.case.study, actor=open_version.run.started_by, kind=ConsensusRun.Kind.DISCUSSION)
    write_cases(run, [write])
    return Reference.objects.get(run=run)


def _move_on(held: Discussion, outcome: Outcome | None, next_grader: int | None) -> None:
    at = timezone.now()
    if outcome is None:
        held.awaits_id, held.awaits_since = next_grader, at
    else:
        held.outcome, held.closed_at, held.awaits_id = outcome.value, at, None
    held.save()
