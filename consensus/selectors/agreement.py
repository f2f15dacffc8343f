"""The answers of all graders of a study, gathered into tables, and whether a report still rests on them."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import QuerySet

from annotator.geometry.runs import Toggles
from annotator.models import Case, Reading, Study
from annotator.selectors.recipes import recipe_of
from annotator.services.field_of_view import field_px
from consensus.agreement.collection import Origin, Sheet
from consensus.agreement.twice import BOTH
from consensus.fusion.openings import openings
from consensus.fusion.registry import union
from consensus.fusion.replies import Reply
from consensus.fusion.standing import field_shares, measures_fields, ratios
from consensus.models import AgreementReport, DatasetVersion, Reference
from consensus.selectors.inputs import CaseInputs, Place, inputs_of, voted_places
from consensus.selectors.lines import Lines, drawn_lines, lines_of, scale_of
from consensus.selectors.taking_part import readings_taking_part, readings_twice
from protocols.names import Kind
from protocols.recipe import Recipe
from protocols.scoring_names import MeasureRule

DEVICE = "device"


@dataclass(frozen=True, eq=False)
class Sheets:
    """By the key of a target or of a measure."""

    targets: dict[str, Sheet]
    measures: dict[str, Sheet]


def is_read(study: Study) -> bool:
    return readings_taking_part().filter(assignment__case__study=study).exists()


@dataclass(frozen=True)
class Basis:
    """The readings that are compared, and the lines that measures are taken from."""

    readings: QuerySet[Reading]
    lines: QuerySet[Reference]
    twice: QuerySet[Reading] = field(default_factory=Reading.objects.none)

    def digest(self, study: Study) -> str:
        """Of all of them and of the recipe they were made by."""
        rows = self.readings.filter(assignment__case__study=study).order_by("pk").values_list("pk", "digest")
        drawn = self.lines.filter(case__study=study).order_by("pk").values_list("pk", flat=True)
        again = self.twice.filter(assignment__case__study=study).order_by("pk").values_list("pk", flat=True)
        told = [study.recipe_digest, *(f"{pk} {digest}" for pk, digest in rows), *(f"line {pk}" for pk in drawn)]
        told += [f"twice {pk}" for pk in again]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()


def basis_now() -> Basis:
    return Basis(readings_taking_part(), drawn_lines(), readings_twice())


def basis_of(version: DatasetVersion, cases: QuerySet[Any, Any] | None = None) -> Basis:
    """What a frozen version rests on, or some cases of it."""
    held = Reference.objects.filter(pk__in=version.references.values("reference"), kind=Kind.POLYLINE)
    readings = Reading.objects.filter(pk__in=version.readings.values("reading"))
    if cases is not None:
        held, readings = held.filter(case__in=cases), readings.filter(assignment__case__in=cases)
    return Basis(readings, held.filter(answer=Reference.Answer.PRESENT))


def cases_read(study: Study, basis: Basis | None = None) -> list[int]:
    """By those who take part now, or by those of another basis."""
    read = (basis or basis_now()).readings.filter(assignment__case__study=study).order_by().values("assignment__case")
    return list(Case.objects.filter(pk__in=read).order_by("number").values_list("pk", flat=True))


def readings_digest(study: Study) -> str:
    return basis_now().digest(study)


def latest_report(study: Study) -> AgreementReport | None:
    return AgreementReport.objects.filter(study=study).first()


def empty_sheets(recipe: Recipe, graders: Sequence[str]) -> Sheets:
    asked = {target.key: target for target in recipe.targets}
    targets = {key: Sheet(graders) for key, target in asked.items() if target.kind is not Kind.POLYLINE}
    return Sheets(targets, {measure.key: Sheet(graders) for measure in recipe.measures})


def gather(sheets: Sheets, study: Study, case_ids: Sequence[int], letters: Mapping[int, str], basis: Basis) -> None:
    """Add some cases to the sheets; readings of those who have a letter."""
    _gather(sheets, study, case_ids, basis, lambda reading: letters.get(reading.assignment.grader_id))


def gather_twice(sheets: Sheets, study: Study, grader: int, basis: Basis) -> None:
    """Add what one grader has read twice; the repeat is the second column."""
    own = replace(basis, readings=basis.twice.filter(assignment__grader=grader))
    _gather(
        sheets, study, cases_read(study, own), own, lambda reading: BOTH[reading.assignment.repeat_of_id is not None]
    )


def graders_twice(study: Study, basis: Basis) -> list[int]:
    rows = basis.twice.filter(assignment__case__study=study).order_by("assignment__grader")
    return list(rows.values_list("assignment__grader", flat=True).distinct())


def _gather(
    sheets: Sheets, study: Study, case_ids: Sequence[int], basis: Basis, column: Callable[[Reading], str | None]
) -> None:
    recipe = recipe_of(study)
    measured = any(measure.rule is MeasureRule.AOD500 for measure in recipe.measures)
    lines = lines_of(case_ids, basis.lines) if measured else {}
    for inputs in inputs_of(study, case_ids, basis.readings):
        columns = {reading.pk: column(reading) for reading in inputs.readings}
        by_reading = {reading: letter for reading, letter in columns.items() if letter is not None}
        answered: dict[int, dict[str, dict[str, Reply]]] = {}
        for place, replies in _answered(inputs, by_reading):
            _add(sheets.targets[place.row.key], inputs, place, replies)
            answered.setdefault(place.position, {})[place.row.key] = replies
        _add_measures(sheets, recipe, inputs, answered, lines)


def _answered(inputs: CaseInputs, by_reading: Mapping[int, str]) -> Iterator[tuple[Place, dict[str, Reply]]]:
    for place in voted_places(inputs):
        known = [revision for revision in place.answers if revision.reading_id in by_reading]
        yield place, {by_reading[revision.reading_id]: place.reply(revision) for revision in known}


def _origin(inputs: CaseInputs, place: Place) -> Origin:
    strata = {name: str(value) for name, value in inputs.case.strata.items()}
    if place.image.device:
        strata[DEVICE] = place.image.device
    return Origin(inputs.case.number, inputs.case.public_id, place.position, place.image.subject_id, strata)


def _add(sheet: Sheet, inputs: CaseInputs, place: Place, replies: Mapping[str, Reply]) -> None:
    origin = _origin(inputs, place)
    if place.asked.kind is Kind.POINT:
        sheet.add_points(origin, {grader: reply.point for grader, reply in replies.items()})
    elif place.asked.kind is Kind.LABEL:
        order = [option.key for option in place.asked.options]
        given = {grader: order.index(reply.label) for grader, reply in replies.items() if reply.label in order}
        sheet.add_numbers(origin, {grader: float(label) for grader, label in given.items()})
    else:
        marked = {grader: _whole(reply) for grader, reply in replies.items()}
        sheet.add_areas(origin, marked, place.image.width, place.image.height)


def _whole(reply: Reply) -> Toggles:
    """All objects of a reading together."""
    return reply.masks[0] if len(reply.masks) == 1 else union(reply.masks)


def _add_measures(
    sheets: Sheets,
    recipe: Recipe,
    inputs: CaseInputs,
    answered: Mapping[int, Mapping[str, Mapping[str, Reply]]],
    lines: Lines,
) -> None:
    """Measures that need several targets, of every photograph."""
    places = {place.position: place for place in inputs.places.values()}
    for position, targets in answered.items():
        image = places[position].image
        areas = {
            key: {who: area for who, reply in told.items() if len(area := _whole(reply))}
            for key, told in targets.items()
        }
        points = {key: {who: r.point for who, r in told.items() if r.point} for key, told in targets.items()}
        field = field_px(image) if measures_fields(recipe.measures) else None
        for measure in recipe.measures:
            values = ratios(measure, areas, image.width, image.height)
            if values is None:
                values = field_shares(measure, areas, image.width, image.height, field)
            if values is None:
                values = openings(measure, points, lines.get(image.pk, {}), image.width, scale_of(image))
            if values:
                sheets.measures[measure.key].add_numbers(_origin(inputs, places[position]), values)
