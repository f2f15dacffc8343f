"""What graders said, beside the vote of the others and beside the reference, photograph by photograph."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.models import Membership, Study
from consensus.fusion.registry import fuse, is_estimated, is_fused, knows
from consensus.fusion.replies import UNDECIDED, Reply
from consensus.fusion.stored import reply_of
from consensus.models import DatasetReference, DatasetVersion, Reference
from consensus.selectors.agreement import readings_digest
from consensus.selectors.datasets import signed_version, versions_of
from consensus.selectors.inputs import CaseInputs, Place, PlaceKey, inputs_of
from evaluation.models import GraderScores
from evaluation.scoring.beside import Beside, reply_to


@dataclass(frozen=True, eq=False)
class Compared:
    """One grader's photograph; `others` where the others' answers make a vote."""

    letter: str
    others: Beside
    reference: Beside


def version_to_score_by(study: Study) -> DatasetVersion | None:
    """What was signed off, else what was frozen last; None while nothing is frozen."""
    return signed_version(study) or versions_of(study).first()


def latest_scores(study: Study) -> GraderScores | None:
    return GraderScores.objects.filter(study=study).select_related("version").first()


def scored_from(study: Study, version: DatasetVersion | None) -> str:
    """Digest of the readings, and of the references they are compared with."""
    if version is not None:
        stand = version.digest
    else:
        rows = Reference.objects.filter(case__study=study, following__isnull=True).order_by("pk")
        stand = " ".join(rows.values_list("digest", flat=True))
    return hashlib.sha256(f"{readings_digest(study)} {stand}".encode()).hexdigest()


def adjudicating_graders(study: Study) -> set[int]:
    """Graders (membership ids) who have settled labels of the study too: the reference is partly their own word."""
    settled = Reference.objects.filter(case__study=study, state=Reference.State.ADJUDICATED)
    rows = Membership.objects.filter(study=study, user__in=settled.values("decided_by"))
    return set(rows.values_list("pk", flat=True))


def compared(
    study: Study, case_ids: Sequence[int], letters: Mapping[int, str], version: DatasetVersion | None
) -> Iterator[Compared]:
    references = _references(case_ids, version)
    for inputs in inputs_of(study, case_ids):
        owner = {reading.pk: letters.get(reading.assignment.grader_id) for reading in inputs.readings}
        photographs = sorted({place.position for place in inputs.places.values()})
        for position in photographs:
            places = [place for place in inputs.places.values() if place.position == position]
            yield from _of_photograph(inputs, places, owner, references, several=len(photographs) > 1)


def _of_photograph(
    inputs: CaseInputs,
    places: Sequence[Place],
    owner: Mapping[int, str | None],
    references: Mapping[PlaceKey, Reference],
    *,
    several: bool,
) -> Iterator[Compared]:
    image, position = places[0].image, places[0].position
    name = f"{inputs.case.number}/{position}" if several else str(inputs.case.number)
    said: dict[str, dict[str, Reply]] = {}
    voters: dict[str, dict[str, Reply]] = {}
    for place in places:
        for revision in place.answers:
            letter = owner[revision.reading_id]
            if letter is None:
                continue
            reply = place.reply(revision)
            said.setdefault(letter, {})[place.row.key] = reply
            if revision.pk not in place.excluded:  # what a senior judged failed has no vote about others either
                voters.setdefault(place.row.key, {})[letter] = reply
    stands = {place.row.key: _reply(place, references[place.key]) for place in places if place.key in references}
    known = {key: reply for key, reply in stands.items() if reply is not None}
    for letter, answers in said.items():
        voted = {
            place.row.key: vote
            for place in places
            if place.row.key in answers and (vote := _vote(place, voters.get(place.row.key, {}), letter)) is not None
        }
        sides = [Beside(name, image.subject_id, image.width, image.height, side, answers) for side in (voted, known)]
        yield Compared(letter, *sides)


def _vote(place: Place, voters: Mapping[str, Reply], without: str) -> Reply | None:
    """What the others say together; None where too few have answered or they leave it open."""
    target = place.asked
    others = [reply for letter, reply in voters.items() if letter != without]
    if not others or not is_fused(target) or is_estimated(target) or not knows(target):
        return None
    return reply_to(fuse(target, others, place.image.width, place.image.height))


def _references(case_ids: Sequence[int], version: DatasetVersion | None) -> dict[PlaceKey, Reference]:
    rows = Reference.objects.filter(case__in=case_ids).defer("votes")
    if version is None:
        rows = rows.filter(following__isnull=True)
    else:
        rows = rows.filter(pk__in=DatasetReference.objects.filter(version=version).values("reference"))
    return {(row.image_id, row.target_id): row for row in rows}


def _reply(place: Place, row: Reference) -> Reply | None:
    if row.answer == UNDECIDED:
        return None
    return reply_of(
        place.asked.kind,
        answer=row.answer,
        geometry=row.geometry,
        packed=bytes(row.runs) if row.runs is not None else None,
        label=row.label,
        signs=row.signs,
        width=place.image.width,
        height=place.image.height,
    )
