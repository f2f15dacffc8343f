"""Drafts that begin from a reading: one that was taken back, or one that is asked for again."""

from typing import Any

from django.db.models import F

from annotator.mirrored import mirror_stored
from annotator.models import Assignment, Draft, Reading, Revision
from annotator.selectors.kept import content_of
from annotator.stored_answers import Unreadable, refuse_altered


def seed_drafts(assignment: Assignment, reading: Reading) -> None:
    """One draft per answer of the reading; where a draft was before, its versions go on. What came from elsewhere in
    another form than the target is drawn in is drawn anew."""
    former = {(row.image_id, row.target_id): row for row in Draft.objects.filter(assignment=assignment)}
    for revision in reading.revisions.filter(kind=F("target__kind")).select_related("image"):
        place = (revision.image_id, revision.target_id)
        draft = former.get(place) or Draft(assignment=assignment, image_id=place[0], target_id=place[1], version=0)
        draft.version += 1
        draft.content, draft.runs = _gone_on_with(revision, assignment)
        draft.idempotency_key = draft.request_digest = ""
        draft.save()


def _gone_on_with(revision: Revision, assignment: Assignment) -> tuple[dict[str, Any], bytes | None]:
    """What a draft begins with, the way round in which the assignment shows it. Of an answer that is no longer the one
    submitted it is nothing that could be read: the grader is told so and marks it again."""
    content, packed = content_of(revision), bytes(revision.runs) if revision.runs is not None else None
    size = revision.image.width, revision.image.height
    try:
        refuse_altered(revision.kind, content, packed, *size, revision.digest)
    except Unreadable:
        return {}, None
    return mirror_stored(revision.kind, content, packed, *size) if assignment.mirrored else (content, packed)
