"""What an export takes of a frozen version: its photographs under the names that their files will have, and what was
agreed and said about each; a few queries for a hundred photographs, however many there are."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.geometry.ellipse import Ellipse
from annotator.models import Image, Revision
from annotator.selectors.recipes import recipe_of
from consensus.exporting.record import Agreed, Given, Photograph, Record, Word
from consensus.fusion.stored import ELLIPSE_FIELDS, reply_of
from consensus.models import DatasetVersion, Reference, ReferenceInput, Split, Statement
from consensus.selectors.adjudication import is_blind
from consensus.selectors.answers import answers_of, kept_images
from consensus.selectors.letters import letters_of
from protocols.names import Kind

AT_ONCE = 100  # photographs whose answers are in memory together
ENDINGS = {"jpeg": "jpg", "png": "png"}


@dataclass(frozen=True)
class Exported:
    photograph: Photograph
    image: Image


@dataclass(frozen=True)
class Depth:
    """How much of the readings is asked for: none, their words, or also what was drawn."""

    readings: bool = False
    drawn: bool = False
    votes: bool = False


def exported_photographs(version: DatasetVersion, split: Split | None, withheld: Collection[str]) -> list[Exported]:
    """In the order of their names. With a split those of its parts, numbered by lot within each: the order in which
    cases came may tell what they are. The lot follows from the split, so that names are the same every time."""
    recipe = recipe_of(version.study)
    kept = set(kept_images(version, recipe).values())
    strata = dict(version.cases.values_list("case_id", "strata"))
    parts = None if split is None else dict(split.cases.values_list("case_id", "unit__part"))
    rows = version.images.select_related("image__subject", "image__eye", "case").order_by("case__number", "position")
    by_case: dict[int, list[Any]] = {}
    for row in rows:
        if parts is None or row.case_id in parts:
            by_case.setdefault(row.case_id, []).append(row)
    names = _names(by_case, parts, "" if split is None else split.digest)
    several = recipe.case.max_photographs > 1
    found = []
    for case, here in by_case.items():
        part = parts[case] if parts is not None else ""
        for row in here:
            name = f"{names[case]}-{row.position}" if several else names[case]
            photograph = _photograph(row, name, part, part in withheld, row.image_id in kept, strata[case])
            found.append(Exported(photograph, row.image))
    return sorted(found, key=lambda one: (one.photograph.part, one.photograph.name))


def _names(by_case: Mapping[int, Sequence[Any]], parts: Mapping[int, str] | None, digest: str) -> dict[int, str]:
    width = max(4, len(str(len(by_case))))
    if parts is None:
        # With a letter, so that no program takes a name for a number.
        return {case: f"c{here[0].case.number:0{width}d}" for case, here in by_case.items()}
    lots = {case: _lot(digest, here[0].case.public_id) for case, here in by_case.items()}
    numbers: dict[str, int] = {}
    names = {}
    for case in sorted(by_case, key=lambda one: lots[one]):
        numbers[parts[case]] = numbers.get(parts[case], 0) + 1
        names[case] = f"{parts[case]}-{numbers[parts[case]]:0{width}d}"
    return names


def _lot(digest: str, public_id: str) -> bytes:
    return hashlib.sha256(f"{digest} {public_id}".encode()).digest()


def _photograph(row: Any, name: str, part: str, withheld: bool, kept: bool, strata: Mapping[str, Any]) -> Photograph:
    image: Image = row.image
    return Photograph(
        name=name,
        part=part,
        withheld=withheld,
        kept=kept,
        case=row.case.number,
        position=row.position,
        subject=image.subject.pseudonym,
        side=image.eye.side if image.eye else "",
        width=image.width,
        height=image.height,
        um_per_px_x=image.um_per_px_x,
        um_per_px_y=image.um_per_px_y,
        device=image.device,
        ending=ENDINGS[image.served_format],
        sha256=row.sha256,
        frame=image.frame,
        strata=strata,
    )


def records(version: DatasetVersion, exported: Sequence[Exported], depth: Depth) -> Iterator[Record]:
    """In the same order; of what is withheld nothing is read at all."""
    letters = letters_of(version.study)
    for start in range(0, len(exported), AT_ONCE):
        chunk = exported[start : start + AT_ONCE]
        open_ones = [one for one in chunk if not one.photograph.withheld]
        answers = answers_of(version, [(one.photograph.name, one.image) for one in open_ones])
        known = {one.image.pk: told for one, told in zip(open_ones, answers, strict=True)}
        agreed = _agreed(version, [one.image for one in open_ones], letters, depth)
        for one in chunk:
            yield Record(one.photograph, known.get(one.image.pk), agreed.get(one.image.pk, ()))


def _agreed(
    version: DatasetVersion, images: Sequence[Image], letters: Mapping[int, str], depth: Depth
) -> dict[int, list[Agreed]]:
    sizes = {image.pk: (image.width, image.height) for image in images}
    held = version.references.filter(reference__image__in=list(sizes)).exclude(reference__answer="undecided")
    rows = held.select_related("reference__target", "reference__run").order_by("reference__target__position")
    if not depth.votes:
        rows = rows.defer("reference__votes")
    references = [row.reference for row in rows]
    given = _given(references, sizes, letters, depth) if depth.readings else {}
    if depth.readings:
        given |= _beside(version, [one for one in references if _rests_on(one) not in given], sizes, letters, depth)
    words = _words(references, letters) if depth.readings else {}
    found: dict[int, list[Agreed]] = {}
    for reference in references:
        told = _said(reference, *sizes[reference.image_id])
        found.setdefault(reference.image_id, []).append(
            Agreed(
                **told,
                state=reference.state,
                version=reference.version,
                rule=str(reference.run.rules.get(reference.target.key, {}).get("rule", "")),
                source=reference.source,
                votes=bytes(reference.votes) if depth.votes and reference.votes is not None else None,
                displacement=reference.displacement,
                blind=is_blind(reference.measures),
                given=given.get(_rests_on(reference), ()),
                words=words.get(_rests_on(reference), ()),
            )
        )
    return found


def _given(
    references: Sequence[Reference], sizes: Mapping[int, tuple[int, int]], letters: Mapping[int, str], depth: Depth
) -> dict[int, list[Given]]:
    standing = {_rests_on(reference) for reference in references}
    rows = ReferenceInput.objects.filter(reference__in=standing).select_related(
        "revision__target", "revision__reading__assignment"
    )
    if not depth.drawn:
        rows = rows.defer("revision__runs")
    found: dict[int, list[Given]] = {}
    for row in rows.order_by("pk"):
        given = _by_letter(row.revision, sizes, letters, depth, reason=row.reason)
        found.setdefault(row.reference_id, []).append(given)
    return _in_order(found)


def _words(references: Sequence[Reference], letters: Mapping[int, str]) -> dict[int, list[Word]]:
    """What was said in the discussions that some of them came of."""
    discussed = [_rests_on(one) for one in references if one.state == Reference.State.DISCUSSED]
    rows = Statement.objects.filter(discussion__result__in=discussed).order_by("discussion", "number")
    found: dict[int, list[Word]] = {}
    for result, grader, label in rows.values_list("discussion__result", "seat__grader", "label"):
        found.setdefault(result, []).append(Word(letters.get(grader, "?"), label))
    return found


def _rests_on(reference: Reference) -> int:
    """What a version that was brought back rests on is what the first one rested on."""
    return reference.restores_id or reference.pk


def _beside(
    version: DatasetVersion,
    references: Sequence[Reference],
    sizes: Mapping[int, tuple[int, int]],
    letters: Mapping[int, str],
    depth: Depth,
) -> dict[int, list[Given]]:
    """What graders said where the reference was imported and rests on nothing."""
    places = {(one.image_id, one.target_id): _rests_on(one) for one in references}
    if not places:
        return {}
    rows = Revision.objects.filter(
        reading__in=version.readings.values("reading"), image__in={image for image, _target in places}
    ).select_related("target", "reading__assignment")
    if not depth.drawn:
        rows = rows.defer("runs")
    found: dict[int, list[Given]] = {}
    for revision in rows.order_by("pk"):
        reference = places.get((revision.image_id, revision.target_id))
        if reference is not None:
            found.setdefault(reference, []).append(_by_letter(revision, sizes, letters, depth, beside=True))
    return _in_order(found)


def _by_letter(
    revision: Revision,
    sizes: Mapping[int, tuple[int, int]],
    letters: Mapping[int, str],
    depth: Depth,
    *,
    reason: str = "",
    beside: bool = False,
) -> Given:
    told = _said(revision, *sizes[revision.image_id]) if depth.drawn else _worded(revision)
    letter = letters[revision.reading.assignment.grader_id]
    return Given(**told, grader=letter, confidence=revision.confidence, reason=reason, beside=beside)


def _in_order(found: dict[int, list[Given]]) -> dict[int, list[Given]]:
    for several in found.values():
        several.sort(key=lambda one: (len(one.grader), one.grader))
    return found


def _worded(row: Reference | Revision) -> dict[str, Any]:
    told = {"target": row.target.key, "kind": Kind(row.kind), "answer": row.answer}
    return {**told, "label": row.label, "signs": tuple(row.signs)}


def _said(row: Reference | Revision, width: int, height: int) -> dict[str, Any]:
    told, kind = _worded(row), Kind(row.kind)
    if row.answer != Reference.Answer.PRESENT:
        return told
    if kind is Kind.POLYLINE:
        drawn = row.geometry["points"] if row.geometry else []
        return {**told, "line": tuple((float(x), float(y)) for x, y in drawn)}
    reply = reply_of(
        kind,
        answer=row.answer,
        geometry=row.geometry,
        packed=bytes(row.runs) if row.runs is not None else None,
        label=row.label,
        signs=(),
        width=width,
        height=height,
    )
    axes = row.geometry if kind is Kind.ELLIPSE and row.geometry else None
    ellipse = Ellipse(*(float(axes[name]) for name in ELLIPSE_FIELDS)) if axes else None
    return {**told, "masks": reply.masks, "point": reply.point, "ellipse": ellipse}
