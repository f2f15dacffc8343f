"""The answers of all graders of a study, gathered into tables, and whether a report still rests on them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.geometry.runs import Toggles
from annotator.models import Case, Study
from annotator.selectors.recipes import recipe_of
from consensus.agreement.collection import Origin, Sheet
from consensus.fusion.registry import union
from consensus.fusion.replies import Reply
from consensus.fusion.standing import ratios
from consensus.models import AgreementReport
from consensus.selectors.inputs import CaseInputs, Place, inputs_of, voted_places
from consensus.selectors.taking_part import readings_taking_part
from protocols.names import Kind
from protocols.recipe import Recipe

NOTHING: Toggles = np.zeros(0, dtype=np.int32)
DEVICE = "device"


@dataclass(frozen=True, eq=False)
class Sheets:
    """By the key of a target or of a measure."""

    targets: dict[str, Sheet]
    measures: dict[str, Sheet]


def cases_read(study: Study) -> list[int]:
    read = readings_taking_part().filter(assignment__case__study=study).order_by().values("assignment__case")
    return list(Case.objects.filter(pk__in=read).order_by("number").values_list("pk", flat=True))


def readings_digest(study: Study) -> str:
    """Of the readings that take part and the recipe they were made by."""
    rows = readings_taking_part().filter(assignment__case__study=study).order_by("pk").values_list("pk", "digest")
    lines = [study.recipe_digest, *(f"{pk} {digest}" for pk, digest in rows)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def latest_report(study: Study) -> AgreementReport | None:
    return AgreementReport.objects.filter(study=study).first()


def empty_sheets(recipe: Recipe, graders: Sequence[str]) -> Sheets:
    asked = {target.key: target for target in recipe.targets}
    targets = {key: Sheet(graders) for key, target in asked.items() if target.kind is not Kind.POLYLINE}
    return Sheets(targets, {measure.key: Sheet(graders) for measure in recipe.measures})


def gather(sheets: Sheets, study: Study, case_ids: Sequence[int], letters: Mapping[int, str]) -> None:
    """Add some cases to the sheets; readings of those who have a letter."""
    recipe = recipe_of(study)
    for inputs in inputs_of(study, case_ids):
        readers = {reading.pk: reading.assignment.grader_id for reading in inputs.readings}
        by_reading = {reading: letters[grader] for reading, grader in readers.items() if grader in letters}
        areas: dict[int, dict[str, Mapping[str, Toggles]]] = {}
        for place, replies in _answered(inputs, by_reading):
            marked = _add(sheets.targets[place.row.key], inputs, place, replies)
            areas.setdefault(place.position, {})[place.row.key] = marked
        _add_measures(sheets, recipe, inputs, areas)


def _answered(inputs: CaseInputs, by_reading: Mapping[int, str]) -> Iterator[tuple[Place, dict[str, Reply]]]:
    for place in voted_places(inputs):
        known = [revision for revision in place.answers if revision.reading_id in by_reading]
        yield place, {by_reading[revision.reading_id]: place.reply(revision) for revision in known}


def _origin(inputs: CaseInputs, place: Place) -> Origin:
    strata = {name: str(value) for name, value in inputs.case.strata.items()}
    if place.image.device:
        strata[DEVICE] = place.image.device
    return Origin(inputs.case.number, inputs.case.public_id, place.position, place.image.subject_id, strata)


def _add(sheet: Sheet, inputs: CaseInputs, place: Place, replies: Mapping[str, Reply]) -> Mapping[str, Toggles]:
    """The areas that were marked, for measures that need several targets."""
    origin = _origin(inputs, place)
    if place.asked.kind is Kind.POINT:
        sheet.add_points(origin, {grader: reply.point for grader, reply in replies.items()})
        return {}
    if place.asked.kind is Kind.LABEL:
        order = [option.key for option in place.asked.options]
        given = {grader: order.index(reply.label) for grader, reply in replies.items() if reply.label in order}
        sheet.add_numbers(origin, {grader: float(label) for grader, label in given.items()})
        return {}
    marked = {grader: union(reply.masks) for grader, reply in replies.items()}
    sheet.add_areas(origin, marked, place.image.width, place.image.height)
    return {grader: area for grader, area in marked.items() if len(area)}


def _add_measures(
    sheets: Sheets, recipe: Recipe, inputs: CaseInputs, areas: Mapping[int, Mapping[str, Mapping[str, Toggles]]]
) -> None:
    places = {place.position: place for place in inputs.places.values()}
    for measure in recipe.measures:
        for position, marked in areas.items():
            image = places[position].image
            values = ratios(measure, marked, image.width, image.height)
            if values:
                sheets.measures[measure.key].add_numbers(_origin(inputs, places[position]), values)
