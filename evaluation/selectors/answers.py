"""Which of a protocol's files can be written for the cases of a challenge."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.formats.case_answers import CaseAnswers
from annotator.formats.protocol_files import unanswered
from protocols.names import Kind
from protocols.recipe import Recipe
from protocols.scoring_names import ColumnRole, FileKind, MissingFile, Side
from protocols.standard import File


def scored_files(recipe: Recipe, cases: Iterable[CaseAnswers]) -> list[File]:
    """The reference's files that can be written: those for which every case has an answer.

    Conflict where a file has answers for some cases only, or where nothing at all can be scored.
    """
    known = list(cases)
    written = []
    for file in recipe.files:
        if file.side is Side.SUBMISSION or file.kind is FileKind.LIST:
            continue
        if not _is_measured(recipe, file, known):
            continue
        lacking = {case.name: target for case in known if (target := unanswered(recipe, file, case))}
        if not lacking:
            written.append(file)
        elif len(lacking) < len(known) or file.missing is MissingFile.ERROR:
            raise _incomplete(recipe, len(lacking), len(known), next(iter(lacking.values())))
    if not any(file.track or file.missing is MissingFile.ERROR for file in written):
        raise Conflict("nothing_scored", _("No case of this version has the references that are scored."))
    return written


def _is_measured(recipe: Recipe, file: File, cases: Sequence[CaseAnswers]) -> bool:
    """A file of measures is written where one at least is known, and the labels by which they are weighed; those that
    are not known take no part."""
    measured = [column.target or "" for column in file.columns if column.role is ColumnRole.MEASURE]
    if not measured:
        return True
    metrics = [metric for track in recipe.scoring.tracks if track.key == file.track for metric in track.metrics]
    weighing = {key for metric in metrics for key in metric.targets if recipe.target(key).kind is Kind.LABEL}
    known = any(case.measures.get(target) is not None for case in cases for target in measured)
    return known and all(weighing <= case.labels.keys() for case in cases)


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
