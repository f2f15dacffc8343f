"""AIROGS: `reference.csv`, and either `submission.csv` or the challenge's four JSON lists in the reference's order."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from annotator.formats.bad_file import BadFile
from annotator.formats.fault import Fault
from annotator.formats.number_list import read_flags, read_numbers
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import CaseTable, same_cases
from evaluation.files.gathering import Gathering
from evaluation.files.sides import Sides
from evaluation.metrics.evidence import Called, Scored
from evaluation.scoring.scorecard import About, Findings
from protocols.scoring_names import ColumnRole, FileKind
from protocols.standard import Column, File

TARGET = ("referable_glaucoma",)
UNGRADABLE = "U"


def gather(gathering: Gathering) -> Findings:
    file = gathering.file("reference")
    reference = gathering.sides.table(gathering.sides.reference, file)
    if not reference:
        raise BadFile(str(gathering.sides.reference.place), bad_submission("needed", file=file.path))
    labels = _labels(gathering, reference)
    given = _submitted(gathering, reference)
    columns = {"class": labels, **given}
    graded = np.array(labels)
    screening = {
        About(Scored, TARGET): Scored(graded == "RG", np.array(given["rg_likelihood"])),
        About(Called, TARGET): Called(graded == "RG", np.array(given["rg_binary"])),
    }
    robustness = {
        About(Scored, TARGET, UNGRADABLE): Scored(graded == UNGRADABLE, np.array(given["ungradability_score"])),
        About(Called, TARGET, UNGRADABLE): Called(graded == UNGRADABLE, np.array(given["ungradability_binary"])),
    }
    gathering.add("screening", reference.names, screening, columns, labels)
    gathering.add("robustness", reference.names, robustness, columns, labels)
    return gathering.findings(_subjects(reference) or gathering.sides.subjects(reference.names, file.names))


def _labels(gathering: Gathering, reference: CaseTable) -> list[str]:
    allowed = [option.key for option in gathering.recipe.target(*TARGET).options]
    labels = reference.column(lambda line: line.text("class"), reference.lines)
    for line, label in zip(reference.lines.values(), labels, strict=True):
        if label not in allowed:
            raise BadFile(reference.shown, line.bad_choice("class", allowed))
    return labels


def _subjects(reference: CaseTable) -> dict[str, str]:
    """Whose each photograph is, if the reference says so of any."""
    if all(line.is_empty("subject") for line in reference.lines.values()):
        return {}
    subjects = reference.column(lambda line: line.text("subject"), reference.lines)
    return dict(zip(reference.lines, subjects, strict=True))


def _submitted(gathering: Gathering, reference: CaseTable) -> dict[str, list[Any]]:
    """The candidate's columns in the order of the reference."""
    file, sides = gathering.file("submission"), gathering.sides
    asked = [column for column in file.columns if column.role is not ColumnRole.CASE]
    lists = [one for one in gathering.recipe.files if one.kind is FileKind.LIST]
    found = [name for name in (sides.find(sides.submission, one) for one in lists) if name]
    table = sides.table(sides.submission, file)
    if not table:
        return {
            column.name: _listed(sides, one, column, len(reference.lines))
            for column, one in zip(asked, lists, strict=True)
        }
    if found:
        raise BadFile(sides.submission.shown(found[0]), bad_submission("two_files", other=file.path))
    same_cases(reference, table)
    return {column.name: _written(table, column, list(reference.lines)) for column in asked}


def _written(table: CaseTable, column: Column, cases: Sequence[str]) -> list[Any]:
    if column.role is ColumnRole.BINARY:
        return table.column(lambda line: line.flag(column.name), cases)
    return table.column(lambda line: line.number(column.name), cases)


def _listed(sides: Sides, file: File, column: Column, cases: int) -> list[Any]:
    name = sides.find(sides.submission, file)
    if name is None:
        raise BadFile(str(sides.submission.place), bad_submission("needed", file=file.path))
    data = sides.submission.read(name)
    try:
        entries: list[Any] = (
            read_flags(data) if column.role is ColumnRole.BINARY else read_numbers(data, column.low, column.high)
        )
    except Fault as fault:
        raise BadFile(sides.submission.shown(name), fault) from None
    if len(entries) != cases:
        shown = sides.submission.shown(name)
        raise BadFile(shown, bad_submission("other_length", found=len(entries), expected=cases))
    return entries
