"""The last decision about a case is taken back: by a new version that equals the one before it.

Whoever takes back once more goes one decision further back, and does not bring back what was taken back.
"""

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Case, User
from annotator.services.audit import record
from consensus.fusion.digests import word_digest
from consensus.fusion.stored import Stored
from consensus.models import ConsensusRun, Reference, ReferenceInput
from consensus.selectors.inputs import Left, Place, inputs_of
from consensus.selectors.standing import is_voted
from consensus.services.fusing import fuse_case
from consensus.services.leases import held_review, refuse_held_elsewhere
from consensus.services.letters import draw_letters
from consensus.services.runs import new_run
from consensus.services.writing import CaseWrite, NewReference, standing_again, unchanged_since, write_cases


def undo_decision(*, case: Case, actor: User, tab: str, reason: str) -> ConsensusRun:
    """Of all targets that were decided together in the last decision and have not been changed since."""
    reason = reason.strip()
    if not reason:
        raise DomainError("reason_missing", _("Give a reason; it is kept in the log."), field="reason")
    (inputs,) = inputs_of(case.study, [case.pk])
    letters = draw_letters(study=case.study)
    decided = [place for place in inputs.places.values() if place.latest is not None and place.latest.decided]
    if not decided:
        raise Conflict("nothing_to_undo", _("There is no decision to take back."))
    last = max(_made_by(place) for place in decided)
    together = [place for place in decided if _made_by(place) == last]
    if any(place.is_stale and is_voted(place.asked) for place in together):  # the vote before is of other readings
        raise Conflict("stale", _("The readings have changed since this was voted. Run the consensus again."))
    taken_back = [_before(place, actor, reason) for place in together]
    left = {new.place.key: new.excluded for new in taken_back}
    fusion = fuse_case(inputs, letters, left)
    with transaction.atomic():
        refuse_held_elsewhere(held_review(case), actor, tab, timezone.now())
        write = CaseWrite(fusion, taken_back)
        if not unchanged_since([write]):
            raise Conflict("reference_changed", _("This case was changed meanwhile. Look at it again."))
        run = new_run(study=case.study, actor=actor, kind=ConsensusRun.Kind.CASE)
        write_cases(run, [write])
        after: dict[str, Any] = {"case": case.number, "reason": reason}
        after["references"] = [{"target": new.place.row.key, "digest": new.digest} for new in taken_back]
        record(action="reference.undone", actor=actor, study=case.study, subject=run.public_id, after=after)
    return run


def _made_by(place: Place) -> int:
    """The run of the decision that stands at a place."""
    assert place.latest is not None
    return place.latest.stands_for.run_id


def _before(place: Place, actor: User, reason: str) -> NewReference:
    """The version before the decision that stands, as the next one."""
    assert place.latest is not None
    former = place.latest.stands_for.previous
    if former is None:  # drawn by the senior alone: before it there was nothing
        nothing = Stored(Reference.Answer.UNDECIDED.value)
        digest = word_digest(nothing.answer)
        inputs = place.latest.inputs_digest
        return NewReference(place, Reference.State.AUTOMATIC, nothing, digest, inputs, comment=reason)
    rows = ReferenceInput.objects.filter(reference=former, included=False)
    present = {revision.pk for revision in place.answers}
    excluded = {row.revision_id: Left(row.reason, row.note) for row in rows if row.revision_id in present}
    again = standing_again(place, former, excluded, reason)
    return replace(again, decided_by=actor, decided_at=timezone.now()) if former.decided else again
