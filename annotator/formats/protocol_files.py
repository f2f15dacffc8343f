"""A protocol's own files, written from answers: names by case, content made when it is asked for.

Coordinates in the files name pixels: the middle of the first pixel is 0, in the house 0.5, so half a pixel is taken
off. Pictures are written as PNG, which every protocol accepts.
"""

import csv
import io
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from annotator.formats.case_answers import CaseAnswers
from annotator.formats.grey_picture import write_bitmap, write_grey
from annotator.formats.label_picture import label_picture_of, write_label_picture
from annotator.geometry.runs import decode
from protocols.recipe import Recipe
from protocols.scoring_names import ColumnRole, FileKind, MissingFile
from protocols.standard import Column, File

Content = Callable[[], bytes]
CASE = "NAME"
HALF_A_PIXEL = 0.5
PNG, BMP = ".png", ".bmp"
MOST_IN_A_BITMAP = 255


def reference_files(recipe: Recipe, cases: Sequence[CaseAnswers], files: Sequence[File]) -> dict[str, Content]:
    """The reference's files of these, with the cases' subjects where they are known."""
    written: dict[str, Content] = {}
    for file in files:
        if file.kind is FileKind.TABLE:
            written[file.path] = partial(_table, recipe, file, cases)
        else:
            shown = pictured(file, cases)
            written |= {picture_path(file, case.name): partial(picture, file, case) for case in shown}
    named = any(column.role is ColumnRole.SUBJECT for file in files for column in file.columns)
    if not named and all(case.subject for case in cases):
        written["subjects.csv"] = partial(_lines, ["name", "subject"], [[one.name, one.subject] for one in cases])
    return written


def blank_files(recipe: Recipe, cases: Sequence[CaseAnswers], files: Sequence[File]) -> dict[str, Content]:
    """The same names, sizes and columns with nothing in them: every number 0, every picture empty, every label the
    last of its options. Of a submission, a sample of what to send in."""
    written: dict[str, Content] = {}
    for file in files:
        if file.kind is FileKind.TABLE:
            rows = [[_blank(recipe, column, case) for column in file.columns] for case in cases]
            written[file.path] = partial(_lines, [column.name for column in file.columns], rows)
        else:
            written |= {picture_path(file, case.name): partial(picture, file, _without_marks(case)) for case in cases}
    return written


def picture(file: File, case: CaseAnswers, ending: str = PNG) -> bytes:
    """Areas in the recipe's grey values, those named first on top; of a label picture each object in its number."""
    if file.kind is FileKind.LABEL_PICTURE:
        objects = [mask for masks in case.masks.values() for mask in masks]
        labels = label_picture_of(objects, case.width, case.height)
        return write_label_picture(labels) if ending == PNG else write_bitmap(labels.astype(np.uint8))
    nothing = next(pixel.value for pixel in file.pixels if pixel.target is None)
    samples = np.full((case.height, case.width), nothing, np.uint8)
    for pixel in reversed(file.pixels):
        for mask in case.masks.get(pixel.target or "", ()):
            samples[decode(mask, case.width, case.height)] = pixel.value
    return write_grey(samples) if ending == PNG else write_bitmap(samples)


def pictured(file: File, cases: Sequence[CaseAnswers]) -> Sequence[CaseAnswers]:
    """The cases that a picture is written for. Where a missing file says that there is nothing, none is written for a
    case without marks; but one is for the first case, so that the track is there."""
    absent = file.missing_case is MissingFile.ABSENT
    targets = [pixel.target for pixel in file.pixels if pixel.target]
    wanted = [case for case in cases if not absent or any(case.masks.get(target) for target in targets)]
    return wanted or cases[:1]


def picture_path(file: File, name: str, ending: str = PNG) -> str:
    return file.path.replace(CASE, name).rpartition(".")[0] + ending


def published_ending(file: File, most_objects: int = 0) -> str:
    """The ending in which the challenge itself gave the picture away; a bitmap cannot number more than 255 objects."""
    ending = "." + file.path.rpartition(".")[2].lower()
    return BMP if ending == BMP and most_objects <= MOST_IN_A_BITMAP else PNG


def _without_marks(case: CaseAnswers) -> CaseAnswers:
    return CaseAnswers(case.name, case.width, case.height)


def _table(recipe: Recipe, file: File, cases: Sequence[CaseAnswers]) -> bytes:
    rows = [[_cell(recipe, column, case) for column in file.columns] for case in cases]
    return _lines([column.name for column in file.columns], rows)


def _cell(recipe: Recipe, column: Column, case: CaseAnswers) -> str:
    target = column.target or ""
    if column.role is ColumnRole.CASE:
        return case.name
    if column.role is ColumnRole.SUBJECT:
        return case.subject
    if column.role in (ColumnRole.X, ColumnRole.Y):
        place = case.points[target]
        if place is None:
            return repr(column.undetermined)
        return repr(place[column.role is ColumnRole.Y] - HALF_A_PIXEL)
    if column.role is ColumnRole.MEASURE:
        measured = case.measures[target]
        return "" if measured is None else repr(measured)
    label = case.labels[target]
    if column.role is ColumnRole.LABEL:
        return next(option.file_value or option.key for option in recipe.target(target).options if option.key == label)
    return str(int(label == (column.label or recipe.target(target).positive)))


def _blank(recipe: Recipe, column: Column, case: CaseAnswers) -> str:
    if column.role is ColumnRole.CASE:
        return case.name
    if column.role is ColumnRole.SUBJECT:
        return ""
    if column.role is ColumnRole.LABEL:
        last = recipe.target(column.target or "").options[-1]
        return last.file_value or last.key
    return "0"


def _lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue().encode()


def unanswered(recipe: Recipe, file: File, case: CaseAnswers) -> str | None:
    """The first target of the file that the case has no answer for, or none that the file can say."""
    for column in file.columns:
        target = column.target
        if target is None:
            continue
        if column.role in (ColumnRole.X, ColumnRole.Y):
            if target not in case.points or (case.points[target] is None and column.undetermined is None):
                return target
        elif column.role is ColumnRole.MEASURE:
            if target not in case.measures:
                return target
        elif target not in case.labels:
            return target
    wanted = [pixel.target for pixel in file.pixels if pixel.target]
    if file.kind is FileKind.LABEL_PICTURE:
        wanted = [target.key for target in recipe.targets if target.kind.value == "objects"]
    return next((target for target in wanted if target not in case.masks), None)
