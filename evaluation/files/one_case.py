"""What a submission holds about one case, to be shown beside the reference: areas and points, as the layouts of `score`
read them."""

from collections.abc import Sequence

import numpy as np

from annotator.formats.case_answers import CaseAnswers, Place
from annotator.formats.file_names import folded
from annotator.formats.label_picture import read_label_picture
from annotator.formats.protocol_files import HALF_A_PIXEL
from annotator.formats.tree import FileTree
from annotator.geometry.runs import Toggles, encode
from evaluation.files.case_files import Samples
from evaluation.files.columns import NOWHERE, point
from evaluation.files.sides import Sides
from protocols import Recipe
from protocols.scoring_names import ColumnRole, FileKind, Side
from protocols.standard import File


def submitted(recipe: Recipe, submission: FileTree, case: str, width: int, height: int) -> CaseAnswers:
    """BadFile names a file that cannot be read. Labels and numbers are not taken: they stand in the table of cases."""
    sides = Sides(submission, submission)
    masks: dict[str, Sequence[Toggles]] = {}
    points: dict[str, Place | None] = {}
    for file in recipe.files:
        if file.side is Side.REFERENCE:
            continue
        if file.kind is FileKind.TABLE:
            points |= _points(sides, file, case)
        elif file.kind is not FileKind.LIST:
            masks |= _masks(recipe, sides, file, case)
    return CaseAnswers(case, width, height, masks=masks, points=points)


def _points(sides: Sides, file: File, case: str) -> dict[str, Place | None]:
    """In the house's own coordinates."""
    targets = [one.target or "" for one in file.columns if one.role is ColumnRole.X]
    table = sides.table(sides.submission, file) if targets else None
    if not table or folded(case) not in table.lines:
        return {}
    found: dict[str, Place | None] = {}
    for target in targets:
        (place,) = table.column(point(file, target), [folded(case)])
        found[target] = None if place is NOWHERE else (place[0] + HALF_A_PIXEL, place[1] + HALF_A_PIXEL)
    return found


def _masks(recipe: Recipe, sides: Sides, file: File, case: str) -> dict[str, Sequence[Toggles]]:
    pictures = sides.pictures_of(sides.submission, file)
    if not pictures or folded(case) not in pictures.files:
        return {}
    if file.kind is FileKind.LABEL_PICTURE:
        target = next(one.key for one in recipe.targets if one.kind.value == "objects")
        return {target: _objects(pictures.read(folded(case), read_label_picture))}
    drawn = areas_in(pictures.read(folded(case)), file)
    return {target: [toggles] if len(toggles) else [] for target, toggles in drawn.items()}


def _objects(labels: Samples) -> list[Toggles]:
    return [encode(labels == number) for number in np.unique(labels).tolist() if number]


def areas_in(samples: Samples, file: File) -> dict[str, Toggles]:
    """By target. An area holds those that the recipe names before it, which lie on top; the last one is all that is not
    nothing, as in the layouts."""
    named = [pixel for pixel in file.pixels if pixel.target]
    nothing = next(pixel.value for pixel in file.pixels if pixel.target is None)
    if len(named) == 1:
        return {named[0].target or "": encode(samples == named[0].value)}
    areas = {}
    for place, pixel in enumerate(named):
        above = [one.value for one in named[: place + 1]]
        is_last = place == len(named) - 1
        areas[pixel.target or ""] = encode(samples < nothing if is_last else np.isin(samples, above))
    return areas
