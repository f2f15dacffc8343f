"""Submitting a reading: checked against the recipe, frozen, and logged, in one transaction."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.answers import Checked, Given, check_answer
from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import Assignment, CaseImage, Reading, Revision, Round, Study, Target, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from protocols.names import CheckName, Severity, Source
from protocols.recipe import Recipe

LONGEST_ACTIVE_MS = 24 * 60 * 60 * 1000


@transaction.atomic
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
    """Freeze the answers as a new reading; an earlier one of the same assignment is withdrawn, never overwritten."""
    assignment = (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("grader__study", "round", "case")
        .get(pk=assignment.pk)
    )
    study = assignment.grader.study
    now = timezone.now()
    _refuse_unless_open(assignment, study, actor, now)
    if not 0 <= active_ms <= LONGEST_ACTIVE_MS or opened_at > now:
        raise DomainError("bad_times", _("The times of the reading cannot be right."), field="opened_at")
    recipe = recipe_of(study)
    revisions = _checked_revisions(assignment, recipe, answers)
    _refuse_unanswered(recipe, answers, confirmed_warnings)
    reading = Reading.objects.create(
        assignment=assignment,
        number=_withdraw_former(assignment, now) + 1,
        submitted_at=now,
        submitted_by=actor,
        opened_at=opened_at,
        active_ms=active_ms,
        adjustments=adjustments or {},
        confirmed_warnings=list(confirmed_warnings),
        comment=comment,
        digest=reading_digest([revision.digest for revision in revisions]),
    )
    for revision in revisions:
        revision.reading = reading
    Revision.objects.bulk_create(revisions)
    assignment.state, assignment.submitted_at = Assignment.State.SUBMITTED, now
    assignment.opened_at = assignment.opened_at or opened_at
    assignment.save(update_fields=["state", "submitted_at", "opened_at"])
    assignment.drafts.all().delete()
    after = {"number": reading.number, "digest": reading.digest, "answers": len(revisions)}
    record(action="reading.submitted", actor=actor, study=study, subject=assignment.public_id, after=after)
    return reading


def reading_digest(revision_digests: Sequence[str]) -> str:
    """SHA-256 over the digests of the answers, in sorted order."""
    return hashlib.sha256("".join(sorted(revision_digests)).encode()).hexdigest()


def _refuse_unless_open(assignment: Assignment, study: Study, actor: User, now: datetime) -> None:
    member = assignment.grader
    if member.user_id != actor.pk or not member.active:
        raise Forbidden("not_yours", _("This case is not assigned to you."))
    if assignment.state == Assignment.State.WITHDRAWN:
        raise Conflict("taken_away", _("This case is no longer assigned to you."))
    if study.state != Study.State.READING:
        raise Conflict("study_not_reading", _("The study is not open for reading."))
    round: Round = assignment.round
    if (round.opens and now < round.opens) or (round.closes and now >= round.closes):
        raise Conflict("round_closed", _("This round is not open."))


def _checked_revisions(assignment: Assignment, recipe: Recipe, answers: Sequence[Given]) -> list[Revision]:
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


def _refuse_unanswered(recipe: Recipe, answers: Sequence[Given], confirmed: Sequence[str]) -> None:
    """Every required target of the first image; further photographs are read only where the first led on to them."""
    answered = {given.target for given in answers if given.position == 1}
    missing = [t for t in recipe.targets if t.source is Source.GRADED and t.required and t.key not in answered]
    if not missing:
        return
    severity = next((check.severity for check in recipe.checks if check.name is CheckName.UNANSWERED), Severity.ERROR)
    if severity is Severity.WARNING and CheckName.UNANSWERED.value in confirmed:
        return
    names = ", ".join(_(target.name) for target in missing)
    raise DomainError("not_answered", _("Not answered yet: %(targets)s.") % {"targets": names}, field="answers")


def _withdraw_former(assignment: Assignment, now: datetime) -> int:
    former = Reading.objects.filter(assignment=assignment).order_by("-number").first()
    if former is None:
        return 0
    Reading.objects.filter(assignment=assignment, withdrawn_at=None).update(withdrawn_at=now)
    return former.number
