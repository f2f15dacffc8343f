"""Whether a version still is what was frozen: everything is computed once more from what is stored."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from annotator.answers import masks_of
from annotator.geometry.runs import unpack
from annotator.models import Revision
from annotator.services.images import image_store
from annotator.services.readings import reading_digest
from annotator.stored_answers import stored_digest
from consensus.fusion.digests import area_digest, objects_digest, points_digest, word_digest
from consensus.fusion.replies import PRESENT
from consensus.manifest import digest_of
from consensus.models import DatasetVersion, Reference
from consensus.selectors.dataset_content import content_of
from consensus.selectors.letters import letters_of
from protocols.names import Kind

CHUNK = 500


def faults_of(version: DatasetVersion) -> Iterator[str]:
    """Each thing that differs, in words; none when the version is whole."""
    content = content_of(version)
    if digest_of(content) != version.digest or content.counts() != version.counts:
        yield "manifest: the rows of the version are not those that were frozen"
    yield from _images(version)
    yield from _references(version)
    yield from _readings(version)


def _images(version: DatasetVersion) -> Iterator[str]:
    store = image_store()
    rows = version.images.order_by("case__number", "position")
    for number, position, sha256 in rows.values_list("case__number", "position", "sha256").iterator(CHUNK):
        path = store.path(sha256)
        where = f"image of case {number}, photograph {position}"
        if not path.is_file():
            yield f"{where}: the file is missing"
        elif _file_digest(path) != sha256:
            yield f"{where}: the file has been changed"


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _references(version: DatasetVersion) -> Iterator[str]:
    held = version.references.select_related("reference__case", "reference__image", "reference__target")
    for row in held.defer("reference__votes", "reference__measures").order_by("pk").iterator(CHUNK):
        reference = row.reference
        try:
            same = reference_digest(reference) == row.digest == reference.digest
        except (ValueError, KeyError, TypeError):  # runs or coordinates that cannot be read
            same = False
        if not same:
            yield f"reference of case {reference.case.number}, {reference.target.key}: its content has been changed"


def reference_digest(reference: Reference) -> str:
    """What it must be, by what is stored."""
    kind, width, height = Kind(reference.kind), reference.image.width, reference.image.height
    if reference.answer != PRESENT:
        return word_digest(reference.answer)
    if kind is Kind.LABEL:
        return word_digest(reference.label)
    geometry = reference.geometry or {}
    if kind is Kind.POINT:
        return points_digest([(geometry["x"], geometry["y"])])
    if kind is Kind.POLYLINE:
        return points_digest(geometry["points"])
    packed = bytes(reference.runs or b"")
    if kind is not Kind.OBJECTS:
        return area_digest(unpack(packed, width, height), width, height)
    objects = [unpack(mask, width, height) for mask in masks_of(kind, geometry, packed)]
    return objects_digest(objects, width, height)


def _readings(version: DatasetVersion) -> Iterator[str]:
    letters = letters_of(version.study)
    assignment = "reading__assignment"
    rows = version.readings.order_by("pk").values_list(
        "reading_id", "digest", f"{assignment}__case__number", f"{assignment}__grader_id"
    )
    held = list(rows)
    for start in range(0, len(held), CHUNK):
        chunk = held[start : start + CHUNK]
        answers = _answers([reading for reading, _digest, _number, _grader in chunk])
        for reading, digest, number, grader in chunk:
            if reading_digest(answers.get(reading, [])) != digest:
                yield f"reading of case {number}, grader {letters.get(grader, '?')}: its answers have been changed"


def _answers(readings: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for revision in Revision.objects.filter(reading__in=readings).select_related("image").iterator(CHUNK):
        found.setdefault(revision.reading_id, []).append(_answer_digest(revision))
    return found


def _answer_digest(revision: Revision) -> str:
    content = {"answer": revision.answer, "geometry": revision.geometry}
    content |= {"label": revision.label, "signs": sorted(revision.signs)}
    packed = bytes(revision.runs) if revision.runs is not None else None
    try:
        return stored_digest(revision.kind, content, packed, revision.image.width, revision.image.height)
    except (ValueError, KeyError, TypeError):  # damaged: no digest can be made of it, so it is not the one frozen
        return ""
