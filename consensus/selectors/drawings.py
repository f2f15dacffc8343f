"""Graders' drawings beside the vote of the others, case by case, and whether a report still rests on what was drawn."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotator.models import Membership, Study
from annotator.selectors.recipes import recipe_of
from consensus.models import DrawingReport, ReferenceInput
from consensus.programme.drawing import Beside, Mean, beside_others, is_drawn, mean_of
from consensus.selectors.agreement import readings_digest
from consensus.selectors.inputs import inputs_of
from protocols.recipe import Recipe
from protocols.targets import Target


@dataclass(frozen=True)
class Drawn:
    """One drawing of one grader (membership)."""

    target: str
    grader: int
    case: int
    at: datetime
    beside: Beside


@dataclass(frozen=True)
class Drawings:
    """All of a grader's drawings of one target, as they were kept, in the order of reading."""

    cases: list[int]
    at: list[datetime]
    values: list[float]
    shares: list[float]
    offsets: list[tuple[float, float]]

    @property
    def mean(self) -> Mean:
        return mean_of(self.values)


def drawn_targets(recipe: Recipe) -> list[Target]:
    return [target for target in recipe.targets if is_drawn(target)]


def latest_drawings(study: Study) -> DrawingReport | None:
    return DrawingReport.objects.filter(study=study).first()


def drawings_digest(study: Study) -> str:
    """Of the readings in force, and of the answers that seniors have left out."""
    left = ReferenceInput.objects.filter(
        reference__case__study=study, reference__following__isnull=True, included=False
    ).order_by("revision")
    told = " ".join(str(pk) for pk in left.values_list("revision", flat=True))
    return hashlib.sha256(f"{readings_digest(study)} {told}".encode()).hexdigest()


def compared(study: Study, case_ids: Sequence[int]) -> Iterator[Drawn]:
    keys = {target.key for target in drawn_targets(recipe_of(study))}
    for inputs in inputs_of(study, case_ids):
        readings = {reading.pk: reading for reading in inputs.readings}
        for place in inputs.places.values():
            if place.row.key not in keys or not place.answers:
                continue
            owner = {str(row.pk): readings[row.reading_id] for row in place.answers}
            replies = {str(row.pk): place.reply(row) for row in place.answers}
            voters = [str(row.pk) for row in place.answers if row.pk not in place.excluded]
            found = beside_others(place.asked, replies, voters, place.image.width, place.image.height)
            for answer, beside in found.items():
                reading = owner[answer]
                grader, at = reading.assignment.grader_id, reading.submitted_at
                yield Drawn(place.row.key, grader, inputs.case.number, at, beside)


def kept_drawings(report: DrawingReport, target: str) -> dict[str, Drawings]:
    """By the grader's code."""
    return {code: _drawings(rows) for code, rows in report.content["targets"].get(target, {}).items()}


def _drawings(rows: Sequence[Sequence[float | str | None]]) -> Drawings:
    made = Drawings([], [], [], [], [])
    for case, at, value, share, dx, dy in rows:
        made.cases.append(int(case or 0))
        made.at.append(datetime.fromisoformat(str(at)))
        made.values.append(float(value or 0.0))
        if share is not None:
            made.shares.append(float(share))
        if dx is not None and dy is not None:
            made.offsets.append((float(dx), float(dy)))
    return made


def as_rows(drawn: Sequence[Drawn], codes: Mapping[int, str]) -> dict[str, dict[str, list[list[float | str | None]]]]:
    """By target and code, in the order of reading; a report's content."""
    found: dict[str, dict[str, list[list[float | str | None]]]] = {}
    for one in sorted(drawn, key=lambda each: (each.at, each.case)):
        mine = found.setdefault(one.target, {}).setdefault(codes[one.grader], [])
        numbers = [_short(one.beside.value), _short(one.beside.share), _short(one.beside.dx), _short(one.beside.dy)]
        mine.append([one.case, one.at.isoformat(), *numbers])
    return found


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def codes_of(study: Study) -> dict[int, str]:
    return dict(Membership.objects.filter(study=study).values_list("pk", "code"))
