"""From drafts to a reading and back: what the grader saw is what is submitted, and until the round closes it can be
taken back to be changed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.answers import Checked, Given, check_answer, geometry_sent, masks_of
from annotator.checks import OUTSIDE, Finding, Picture, contradictions, unanswered
from annotator.errors import Conflict, DomainError
from annotator.mirrored import mirror_given
from annotator.models import Assignment, CaseImage, Draft, Reading, User
from annotator.selectors.kept import Spot, draft_shown
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.drafts import DraftDamaged
from annotator.services.leases import refuse_held_elsewhere
from annotator.services.readings import (
    Ready,
    checked_revisions,
    freeze,
    locked_assignment,
    refuse_out_of_turn,
    refuse_unless_open,
    refuse_used,
)
from annotator.services.seeding import seed_drafts
from annotator.stored_answers import Unreadable
from protocols.names import CheckName, Severity
from protocols.recipe import Recipe

CLOCK_OFF = timedelta(days=1)  # by how much a grader's computer may be ahead before its times are not believed
LARGEST_SETTING = 1e6
FELLOW_EYE = "fellow-eye"  # recorded like an adjustment: whether the other eye was looked at


class ServerHasOthers(Conflict):
    """The drafts are not those that the grader saw when submitting."""

    def __init__(self, drafts: "Mapping[tuple[int, str], Draft]") -> None:
        super().__init__("draft_conflict", _("An answer was changed in another window in the meantime."))
        unsent = {place: draft.version for place, draft in drafts.items() if draft.content is not None}
        self.versions = {f"{position}/{key}": version for (position, key), version in unsent.items()}

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {"versions": self.versions}


class NeedsConfirmation(Conflict):
    """Something looks wrong that may be right; the grader is asked."""

    def __init__(self, warnings: list[dict[str, Any]]) -> None:
        super().__init__("needs_confirmation", _("Please look at this again before you submit."))
        self.warnings = warnings

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {"warnings": self.warnings}


@dataclass(frozen=True)
class Submission:
    """What a window sends with the wish to submit; `versions` by "photograph/target"."""

    tab: str
    versions: Mapping[str, int]
    opened_at: datetime
    active_ms: int
    adjustments: Mapping[str, Any] = field(default_factory=dict)
    confirmed_warnings: Sequence[str] = ()
    comment: str = ""


def submit_drafts(*, assignment: Assignment, actor: User, submission: Submission) -> Reading:
    """All answers are checked before the case is locked; if none has another version then, the checks still hold."""
    seen = _versions(assignment)
    ready = _ready(assignment, actor, submission) if assignment.state != Assignment.State.SUBMITTED else None
    with transaction.atomic():
        held = locked_assignment(assignment.pk)
        now = timezone.now()
        refuse_unless_open(held, actor, now)
        if held.state == Assignment.State.SUBMITTED:
            return _sent_before(held, submission)
        refuse_held_elsewhere(held, submission.tab, now)
        if ready is None or _versions(held) != seen:
            raise ServerHasOthers(_drafts(held, _photographs(held)))
        return freeze(held, actor, ready, now)


def _ready(assignment: Assignment, actor: User, submission: Submission) -> Ready:
    now = timezone.now()
    refuse_unless_open(assignment, actor, now)
    refuse_held_elsewhere(assignment, submission.tab, now)
    recipe = recipe_of(assignment.grader.study)
    _refuse_adjustments(recipe, submission.adjustments)
    photographs = _photographs(assignment)
    drafts = _drafts(assignment, photographs)
    _refuse_damaged(recipe, drafts, photographs)
    _refuse_other_versions(drafts, submission.versions)
    answers = _answers(assignment, drafts, photographs)
    confirmed = _confirmed(recipe, answers, photographs, submission.confirmed_warnings)
    return Ready(
        revisions=checked_revisions(assignment, recipe, answers),
        opened_at=now if now < submission.opened_at <= now + CLOCK_OFF else submission.opened_at,
        active_ms=submission.active_ms,
        adjustments={**submission.adjustments, **({FELLOW_EYE: True} if assignment.fellow_seen_at else {})},
        confirmed_warnings=confirmed,
        comment=submission.comment,
    )


def _photographs(assignment: Assignment) -> list[CaseImage]:
    return list(CaseImage.objects.filter(case=assignment.case_id).select_related("image__eye"))


def _versions(assignment: Assignment) -> dict[int, int]:
    return dict(Draft.objects.filter(assignment=assignment).values_list("pk", "version"))


def withdraw_reading(*, assignment: Assignment, actor: User) -> Reading:
    """Take the reading in force back; it stays as it was, and drafts begin from it."""
    with transaction.atomic():
        held = locked_assignment(assignment.pk)
        now = timezone.now()
        refuse_unless_open(held, actor, now)
        reading = take_back(held, now)
        before = {"number": reading.number, "digest": reading.digest}
        record(action="reading.withdrawn", actor=actor, study=held.grader.study, subject=held.public_id, before=before)
    return reading


def take_back(held: Assignment, now: datetime, *, even_if_used: bool = False) -> Reading:
    """The reading is no longer in force, and the case is begun again from it."""
    reading = Reading.objects.filter(assignment=held, withdrawn_at=None).first()
    if reading is None or held.state != Assignment.State.SUBMITTED:
        raise Conflict("not_submitted", _("This case has not been submitted."))
    if reading.annotation_import_id is not None:
        raise Conflict("imported", _("This reading was imported; only another import changes it."))
    if not even_if_used:
        refuse_used(reading, held)
    reading.withdrawn_at = now
    reading.save(update_fields=["withdrawn_at"])
    held.state, held.submitted_at = Assignment.State.STARTED, None
    held.save(update_fields=["state", "submitted_at"])
    seed_drafts(held, reading)
    return reading


def _sent_before(assignment: Assignment, submission: Submission) -> Reading:
    """A submission whose answer was lost is sent again; it is known by the time that was spent on it."""
    reading = Reading.objects.get(assignment=assignment, withdrawn_at=None)
    same_start = reading.opened_at == submission.opened_at or submission.opened_at > reading.submitted_at
    if same_start and (reading.active_ms, reading.comment) == (submission.active_ms, submission.comment):
        return reading
    raise Conflict("already_submitted", _("This case has been submitted. Take the reading back to change it."))


def _drafts(assignment: Assignment, photographs: Sequence[CaseImage]) -> dict[tuple[int, str], Draft]:
    """By photograph and target, in this order; with those that were taken back, which have a version too."""
    positions = {row.image_id: row.position for row in photographs}
    rows = Draft.objects.filter(assignment=assignment).select_related("target")
    placed = {(positions[row.image_id], row.target.key): row for row in rows if row.image_id in positions}
    return dict(sorted(placed.items()))


def _refuse_other_versions(drafts: Mapping[tuple[int, str], Draft], seen: Mapping[str, int]) -> None:
    """An answer that was taken back may be left out or named by its last version."""
    here = {f"{position}/{key}": draft for (position, key), draft in drafts.items()}
    known = all(name in here for name in seen)
    same = all(
        seen.get(name, 0) == draft.version or (draft.content is None and not seen.get(name))
        for name, draft in here.items()
    )
    if not known or not same:
        raise ServerHasOthers(drafts)


def _refuse_damaged(recipe: Recipe, drafts: Mapping[tuple[int, str], Draft], photographs: Sequence[CaseImage]) -> None:
    """An answer that cannot be read is not an answer that was not given."""
    spots = {row.position: Spot(row.position, row.image.width, row.image.height) for row in photographs}
    for (position, key), draft in drafts.items():
        try:
            draft_shown(draft, spot=spots[position], key=key, kind=draft.target.kind)
        except Unreadable:
            raise DraftDamaged(recipe.target(key).name, draft.version, field=f"{position}/{key}") from None


def _answers(
    assignment: Assignment, drafts: Mapping[tuple[int, str], Draft], photographs: Sequence[CaseImage]
) -> list[Given]:
    """In pixels of the original, whichever way round it was shown: all that is checked and kept from here on is."""
    sent = {place: draft for place, draft in drafts.items() if draft.content is not None}
    answers = [_given(draft, position) for (position, _key), draft in sent.items()]
    if not assignment.mirrored:
        return answers
    sizes = {row.position: (row.image.width, row.image.height) for row in photographs}
    kinds = [draft.target.kind for draft in sent.values()]
    return [mirror_given(kind, given, *sizes[given.position]) for kind, given in zip(kinds, answers, strict=True)]


def _given(draft: Draft, position: int) -> Given:
    content, kind = draft.content or {}, draft.target.kind
    masks = masks_of(kind, content["geometry"], bytes(draft.runs) if draft.runs is not None else None)
    sent = content | {"geometry": geometry_sent(kind, content["geometry"])}
    return Given(target=draft.target.key, position=position, masks=masks, **sent)


def _confirmed(
    recipe: Recipe, answers: Sequence[Given], photographs: Sequence[CaseImage], confirmed: Sequence[str]
) -> list[str]:
    """The names of the warnings that apply and were confirmed; anything else that was found is refused or asked."""
    labels = {(given.position, given.target): given.label for given in answers}
    refuse_out_of_turn(recipe, labels, len(photographs))
    pictures = {row.position: _picture(row) for row in photographs}
    checked = {(given.position, given.target): _checked(recipe, given, pictures) for given in answers}
    findings = unanswered(recipe, labels, len(photographs)) + contradictions(recipe, checked, pictures)
    for finding in findings:
        if finding.severity is Severity.ERROR:
            code = "not_answered" if finding.name == CheckName.UNANSWERED else "check_failed"
            raise DomainError(code, _said(recipe, finding), field=f"{finding.position}/{finding.target}")
    open_warnings = [finding for finding in findings if finding.name not in confirmed]
    if open_warnings:
        raise NeedsConfirmation([_warning(recipe, finding) for finding in open_warnings])
    return sorted({finding.name for finding in findings})


def _picture(row: CaseImage) -> Picture:
    return Picture(row.image.width, row.image.height, row.image.eye.side if row.image.eye else "")


def _checked(recipe: Recipe, given: Given, pictures: Mapping[int, Picture]) -> Checked:
    picture = pictures[given.position]
    try:
        return check_answer(recipe.target(given.target), given, picture.width, picture.height)
    except ValueError as fault:
        field_name = f"{given.position}/{given.target}"
        raise DomainError("bad_answer", f"{given.target}: {fault}", field=field_name) from None


def _warning(recipe: Recipe, finding: Finding) -> dict[str, Any]:
    place = {"target": finding.target, "position": finding.position}
    return {"name": finding.name, "message": _said(recipe, finding)} | place


def _said(recipe: Recipe, finding: Finding) -> str:
    target = recipe.target(finding.target)
    sentences = {
        CheckName.UNANSWERED: _("Not answered yet: %(targets)s."),
        CheckName.EMPTY_MASK: _("%(target)s: said to be there, but nothing is drawn."),
        CheckName.LATERALITY: _("Disc and fovea lie as in a photograph of the other eye."),
        CheckName.OVERLAP: _("%(target)s: two objects overlap."),
        CheckName.WRONG_HALF: _("%(target)s: marked in the other half of the picture."),
        OUTSIDE: _("%(target)s: reaches outside %(outer)s."),
    }
    name, outer = _(target.name), _(recipe.target(target.inside).name) if target.inside else ""
    return sentences[finding.name] % {"target": name, "targets": name, "outer": outer}


def _refuse_adjustments(recipe: Recipe, adjustments: Mapping[str, Any]) -> None:
    """Only what the protocol allows may have been in use, each with a switch or a few numbers."""
    allowed = {adjustment.value for adjustment in recipe.viewer.adjustments}
    allowed |= {FELLOW_EYE} if recipe.viewer.fellow_eye else set()
    for name, value in adjustments.items():
        where = f"adjustments.{name[:40]}"
        if name not in allowed:
            raise DomainError("adjustment_not_allowed", _("The protocol does not allow this adjustment."), field=where)
        settings = value if isinstance(value, list) and len(value) <= 4 else [value]
        for setting in settings:
            number = isinstance(setting, int | float) and abs(setting) <= LARGEST_SETTING and math.isfinite(setting)
            if not number:
                raise DomainError("bad_adjustment", _("The setting of an adjustment must be a number."), field=where)
