"""Fused cases are written: new versions of references, what they rest on, and the numbers of the review.

Called inside the transaction of a run or a decision; everything was computed before, and is written only if the
readings and the references are still those it was computed from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotator.models import Case, Target, User
from annotator.selectors.recipes import recipe_of
from annotator.services.reopening import mark_used
from consensus.fusion.stored import Stored
from consensus.models import CaseReview, ConsensusRun, Reference, ReferenceInput
from consensus.models.reference import ReferenceState
from consensus.selectors.inputs import CaseInputs, Left, Place, PlaceKey
from consensus.selectors.standing import rules_digest
from consensus.selectors.taking_part import readings_taking_part
from consensus.services.fusing import CaseFusion, PlaceFusion, case_measures, standing_of
from consensus.services.signed_off import refuse_without_reason

SAME_SHARE = 1e-6


@dataclass(frozen=True, eq=False)
class NewReference:
    """The next version at one place."""

    place: Place
    state: ReferenceState
    stored: Stored
    digest: str
    inputs_digest: str
    votes: bytes | None = None
    measures: dict[str, Any] = field(default_factory=dict)
    excluded: dict[int, Left] = field(default_factory=dict)
    decided_by: User | None = None
    decided_at: datetime | None = None
    comment: str = ""
    displacement: dict[str, Any] | None = None
    restores: Reference | None = None
    source: str = ""


@dataclass(frozen=True, eq=False)
class CaseWrite:
    """A fused case and what of it is new."""

    fusion: CaseFusion
    new: list[NewReference]

    @property
    def inputs(self) -> CaseInputs:
        return self.fusion.inputs


def automatic(fusion: PlaceFusion, comment: str = "") -> NewReference:
    """The vote itself."""
    return NewReference(
        place=fusion.place,
        state=Reference.State.AUTOMATIC,
        stored=fusion.stored,
        digest=fusion.digest,
        inputs_digest=fusion.inputs_digest,
        votes=fusion.votes,
        measures=fusion.measures,
        excluded=dict(fusion.excluded),
        comment=comment,
    )


def standing_again(place: Place, former: Reference, excluded: dict[int, Left], comment: str) -> NewReference:
    """An earlier version as the next one, with whoever decided it."""
    return NewReference(
        place=place,
        state=ReferenceState(former.state),
        stored=Stored(
            former.answer,
            former.geometry,
            bytes(former.runs) if former.runs is not None else None,
            former.label,
            tuple(former.signs),
        ),
        digest=former.digest,
        inputs_digest=place.inputs_digest(excluded),
        votes=bytes(former.votes) if former.votes is not None else None,
        measures=former.measures,
        excluded=excluded,
        decided_by=former.decided_by,
        decided_at=former.decided_at,
        comment=comment,
        displacement=former.displacement,
        restores=former.stands_for,
        source=former.source,
    )


def unchanged_since(writes: Sequence[CaseWrite]) -> list[CaseWrite]:
    """Those whose readings and references are still what they were when it was computed; the cases stay locked."""
    cases = [write.inputs.case.pk for write in writes]
    list(Case.objects.select_for_update(of=("self",)).filter(pk__in=cases).order_by("pk").values_list("pk"))
    readings: dict[int, set[int]] = {pk: set() for pk in cases}
    rows = readings_taking_part().filter(assignment__case__in=cases).order_by()
    for case, reading in rows.values_list("assignment__case", "pk"):
        readings[case].add(reading)
    latest: dict[int, set[int]] = {pk: set() for pk in cases}
    heads = Reference.objects.filter(case__in=cases, following__isnull=True).exclude(
        target__source=Target.Source.IMPORTED
    )
    for case, reference in heads.order_by().values_list("case_id", "pk"):
        latest[case].add(reference)
    return [write for write in writes if _is_current(write.inputs, readings, latest)]


def _is_current(inputs: CaseInputs, readings: dict[int, set[int]], latest: dict[int, set[int]]) -> bool:
    seen = {place.latest.pk for place in inputs.places.values() if place.latest is not None}
    return readings[inputs.case.pk] == inputs.reading_ids and latest[inputs.case.pk] == seen


def write_cases(run: ConsensusRun, writes: Sequence[CaseWrite], *, holds_fast: bool = True) -> int:
    """The number of new references. Whatever wrote them: none comes after a sign-off without a reason. `holds_fast`:
    graders cannot take back what they rest on; what was imported nobody can in any case."""
    new = [(write, reference) for write in writes for reference in write.new]
    if not all(reference.comment.strip() for _write, reference in new):
        refuse_without_reason(run.study, "")
    rows = Reference.objects.bulk_create(_row(run, write.inputs.case, reference) for write, reference in new)
    ReferenceInput.objects.bulk_create(
        _input(row, revision.pk, reference.excluded.get(revision.pk))
        for row, (_write, reference) in zip(rows, new, strict=True)
        for revision in reference.place.answers
    )
    _write_reviews(run, writes)
    readings = [reading for write in writes for reading in write.inputs.readings]
    mark_used(readings=[one for one in readings if holds_fast or one.annotation_import_id is not None])
    return len(rows)


def _row(run: ConsensusRun, case: Case, new: NewReference) -> Reference:
    latest = new.place.latest
    return Reference(
        run=run,
        case=case,
        image=new.place.image,
        target=new.place.row,
        version=latest.version + 1 if latest else 1,
        previous=latest,
        kind=new.place.row.kind,
        state=new.state,
        answer=new.stored.answer,
        geometry=new.stored.geometry,
        runs=new.stored.runs,
        label=new.stored.label,
        signs=list(new.stored.signs),
        votes=new.votes,
        measures=new.measures,
        inputs_digest=new.inputs_digest,
        digest=new.digest,
        decided_by=new.decided_by,
        decided_at=new.decided_at,
        comment=new.comment,
        displacement=new.displacement,
        restores=new.restores,
        source=new.source,
    )


def _input(row: Reference, revision: int, left: Left | None) -> ReferenceInput:
    if left is None:
        return ReferenceInput(reference=row, revision_id=revision)
    return ReferenceInput(reference=row, revision_id=revision, included=False, reason=left.reason, note=left.note)


def _write_reviews(run: ConsensusRun, writes: Sequence[CaseWrite]) -> None:
    known = {row.case_id: row for row in CaseReview.objects.filter(case__in=[write.inputs.case.pk for write in writes])}
    digest = rules_digest(recipe_of(run.study))
    fresh, changed = [], []
    for write in writes:
        review = known.get(write.inputs.case.pk)
        if review is None:
            review = CaseReview(case=write.inputs.case)
            fresh.append(review)
        else:
            changed.append(review)
        review.run, review.rules_digest = run, digest
        _number(review, write, run)
    CaseReview.objects.bulk_create(fresh)
    CaseReview.objects.bulk_update(changed, NUMBERS)
    rests_on = CaseReview.readings.through
    rests_on.objects.filter(casereview__in=changed).delete()
    reviews = {review.case_id: review for review in (*fresh, *changed)}
    rests_on.objects.bulk_create(
        rests_on(casereview=reviews[write.inputs.case.pk], reading=reading)
        for write in writes
        for reading in write.inputs.readings
    )


NUMBERS = (
    *("run", "rules_digest", "references_open", "measures", "gci", "distance_px", "vcdr_spread", "label_split"),
    *("disagreement", "deferred_at", "deferred_by", "deferred_note"),
)


def _number(review: CaseReview, write: CaseWrite, run: ConsensusRun) -> None:
    standings = [fusion.standing for fusion in write.fusion.places.values()]
    marks = [(fusion.place, fusion.marked) for fusion in write.fusion.places.values()]
    review.measures = case_measures(recipe_of(run.study), marks)
    standing, review.vcdr_spread = standing_of(standings, review.measures)
    review.gci, review.distance_px = standing.gci, standing.distance_px
    review.label_split, review.disagreement = standing.label_split, standing.disagreement
    review.references_open = open_places(write)
    if any(reference.state != Reference.State.AUTOMATIC for reference in write.new):
        review.deferred_at, review.deferred_by, review.deferred_note = None, None, ""


def open_places(write: CaseWrite) -> int:
    """Voted places that nobody has decided, as they are after the write."""
    after = {reference.place.key: reference.decided_at is not None for reference in write.new}
    return sum(not after.get(key, _is_decided(fusion.place)) for key, fusion in write.fusion.places.items())


def _is_decided(place: Place) -> bool:
    return place.latest is not None and (place.latest.decided or place.latest.state == ReferenceState.IMPORTED)


def new_places(fusion: CaseFusion) -> Iterable[PlaceKey]:
    """Where the vote rests on other readings, or another rule, than the reference; or there is none yet. What was
    imported as a reference stays until a person decides otherwise."""
    for key, each in fusion.places.items():
        latest = each.place.latest
        if latest is not None and latest.state == ReferenceState.IMPORTED:
            continue
        if latest is None or latest.inputs_digest != each.inputs_digest or _is_estimated_anew(latest, each):
            yield key


def _is_estimated_anew(latest: Reference, fusion: PlaceFusion) -> bool:
    """All cases together may say something else of this one. What a person has decided stays."""
    now, before = fusion.measures.get("posterior"), latest.measures.get("posterior", {})
    if now is None or latest.decided:
        return False
    return any(abs(share - before.get(label, -1.0)) > SAME_SHARE for label, share in now.items())
