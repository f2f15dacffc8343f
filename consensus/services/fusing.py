"""One case is fused: read, one pure computation, and what is to be written. Nothing is written here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotator.geometry.runs import Toggles
from annotator.models import Revision
from consensus.fusion.digests import fused_digest
from consensus.fusion.registry import Heard, fuse
from consensus.fusion.replies import UNDECIDED, Fused, Reply
from consensus.fusion.soft import pack_votes
from consensus.fusion.standing import Standing, case_standing, place_standing, ratios, spread
from consensus.fusion.stored import Stored, stored_of
from consensus.selectors.inputs import CaseInputs, Left, Place, PlaceKey, voted_places
from protocols.names import Kind
from protocols.recipe import Recipe

REFERENCE = "reference"  # beside the graders' letters in a table of measures
Replies = Mapping[int, Reply]
"""By revision."""


@dataclass(frozen=True, eq=False)
class PlaceFusion:
    """What the readings of one place give, without those left out."""

    place: Place
    excluded: Mapping[int, Left]
    fused: Fused
    stored: Stored
    votes: bytes | None
    measures: dict[str, Any]
    inputs_digest: str
    digest: str
    standing: Standing
    marked: Mapping[str, Toggles]  # areas by grader's letter, and the reference's

    def with_reference(self, mask: Toggles) -> "PlaceFusion":
        """The same readings beside another reference, such as a senior's correction."""
        return replace(self, marked={**self.marked, REFERENCE: mask})


@dataclass(frozen=True, eq=False)
class CaseFusion:
    inputs: CaseInputs
    places: dict[PlaceKey, PlaceFusion]


def fuse_case(
    inputs: CaseInputs, letters: Mapping[int, str], excluded: Mapping[PlaceKey, Mapping[int, Left]] | None = None
) -> CaseFusion:
    """Every voted place by its rule. `excluded` says which readings are now left out where; elsewhere those stay out
    that a senior left out before. ValueError names what does not fit."""
    by_reading = {reading.pk: letters[reading.assignment.grader_id] for reading in inputs.readings}
    left = excluded or {}
    fused = {
        place.key: fuse_place(place, left.get(place.key, place.excluded), by_reading) for place in voted_places(inputs)
    }
    return CaseFusion(inputs, fused)


def fuse_place(place: Place, excluded: Mapping[int, Left], by_reading: Mapping[int, str]) -> PlaceFusion:
    """`by_reading` says by which letter each reading goes."""
    present = {revision.pk for revision in place.answers}
    left = {revision: why for revision, why in excluded.items() if revision in present}
    kept = [revision for revision in place.answers if revision.pk not in left]
    letters = [by_reading[revision.reading_id] for revision in kept]
    replies = [_reply(place, revision, letter) for revision, letter in zip(kept, letters, strict=True)]
    width, height = place.image.width, place.image.height
    heard = Heard(letters, place.estimate) if place.estimate is not None else None
    fused = fuse(place.asked, replies, width, height, heard) if replies else Fused(answer=UNDECIDED)
    marked = {
        letter: reply.masks[0]
        for letter, reply in zip(letters, replies, strict=True)
        if len(reply.masks) == 1 and place.asked.kind is not Kind.OBJECTS
    }
    if len(fused.masks) == 1 and place.asked.kind is not Kind.OBJECTS:
        marked[REFERENCE] = fused.masks[0]
    return PlaceFusion(
        place=place,
        excluded=left,
        fused=fused,
        stored=stored_of(place.asked.kind, fused),
        votes=pack_votes(fused.votes) if fused.votes is not None else None,
        measures=_told(fused, letters),
        inputs_digest=place.inputs_digest(left),
        digest=fused_digest(place.asked.kind, fused, width, height),
        standing=place_standing(fused, width, height),
        marked=marked,
    )


def _reply(place: Place, revision: Revision, letter: str) -> Reply:
    try:
        return place.reply(revision)
    except ValueError as fault:
        raise ValueError(f"{place.row.key}, grader {letter}: {fault}") from fault


def _told(fused: Fused, letters: list[str]) -> dict[str, Any]:
    """Measures as they are kept: rows by letter instead of by place in the vote."""
    measures = fused.measures
    told: dict[str, Any] = {"numbers": dict(measures.numbers), "counts": dict(measures.counts)}
    told["graders"] = {
        letter: {name: row[place] for name, row in measures.per_reply.items() if row[place] is not None}
        for place, letter in enumerate(letters)
    }
    if measures.posterior:
        told["posterior"] = dict(measures.posterior)
    if measures.left_out:
        told["left_out"] = [{**left, "reply": letters[left["reply"]]} for left in measures.left_out]
    return told


def case_measures(recipe: Recipe, marks: Iterable[tuple[Place, Mapping[str, Toggles]]]) -> dict[str, Any]:
    """Measures that need several targets, such as the cup-to-disc ratio: by measure and photograph, then by letter."""
    known = list(marks)
    found: dict[str, Any] = {}
    for measure in recipe.measures:
        for position, image in sorted({place.position: place.image for place, _areas in known}.items()):
            here = {place.row.key: areas for place, areas in known if place.position == position}
            values = ratios(measure, here, image.width, image.height)
            if values:
                found.setdefault(measure.key, {})[str(position)] = values
    return found


def standing_of(places: list[Standing], measures: Mapping[str, Any]) -> tuple[Standing, float | None]:
    """Of the whole case, and how far the graders' cup-to-disc ratios lie apart."""
    spreads = [
        spread([value for who, value in values.items() if who != REFERENCE])
        for photographs in measures.values()
        for values in photographs.values()
    ]
    widest = max((known for known in spreads if known is not None), default=None)
    return case_standing(places, widest), widest
