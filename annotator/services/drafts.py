"""Autosave: a draft is overwritten by whoever names the version he saw. What is answered here has been committed."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.answers import BadMask, Checked, Given, check_answer, geometry_sent
from annotator.errors import Conflict, DomainError
from annotator.geometry import mask_text
from annotator.models import Assignment, Draft, User
from annotator.selectors.draft_place import DraftPlace
from annotator.selectors.kept import DraftShown, Spot, draft_shown
from annotator.selectors.prepared import Prepared
from annotator.services.leases import FRESH, LEASE, refuse_held_elsewhere, renew_lease
from annotator.services.opening import start_reading
from annotator.services.overwriting import Overwriting
from annotator.services.readings import closed, refuse_closed
from annotator.services.together import Together
from annotator.stored_answers import Unreadable
from protocols.names import Kind

DRAWN = (Kind.MASK, Kind.OBJECTS)
HELD = ("id", "state", "lease_holder", "lease_until")
VERSIONED = ("id", "assignment_id", "image_id", "target_id", "version", "idempotency_key", "request_digest")
CHANGED = ("version", "content", "runs", "idempotency_key", "request_digest", "saved_at")


def _held(assignment: int) -> "QuerySet[Any, tuple[Any, ...]]":
    return Assignment.objects.select_for_update().filter(pk=assignment).order_by().values_list(*HELD)


def _versions(assignment: int) -> "QuerySet[Any, tuple[Any, ...]]":
    return Draft.objects.filter(assignment=assignment).values_list(*VERSIONED)


_HELD, _VERSIONS = Prepared(_held, assignment=int), Prepared(_versions, assignment=int)
_OVERWRITING, _TOGETHER = Overwriting(Draft, CHANGED), Together()

# The draft is the one that was seen, its case is being read in this window and was touched by it a moment ago, and no
# draft of the case was made by a change of the same key.
USUAL = """
    assignment_id = %s AND image_id = %s AND target_id = %s AND version = %s
    AND EXISTS (SELECT 1 FROM annotator_assignment held
                WHERE held.id = %s AND held.state = %s AND held.lease_holder = %s AND held.lease_until > %s)
    AND NOT EXISTS (SELECT 1 FROM annotator_draft own WHERE own.assignment_id = %s AND own.idempotency_key = %s)"""


class DraftConflict(Conflict):
    """The draft is not what the change was made from; the answer holds what it is now."""

    def __init__(self, current: DraftShown) -> None:
        super().__init__("draft_conflict", _("This answer was changed in another window in the meantime."))
        self.current = current

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {"current": self.current.as_data()}


class DraftDamaged(Conflict):
    """What is stored cannot be read any more; it is replaced only by somebody who has been told so and names it."""

    def __init__(self, name: str, version: int, *, field: str = "") -> None:
        said = _("What was stored for “%(target)s” cannot be read any more. Mark it again, or tell the organiser.")
        super().__init__("draft_damaged", said % {"target": _(name)}, field=field)
        self.version = version

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {"current": DraftShown(0, "", self.version, None, [], None).as_data()}


@dataclass(frozen=True)
class Change:
    """One change as a window sends it; no content takes the answer back. `version` 0: there was no draft yet."""

    tab: str
    key: str
    version: int
    content: Mapping[str, Any] | None
    masks: Sequence[str] = ()


@dataclass(frozen=True)
class _Received:
    """A change that fits its place, in the form in which it is stored, and its masks as they travel back."""

    checked: Checked
    masks: list[str]


def save_draft(*, place: DraftPlace, actor: User, change: Change) -> DraftShown:
    """Everything that takes time is done before the case is locked; the answer is made after the commit."""
    received = None if change.content is None else _received(place, change)
    checked = received.checked if received else None
    digest = _request_digest(place, change, checked)
    draft, is_new = _overwritten(place, change, checked, digest), True
    if draft is None:
        with transaction.atomic():
            draft, is_new = _stored(place, actor, change, checked, digest)
    return _answered(place, draft, received) if is_new else _shown(place, draft)


def _overwritten(place: DraftPlace, change: Change, checked: Checked | None, digest: str) -> Draft | None:
    """The usual change, in one statement that writes only if everything is as `_stored` demands. If anything is not,
    nothing is written, and `_stored` says what. Where rows can be locked this would not do: a statement that has waited
    for its row sees the rows around it as they were before."""
    now = timezone.now()
    if change.version == 0 or connection.features.has_select_for_update or closed(place.study_state, place, now):
        return None
    draft = Draft(assignment_id=place.assignment_id, image_id=place.image_id, target_id=place.target_id)
    _fill(draft, change, checked, digest, version=change.version + 1)
    seen = [place.assignment_id, place.image_id, place.target_id, change.version]
    fresh = connection.ops.adapt_datetimefield_value(now + LEASE - FRESH)
    held = [place.assignment_id, Assignment.State.STARTED.value, change.tab, fresh]
    parameters = [*seen, *held, place.assignment_id, change.key]
    return draft if _TOGETHER.write(lambda: _OVERWRITING.where(draft, USUAL, parameters)) else None


def _stored(place: DraftPlace, actor: User, change: Change, checked: Checked | None, digest: str) -> tuple[Draft, bool]:
    """The draft, and whether it was written now."""
    held = _locked(place.assignment_id)
    rows = [Draft.from_db(None, VERSIONED, row) for row in _VERSIONS.rows(assignment=place.assignment_id)]
    if any(row.idempotency_key == change.key and row.request_digest != digest for row in rows):
        raise Conflict("key_reused", _("This change was sent before with another content."))
    draft = next((row for row in rows if (row.image_id, row.target_id) == (place.image_id, place.target_id)), None)
    if draft is not None and draft.idempotency_key == change.key:
        return draft, False  # the answer to it was lost on its way, the change was not
    now = timezone.now()
    refuse_closed(place.study_state, place, now)
    refuse_submitted(held)
    refuse_held_elsewhere(held, change.tab, now)
    draft = draft or Draft(assignment=held, image_id=place.image_id, target_id=place.target_id, version=0)
    if draft.version != change.version and not (change.version == 0 and draft.content is None):
        raise DraftConflict(_shown(place, draft))
    _fill(draft, change, checked, digest, version=draft.version + 1)
    if draft.pk:
        _OVERWRITING.of(draft)
    else:
        draft.save()
    renew_lease(held, change.tab, now)
    start_reading(assignment=held, actor=actor)
    return draft, True


def _fill(draft: Draft, change: Change, checked: Checked | None, digest: str, *, version: int) -> None:
    draft.version = version
    draft.content = None if checked is None else content_of(checked)
    draft.runs = None if checked is None else checked.runs
    draft.idempotency_key, draft.request_digest = change.key, digest


def _locked(assignment_id: int) -> Assignment:
    """The case as it stands, held until the transaction ends; what a change does not ask about is not read."""
    return Assignment.from_db(None, HELD, _HELD.rows(assignment=assignment_id)[0])


def _answered(place: DraftPlace, draft: Draft, received: _Received | None) -> DraftShown:
    """What has just been written. Its masks are stored as they came, and their digests were made from those bytes."""
    content, masks = (None, []) if received is None else (content_of(received.checked), received.masks)
    if content is not None:
        content["geometry"] = geometry_sent(place.asked.kind, content["geometry"])
    return DraftShown(place.position, place.asked.key, draft.version, content, masks, draft.saved_at)


def _shown(place: DraftPlace, draft: Draft) -> DraftShown:
    """As it is read back from where it is stored."""
    spot = Spot(place.position, place.width, place.height)
    try:
        return draft_shown(draft, spot=spot, key=place.asked.key, kind=place.asked.kind)
    except Unreadable:
        raise DraftDamaged(place.asked.name, draft.version) from None


def refuse_submitted(assignment: Assignment) -> None:
    if assignment.state == Assignment.State.WITHDRAWN:
        raise Conflict("taken_away", _("This case is no longer assigned to you."))
    if assignment.state == Assignment.State.SUBMITTED:
        raise Conflict("already_submitted", _("This case has been submitted. Take the reading back to change it."))


def content_of(checked: Checked) -> dict[str, Any]:
    return {
        "answer": checked.answer,
        "geometry": checked.geometry,
        "label": checked.label,
        "signs": checked.signs,
        "confidence": checked.confidence,
    }


def _received(place: DraftPlace, change: Change) -> _Received:
    target, content = place.asked, change.content or {}
    if change.masks and target.kind not in DRAWN:
        raise DomainError("bad_answer", _("Nothing can be painted for this target."), field="masks")
    if content.get("geometry") is not None and target.kind is Kind.MASK:
        raise DomainError("bad_answer", _("This target is painted and has no other geometry."), field="geometry")
    try:
        masks = _read(place, change.masks)
        packed, digests = [one for one, _digest in masks], [digest for _packed, digest in masks]
        given = Given(target=target.key, position=place.position, masks=packed, digests=digests, **content)
        checked = check_answer(target, given, place.width, place.height, as_sent=True)
    except BadMask as fault:
        raise DomainError("bad_mask", f"{target.key}: {fault}", field=f"masks[{fault.index}]") from None
    except ValueError as fault:
        raise DomainError("bad_answer", f"{target.key}: {fault}", field=f"{place.position}/{target.key}") from None
    return _Received(checked, [mask_text.write_proved(*mask, place.width, place.height) for mask in masks])


def _read(place: DraftPlace, texts: Sequence[str]) -> list[tuple[bytes, str]]:
    """Packed runs and digests of masks as they were sent."""
    if any(mask_text.is_runs_alone(text) for text in texts):
        # Not a fault of the drawing: a page that is told so keeps its work, and sends it anew once it is loaded again.
        raise Conflict("page_outdated", _("This page is older than the server. Load it again; your work is kept here."))
    masks = []
    for index, text in enumerate(texts):
        try:
            masks.append(mask_text.read(text, place.width, place.height))
        except ValueError as fault:
            raise BadMask(index, fault) from None
    return masks


def _request_digest(place: DraftPlace, change: Change, checked: Checked | None) -> str:
    """Two requests are the same when they ask for the same thing at the same place from the same version."""
    asked = [checked.digest, checked.confidence] if checked is not None else None
    request = [place.position, place.asked.key, change.version, asked]
    return hashlib.sha256(json.dumps(request).encode()).hexdigest()
