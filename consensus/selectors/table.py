"""One case as it lies on the senior's table: all readings, the references, and the way to the next case."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from annotator.access import May
from annotator.access import rights as rights_in
from annotator.models import Case, Image, Reading, Study, User
from annotator.selectors.kept import Spot, content_of, travelling
from annotator.selectors.recipes import recipe_of
from consensus.models import CaseReview, Reference, ReferenceInput
from consensus.selectors.datasets import is_signed
from consensus.selectors.inputs import CaseInputs, Place, inputs_of
from consensus.selectors.letters import GraderShown, graders_shown
from consensus.selectors.queue import QueueAsked, QueuePlace, left_to_decide, place_in_queue
from consensus.selectors.readings import reading_name
from consensus.selectors.standing import standing_of_case
from consensus.selectors.truth import TruthShown, truth_of_case
from protocols.recipe import Recipe
from protocols.targets import Target as Asked


@dataclass(frozen=True)
class ImageShown:
    position: int
    image: Image


@dataclass(frozen=True)
class AnswerShown:
    position: int
    target: str
    content: dict[str, Any] | None
    masks: list[str]


@dataclass(frozen=True)
class ReadingShown:
    id: str
    grader: str
    comment: str
    imported: bool
    answers: list[AnswerShown]


@dataclass(frozen=True)
class InputShown:
    reading: str
    included: bool
    reason: str
    note: str


@dataclass(frozen=True)
class ReferenceShown(AnswerShown):
    version: int
    state: str
    stale: bool
    digest: str
    inputs: list[InputShown]
    measures: dict[str, Any]
    displacement: dict[str, Any] | None
    comment: str
    source: str
    decided_at: datetime | None
    decided_by: str | None


@dataclass(frozen=True)
class TableCase:
    case: Case
    study: Study
    recipe: Recipe
    review: CaseReview | None
    state: str
    may_decide: bool
    signed: bool
    can_undo: bool
    images: list[ImageShown]
    graders: list[GraderShown]
    targets: list[Asked]
    readings: list[ReadingShown]
    references: list[ReferenceShown]
    truth: list[TruthShown]
    place: QueuePlace
    left: int


def table_case(user: User, case: Case, asked: QueueAsked) -> TableCase:
    """Graders must have their letters; whoever opens a case for the first time has them drawn before."""
    study = case.study
    (inputs,) = inputs_of(study, [case.pk])
    graders = graders_shown(study)
    letters = {grader.grader_id: grader.code for grader in graders}
    here = {reading.assignment.grader_id for reading in inputs.readings}
    return TableCase(
        case=case,
        study=study,
        recipe=recipe_of(study),
        review=CaseReview.objects.filter(case=case).first(),
        state=standing_of_case(case),
        may_decide=May.DECIDE in rights_in(user, study),
        signed=is_signed(study),
        can_undo=any(place.latest is not None and place.latest.decided for place in inputs.places.values()),
        images=_images(inputs),
        graders=[grader for grader in graders if grader.grader_id in here],
        targets=list({place.row.key: place.asked for place in inputs.places.values()}.values()),
        readings=[_reading(inputs, reading, letters) for reading in inputs.readings],
        references=_references(inputs),
        truth=truth_of_case(case),
        place=place_in_queue(study, asked, case),
        left=left_to_decide(study),
    )


def _images(inputs: CaseInputs) -> list[ImageShown]:
    by_position = {place.position: place.image for place in inputs.places.values()}
    return [ImageShown(position, by_position[position]) for position in sorted(by_position)]


def _reading(inputs: CaseInputs, reading: Reading, letters: dict[int, str]) -> ReadingShown:
    answers = []
    for place in inputs.places.values():
        for revision in place.answers:
            if revision.reading_id == reading.pk:
                content, masks = travelling(revision.kind, content_of(revision), revision.runs, spot_of(place))
                answers.append(AnswerShown(place.position, place.row.key, content, masks))
    letter = letters[reading.assignment.grader_id]
    imported = reading.annotation_import_id is not None
    return ReadingShown(reading_name(reading.pk), letter, reading.comment, imported, answers)


def spot_of(place: Place) -> Spot:
    return Spot(place.position, place.image.width, place.image.height)


def _references(inputs: CaseInputs) -> list[ReferenceShown]:
    heads = [place.latest.pk for place in inputs.places.values() if place.latest is not None]
    full = {row.pk: row for row in Reference.objects.filter(pk__in=heads).select_related("decided_by").defer("votes")}
    given = inputs_shown(heads)
    return [
        reference_shown(place, full[place.latest.pk], given.get(place.latest.pk, []), stale=place.is_stale)
        for place in inputs.places.values()
        if place.latest is not None
    ]


def inputs_shown(references: list[int]) -> dict[int, list[InputShown]]:
    found: dict[int, list[InputShown]] = {}
    rows = ReferenceInput.objects.filter(reference__in=references).select_related("revision").order_by("pk")
    for row in rows.defer("revision__runs", "revision__geometry"):
        shown = InputShown(reading_name(row.revision.reading_id), row.included, row.reason, row.note)
        found.setdefault(row.reference_id, []).append(shown)
    return found


def reference_shown(place: Place, row: Reference, inputs: list[InputShown], *, stale: bool) -> ReferenceShown:
    content: dict[str, Any] = {name: getattr(row, name) for name in ("answer", "geometry", "label", "signs")}
    sent, masks = travelling(row.kind, {**content, "confidence": None}, row.runs, spot_of(place))
    return ReferenceShown(
        position=place.position,
        target=place.row.key,
        content=sent,
        masks=masks,
        version=row.version,
        state=row.state,
        stale=stale,
        digest=row.digest,
        inputs=inputs,
        measures=row.measures,
        displacement=row.displacement,
        comment=row.comment,
        source=row.source,
        decided_at=timezone.localtime(row.decided_at) if row.decided_at else None,
        decided_by=row.decided_by.name if row.decided_by else None,
    )
