"""The references of a frozen version as answers by case, under the names that teams know."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.formats.case_answers import CaseAnswers, Place
from annotator.formats.protocol_files import unanswered
from annotator.geometry.runs import Toggles
from consensus.fusion.stored import reply_of
from consensus.models import DatasetVersion, Reference
from evaluation.models import PhaseCase
from protocols.names import Kind
from protocols.recipe import Recipe
from protocols.scoring_names import FileKind, MissingFile, Side
from protocols.standard import File

AREAS = frozenset({"mask", "ellipse", "objects"})
AT_ONCE = 500  # images whose references are asked for together


@dataclass
class _Sheet:
    masks: dict[str, Sequence[Toggles]] = field(default_factory=dict)
    points: dict[str, Place | None] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


def answers_of(version: DatasetVersion, rows: Sequence[PhaseCase]) -> list[CaseAnswers]:
    """In the order of the rows; each row's image and its subject must be loaded."""
    sheets = {row.image_id: _Sheet() for row in rows}
    images = list(sheets)
    for start in range(0, len(images), AT_ONCE):
        held = version.references.filter(reference__image__in=images[start : start + AT_ONCE]).order_by()
        for one in held.select_related("reference__target", "reference__image"):
            _put(sheets[one.reference.image_id], one.reference)
    return [
        CaseAnswers(
            row.name,
            row.image.width,
            row.image.height,
            row.image.subject.pseudonym,
            sheet.masks,
            sheet.points,
            sheet.labels,
        )
        for row, sheet in zip(rows, sheets.values(), strict=True)
    ]


def _put(sheet: _Sheet, reference: Reference) -> None:
    """What is undecided is not an answer; an area that is not there is an answer without marks."""
    if reference.answer == Reference.Answer.UNDECIDED:
        return
    reply = reply_of(
        Kind(reference.kind),
        answer=reference.answer,
        geometry=reference.geometry,
        packed=bytes(reference.runs) if reference.runs is not None else None,
        label=reference.label,
        signs=(),
        width=reference.image.width,
        height=reference.image.height,
    )
    key = reference.target.key
    if reference.kind in AREAS:
        sheet.masks[key] = reply.masks
    elif reference.kind == Kind.POINT:
        sheet.points[key] = reply.point
    elif reference.kind == Kind.LABEL and reply.label:
        sheet.labels[key] = reply.label


def scored_files(recipe: Recipe, cases: Iterable[CaseAnswers]) -> list[File]:
    """The reference's files that can be written: those for which every case has an answer.

    Conflict where a file has answers for some cases only, or where nothing at all can be scored.
    """
    known = list(cases)
    written = []
    for file in recipe.files:
        if file.side is Side.SUBMISSION or file.kind is FileKind.LIST:
            continue
        lacking = {case.name: target for case in known if (target := unanswered(recipe, file, case))}
        if not lacking:
            written.append(file)
        elif len(lacking) < len(known) or file.missing is MissingFile.ERROR:
            raise _incomplete(recipe, len(lacking), len(known), next(iter(lacking.values())))
    if not any(file.track or file.missing is MissingFile.ERROR for file in written):
        raise Conflict("nothing_scored", _("No case of this version has the references that are scored."))
    return written


def _incomplete(recipe: Recipe, lacking: int, total: int, target: str) -> Conflict:
    words = {"count": lacking, "total": total, "target": _(recipe.target(target).name)}
    message = _("%(count)s of %(total)s cases have no reference for “%(target)s” that could be scored.") % words
    return Conflict("incomplete_references", message)


def sample_files(recipe: Recipe, scored: Sequence[File]) -> list[File]:
    """What a team sends in for these."""
    return [
        file
        for file in recipe.files
        if file.kind is not FileKind.LIST
        and (file.side is Side.SUBMISSION or (file.side is Side.BOTH and file in scored))
    ]
