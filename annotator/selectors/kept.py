"""What is stored of a case's answers, as it travels to the page. An answer that was damaged in the store is told by its
place: the others are there as ever, and it is not taken for none."""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone

from annotator.answers import geometry_sent, masks_of
from annotator.geometry import mask_text
from annotator.mirrored import mirror_stored
from annotator.models import Assignment, CaseImage, Draft, Reading, Revision
from annotator.stored_answers import Unreadable, refuse_altered, refuse_damaged

logger = logging.getLogger("quorum.drafts")


@dataclass(frozen=True)
class Spot:
    """Where in a case a photograph stands, and how large it is."""

    position: int
    width: int
    height: int


@dataclass(frozen=True)
class DraftShown:
    """An answer as it travels; version 0 stands for what was submitted and has not been taken up again."""

    position: int
    target: str
    version: int
    content: dict[str, Any] | None
    masks: list[str]
    saved_at: datetime | None

    def as_data(self) -> dict[str, Any]:
        """What is stored, as a change is answered with it; without the place, which the change has named."""
        saved_at = timezone.localtime(self.saved_at).isoformat().replace("+00:00", "Z") if self.saved_at else None
        return {"version": self.version, "content": self.content, "masks": self.masks, "saved_at": saved_at}


@dataclass(frozen=True)
class Damaged:
    """Where an answer is stored that can no longer be read."""

    position: int
    target: str


@dataclass(frozen=True)
class Kept:
    """What is stored of a case, in the order of photographs and questions."""

    drafts: list[DraftShown]
    damaged: list[Damaged]


@dataclass(frozen=True)
class _Stored:
    """An answer as the database has it."""

    spot: Spot
    key: str
    kind: str
    version: int
    content: dict[str, Any] | None
    runs: "bytes | memoryview[int] | None"
    saved_at: datetime | None
    digest: str = ""  # of an answer that was submitted
    mirrored: bool = False  # stored in pixels of the original, and shown the other way round

    def shown(self) -> DraftShown:
        """`Unreadable` where it was damaged."""
        packed = bytes(self.runs) if self.runs is not None else None
        if self.digest:
            refuse_altered(self.kind, self.content or {}, packed, self.spot.width, self.spot.height, self.digest)
        elif self.content is not None:
            refuse_damaged(self.kind, self.content, packed, self.spot.width, self.spot.height)
        content = self.content
        try:
            if self.mirrored and content is not None:
                content, packed = mirror_stored(self.kind, content, packed, self.spot.width, self.spot.height)
            content, masks = travelling(self.kind, content, packed, self.spot)
        except ValueError:
            raise Unreadable("its pixels cannot be unpacked") from None
        return DraftShown(self.spot.position, self.key, self.version, content, masks, self.saved_at)


def drafts_of(assignment: Assignment) -> Kept:
    """The unsent answers; what was taken back is not among them."""
    rows = Draft.objects.filter(assignment=assignment, content__isnull=False).select_related("target")
    spots = _spots(assignment.case_id)
    placed = [(row, spots[row.image_id]) for row in rows if row.image_id in spots]
    return _kept(assignment, [_stored(row, spot, row.target.key, row.target.kind) for row, spot in placed])


def drafts_from(reading: Reading, assignment: Assignment) -> Kept:
    """What was submitted, in the form of drafts and as the assignment shows it. What was imported in another form than
    the target is drawn in cannot be one."""
    rows = Revision.objects.filter(reading=reading, kind=F("target__kind")).select_related("target")
    spots = _spots(assignment.case_id)
    stored = [
        _Stored(
            *(spots[row.image_id], row.target.key, row.kind, 0, content_of(row), row.runs),
            *(reading.submitted_at, row.digest, assignment.mirrored),
        )
        for row in rows
    ]
    return _kept(assignment, stored)


def draft_shown(draft: Draft, *, spot: Spot, key: str, kind: str) -> DraftShown:
    """`Unreadable` where it was damaged."""
    return _stored(draft, spot, key, kind).shown()


def _stored(draft: Draft, spot: Spot, key: str, kind: str) -> _Stored:
    return _Stored(spot, key, kind, draft.version, draft.content, draft.runs, draft.saved_at)


def _kept(assignment: Assignment, stored: list[_Stored]) -> Kept:
    drafts: list[DraftShown] = []
    damaged: list[Damaged] = []
    for answer in sorted(stored, key=lambda one: (one.spot.position, one.key)):
        try:
            drafts.append(answer.shown())
        except Unreadable as fault:
            where = (assignment.public_id, answer.spot.position, answer.key, answer.version)
            logger.error("assignment %s, photograph %d, %s, version %d cannot be read: %s", *where, fault)
            damaged.append(Damaged(answer.spot.position, answer.key))
    return Kept(drafts, damaged)


def content_of(revision: Revision) -> dict[str, Any]:
    """A frozen answer as the content of a draft."""
    names = ("answer", "geometry", "label", "signs", "confidence")
    return {name: getattr(revision, name) for name in names}


def travelling(
    kind: str, content: dict[str, Any] | None, packed: "bytes | memoryview[int] | None", spot: Spot
) -> tuple[dict[str, Any] | None, list[str]]:
    """Content and masks as they are sent. The digests are made anew from the stored bytes."""
    if content is None:
        return None, []
    masks = masks_of(kind, content["geometry"], bytes(packed) if packed is not None else None)
    sent = {**content, "geometry": geometry_sent(kind, content["geometry"])}
    return sent, [mask_text.write(mask, spot.width, spot.height) for mask in masks]


def _spots(case_id: int) -> dict[int, Spot]:
    """Image → its place in the case."""
    names = ("image_id", "position", "image__width", "image__height")
    return {image: Spot(*spot) for image, *spot in CaseImage.objects.filter(case=case_id).values_list(*names)}
