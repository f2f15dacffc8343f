"""Everything that the fusion of some cases needs, in a few queries however many cases there are."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from annotator.models import Case, CaseImage, Image, Reading, Revision, Study, Target
from annotator.selectors.recipes import recipe_of
from consensus.fusion.estimate import Estimate
from consensus.fusion.replies import Reply
from consensus.fusion.stored import reply_of
from consensus.models import Reference, ReferenceInput
from consensus.selectors.estimates import latest_estimates
from consensus.selectors.standing import is_voted
from consensus.selectors.taking_part import readings_taking_part
from protocols.names import Kind
from protocols.targets import Target as Asked

PlaceKey = tuple[int, int]
"""Image and target, by their row numbers."""
BLOBS = ("runs", "votes")


@dataclass(frozen=True)
class Left:
    """Why a reading was left out of a reference."""

    reason: str
    note: str = ""


@dataclass(frozen=True)
class Place:
    """A target on an image, and what stands there now."""

    image: Image
    position: int
    row: Target
    asked: Asked
    answers: list[Revision] = field(default_factory=list)
    latest: Reference | None = None
    excluded: dict[int, Left] = field(default_factory=dict)  # by revision, as in the latest reference
    estimate: Estimate | None = None  # of the graders over the whole study, where the rule needs it

    @property
    def key(self) -> PlaceKey:
        return self.image.pk, self.row.pk

    @property
    def is_stale(self) -> bool:
        """Whether the reference rests on other readings, or another rule, than a vote now would."""
        if self.latest is None or self.latest.state == Reference.State.IMPORTED:
            return False
        return self.latest.inputs_digest != self.inputs_digest(self.excluded)

    def inputs_digest(self, excluded: Mapping[int, Left]) -> str:
        """Of all answers, those left out too, and the rule."""
        lines = [
            f"{revision.pk} {revision.digest} {excluded[revision.pk].reason if revision.pk in excluded else ''}"
            for revision in self.answers
        ]
        consensus = self.asked.consensus
        rule = (consensus.rule, consensus.ties, consensus.more_than, consensus.not_visible_from, consensus.min_readings)
        # What a rule does not ask for is not named, so that references of before rest on the same.
        region = (consensus.region_margin,) if consensus.region_margin is not None else ()
        said = " ".join(str(part) for part in (*rule, *region))
        return hashlib.sha256("\n".join([said, *sorted(lines)]).encode()).hexdigest()

    def reply(self, revision: Revision) -> Reply:
        """By the kind of the answer itself: an ellipse may have come as a mask."""
        return reply_of(
            Kind(revision.kind),
            answer=revision.answer,
            geometry=revision.geometry,
            packed=bytes(revision.runs) if revision.runs is not None else None,
            label=revision.label,
            signs=revision.signs,
            width=self.image.width,
            height=self.image.height,
        )


@dataclass(frozen=True)
class CaseInputs:
    case: Case
    readings: list[Reading]
    places: dict[PlaceKey, Place]

    @property
    def reading_ids(self) -> frozenset[int]:
        return frozenset(reading.pk for reading in self.readings)

    def place(self, position: int, target: str) -> Place | None:
        found = (each for each in self.places.values() if (each.position, each.row.key) == (position, target))
        return next(found, None)


def inputs_of(study: Study, case_ids: Sequence[int], among: QuerySet[Reading] | None = None) -> list[CaseInputs]:
    """In the order asked for; every place of every case, read or not. `among`: other readings than those that take
    part now."""
    targets = _targets(study)
    cases = {case.pk: case for case in Case.objects.filter(pk__in=case_ids)}
    gathered = {pk: CaseInputs(cases[pk], [], {}) for pk in case_ids if pk in cases}
    _add_places(gathered, targets, latest_estimates(study))
    taking_part = readings_taking_part() if among is None else among
    readings = taking_part.filter(assignment__case__in=case_ids).select_related("assignment").order_by("pk")
    owner = {}
    for reading in readings:
        gathered[reading.assignment.case_id].readings.append(reading)
        owner[reading.pk] = reading.assignment.case_id
    for revision in Revision.objects.filter(reading__in=list(owner)).order_by("pk"):
        place = gathered[owner[revision.reading_id]].places.get((revision.image_id, revision.target_id))
        if place is not None:
            place.answers.append(revision)
    return list(gathered.values())


def _targets(study: Study) -> list[tuple[Target, Asked]]:
    recipe = recipe_of(study)
    rows = Target.objects.filter(study=study).exclude(source=Target.Source.IMPORTED).order_by("position")
    return [(row, recipe.target(row.key)) for row in rows]


def _add_places(
    gathered: dict[int, CaseInputs], targets: Iterable[tuple[Target, Asked]], estimates: Mapping[str, Estimate]
) -> None:
    latest = _latest(list(gathered))
    excluded = _excluded([reference.pk for reference in latest.values()])
    images = CaseImage.objects.filter(case__in=list(gathered)).select_related("image").order_by("position")
    wanted = list(targets)
    for row in images:
        for target, asked in wanted:
            reference = latest.get((row.image_id, target.pk))
            place = Place(
                image=row.image,
                position=row.position,
                row=target,
                asked=asked,
                latest=reference,
                excluded=excluded.get(reference.pk, {}) if reference else {},
                estimate=estimates.get(asked.key),
            )
            gathered[row.case_id].places[place.key] = place


def _latest(case_ids: Sequence[int]) -> dict[PlaceKey, Reference]:
    rows = Reference.objects.filter(case__in=case_ids, following__isnull=True).select_related("run").defer(*BLOBS)
    return {(row.image_id, row.target_id): row for row in rows}


def _excluded(references: Sequence[int]) -> dict[int, dict[int, Left]]:
    found: dict[int, dict[int, Left]] = {}
    for row in ReferenceInput.objects.filter(reference__in=references, included=False):
        found.setdefault(row.reference_id, {})[row.revision_id] = Left(row.reason, row.note)
    return found


def voted_places(inputs: CaseInputs) -> list[Place]:
    """Where a rule makes the answers one, and somebody has answered or had answered."""
    return [place for place in inputs.places.values() if is_voted(place.asked) and (place.answers or place.latest)]
