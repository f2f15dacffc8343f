"""Submitting a reading: checked against the recipe, then frozen and logged in one short transaction."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.after_submission import submitted
from annotator.answers import Checked, Given, check_answer
from annotator.checks import Place, photographs_to_read, unanswered
from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import Assignment, CaseImage, Reading, Revision, Study, Target, User
from annotator.selectors.recipes import recipe_of
from annotator.selectors.workbench import Period, is_held_fast, is_open
from annotator.services.audit import record
from protocols.names import Severity
from protocols.recipe import Recipe

LONGEST_ACTIVE_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class Ready:
    """Answers that fit the recipe and the pictures, in the form in which they are frozen."""

    revisions: list[Revision]
    opened_at: datetime
    active_ms: int
    adjustments: dict[str, Any]
    confirmed_warnings: list[str]
    comment: str


def submit_reading(
    *,
    assignment: Assignment,
    actor: User,
    answers: Sequence[Given],
    opened_at: datetime,
    active_ms: int,
    adjustments: dict[str, Any] | None = None,
    confirmed_warnings: Sequence[str] = (),
    comment: str = "",
) -> Reading:
    """Freeze the answers, in pixels of the upright original, as a new reading; an earlier one of the same assignment is
    withdrawn, never overwritten."""
    refuse_unless_open(assignment, actor, timezone.now())
    recipe = recipe_of(assignment.grader.study)
    count = CaseImage.objects.filter(case=assignment.case_id).count()
    labels = {(given.position, given.target): given.label for given in answers}
    revisions = checked_revisions(assignment, recipe, answers)
    refuse_out_of_turn(recipe, labels, count)
    refuse_unanswered(recipe, labels, count, confirmed_warnings)
    ready = Ready(revisions, opened_at, active_ms, adjustments or {}, list(confirmed_warnings), comment)
    with transaction.atomic():
        held = locked_assignment(assignment.pk)
        now = timezone.now()
        refuse_unless_open(held, actor, now)
        return freeze(held, actor, ready, now)


def freeze(held: Assignment, actor: User, ready: Ready, now: datetime) -> Reading:
    """Inside the transaction that holds the assignment. Nothing is computed here: everybody else waits meanwhile."""
    if not 0 <= ready.active_ms <= LONGEST_ACTIVE_MS or ready.opened_at > now:
        raise DomainError("bad_times", _("The times of the reading cannot be right."), field="opened_at")
    former = _withdraw_former(held, now)
    reading = Reading.objects.create(
        assignment=held,
        number=former.number + 1 if former else 1,
        submitted_at=now,
        submitted_by=actor,
        opened_at=ready.opened_at,
        active_ms=ready.active_ms,
        adjustments=ready.adjustments,
        confirmed_warnings=ready.confirmed_warnings,
        comment=ready.comment,
        digest=reading_digest([revision.digest for revision in ready.revisions]),
        **_set_aside_like(former),
    )
    for revision in ready.revisions:
        revision.reading = reading
    Revision.objects.bulk_create(ready.revisions)
    held.state, held.submitted_at, held.skipped_at = Assignment.State.SUBMITTED, now, None
    held.opened_at = held.opened_at or ready.opened_at
    if held.comment != ready.comment:
        held.comment, held.comment_version = ready.comment, held.comment_version + 1
    held.save(update_fields=["state", "submitted_at", "opened_at", "skipped_at", "comment", "comment_version"])
    held.drafts.update(content=None, runs=None, idempotency_key="", request_digest="", version=F("version") + 1)
    after = {"number": reading.number, "digest": reading.digest, "answers": len(ready.revisions)}
    transaction.on_commit(lambda: submitted(held))
    record(action="reading.submitted", actor=actor, study=held.grader.study, subject=held.public_id, after=after)
    return reading


def reading_digest(revision_digests: Sequence[str]) -> str:
    """SHA-256 over the digests of the answers, in sorted order."""
    return hashlib.sha256("".join(sorted(revision_digests)).encode()).hexdigest()


def locked_assignment(assignment_id: int) -> Assignment:
    """The assignment as it now stands, held until the transaction ends: whoever writes into the same case waits."""
    rows = Assignment.objects.select_for_update(of=("self",)).select_related("grader__study", "round")
    own = ("public_id", "case_id", "state", "position", "lease_holder", "lease_until", "opened_at", "skipped_at")
    written = ("mirrored", "comment", "comment_version")
    whose = ("grader__user_id", "grader__active", "round__number", "round__opens", "round__closes")
    study = ("public_id", "state", "recipe_digest")
    return rows.only(*own, *written, *whose, *(f"grader__study__{name}" for name in study)).get(pk=assignment_id)


def refuse_unless_open(assignment: Assignment, actor: User, now: datetime) -> None:
    """Only the grader himself, while the study is being read and the round is open."""
    member = assignment.grader
    if member.user_id != actor.pk or not member.active:
        raise Forbidden("not_yours", _("This case is not assigned to you."))
    if assignment.state == Assignment.State.WITHDRAWN:
        raise Conflict("taken_away", _("This case is no longer assigned to you."))
    refuse_closed(member.study.state, assignment.round, now)


def closed(study_state: str, period: Period, now: datetime) -> bool:
    return study_state != Study.State.READING or not is_open(period, now)


def refuse_closed(study_state: str, period: Period, now: datetime) -> None:
    if study_state != Study.State.READING:
        raise Conflict("study_not_reading", _("The study is not open for reading."))
    if not is_open(period, now):
        raise Conflict("round_closed", _("This round is not open."))


def refuse_used(reading: Reading, assignment: Assignment) -> None:
    """What a consensus run has taken in does not change under it; for what looks the same to its grader, the same."""
    if reading.withdrawn_at is None and is_held_fast(reading, assignment):
        message = _("What you have sent in up to here is in use. Only the organiser can reopen this reading.")
        raise Conflict("reading_used", message)


def checked_revisions(assignment: Assignment, recipe: Recipe, answers: Sequence[Given]) -> list[Revision]:
    images = {
        row.position: row.image
        for row in CaseImage.objects.filter(case=assignment.case_id).select_related("image").order_by("position")
    }
    targets = {row.key: row for row in Target.objects.filter(study=assignment.grader.study_id)}
    revisions: list[Revision] = []
    seen: set[tuple[str, int]] = set()
    for index, given in enumerate(answers):
        field = f"answers[{index}]"
        if given.target not in targets or targets[given.target].source != Target.Source.GRADED:
            raise DomainError("unknown_target", _("This target is not graded in this study."), field=f"{field}.target")
        if given.position not in images:
            raise DomainError("unknown_image", _("The case has no such image."), field=f"{field}.position")
        if (given.target, given.position) in seen:
            raise DomainError("answered_twice", _("This target is answered twice."), field=field)
        seen.add((given.target, given.position))
        image = images[given.position]
        try:
            checked = check_answer(recipe.target(given.target), given, image.width, image.height)
        except ValueError as fault:
            raise DomainError("bad_answer", f"{given.target}: {fault}", field=field) from None
        revisions.append(_revision(checked, image_id=image.pk, target=targets[given.target]))
    return revisions


def _revision(checked: Checked, *, image_id: int, target: Target) -> Revision:
    return Revision(
        image_id=image_id,
        target=target,
        kind=checked.kind,
        answer=checked.answer,
        geometry=checked.geometry,
        runs=checked.runs,
        label=checked.label,
        signs=checked.signs,
        confidence=checked.confidence,
        digest=checked.digest,
    )


def refuse_out_of_turn(recipe: Recipe, labels: Mapping[Place, str], count: int) -> None:
    """A further photograph of an eye is answered only where the one before it led on to it."""
    reached = photographs_to_read(recipe, labels, count)
    for position, key in sorted(labels):
        if position > reached:
            message = _("Photograph %(number)s is not to be read: the one before it was not answered so.")
            raise DomainError("bad_answer", message % {"number": position}, field=f"{position}/{key}")


def refuse_unanswered(recipe: Recipe, labels: Mapping[Place, str], count: int, confirmed: Sequence[str]) -> None:
    missing = unanswered(recipe, labels, count)
    if all(finding.severity is Severity.WARNING and finding.name in confirmed for finding in missing):
        return
    names = ", ".join(dict.fromkeys(_(recipe.target(finding.target).name) for finding in missing))
    field = f"{missing[0].position}/{missing[0].target}"
    raise DomainError("not_answered", _("Not answered yet: %(targets)s.") % {"targets": names}, field=field)


def _withdraw_former(assignment: Assignment, now: datetime) -> Reading | None:
    former = Reading.objects.filter(assignment=assignment).order_by("-number").first()
    if former is not None:
        refuse_used(former, assignment)
        Reading.objects.filter(assignment=assignment, withdrawn_at=None).update(withdrawn_at=now)
    return former


def _set_aside_like(former: Reading | None) -> dict[str, Any]:
    """What was read for somebody whose removal was taken back stays aside when it is sent in anew. Its grader may
    change it like any other: a refusal would tell what the case was."""
    if former is None or former.set_aside_at is None:
        return {}
    names = ("set_aside_at", "set_aside_by_id", "set_aside_reason")
    return {name: getattr(former, name) for name in names}
