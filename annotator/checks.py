"""What is looked at when a reading is submitted: answers that contradict one another, the picture or the protocol.

Pure: answers in stored form in, findings out; the words for them and what follows from them are the services'.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from annotator.answers import PRESENT, Checked, masks_of
from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse, Mask, rasterise_ellipse
from annotator.geometry.objects import first_overlap
from protocols.names import CheckName, Kind, Region, Severity, Source
from protocols.recipe import Recipe
from protocols.targets import Target

OUTSIDE = "outside-its-target"  # asked for by a target's `inside`, not listed among a recipe's checks
NAMES = (*(name.value for name in CheckName), OUTSIDE)
DISC, FOVEA = "disc", "fovea"

Place = tuple[int, str]  # photograph of the case, key of the target
Answers = Mapping[Place, Checked]


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    side: str = ""  # R, L, or anything else where the eye is not known


@dataclass(frozen=True)
class Finding:
    name: str
    severity: Severity
    position: int
    target: str


def photographs_to_read(recipe: Recipe, labels: Mapping[Place, str], count: int) -> int:
    """How many of a case's `count` photographs are to be read, from the first on.

    Where the recipe names a label that leads on, each further one only after that label; else all of them.
    """
    most = min(count, recipe.case.max_photographs)
    leads_on = recipe.case.next_photograph_on
    if leads_on is None:
        return most
    reached = min(1, most)
    while 0 < reached < most and any(at == reached and label == leads_on for (at, _), label in labels.items()):
        reached += 1
    return reached


def unanswered(recipe: Recipe, labels: Mapping[Place, str], count: int) -> list[Finding]:
    """Required targets without an answer on a photograph that is to be read. An error unless the recipe says less."""
    severity = _severities(recipe).get(CheckName.UNANSWERED, Severity.ERROR)
    wanted = [target.key for target in recipe.targets if target.source is Source.GRADED and target.required]
    return [
        Finding(CheckName.UNANSWERED, severity, position, key)
        for position in range(1, photographs_to_read(recipe, labels, count) + 1)
        for key in wanted
        if (position, key) not in labels
    ]


def contradictions(recipe: Recipe, answers: Answers, pictures: Mapping[int, Picture]) -> list[Finding]:
    """All that the recipe wants looked at in the answers that were given, in the order of the recipe."""
    severities = _severities(recipe)
    findings = []
    for check, severity in severities.items():
        look = _LOOKS.get(check)
        if look is not None:
            findings += [Finding(check, severity, at, key) for at, key in look(recipe, answers, pictures)]
    for (position, key), checked in answers.items():
        target = recipe.target(key)
        outer = answers.get((position, target.inside)) if target.inside else None
        if (
            outer is not None
            and target.inside
            and _leaves(
                _area(target, checked, pictures[position]),
                _area(recipe.target(target.inside), outer, pictures[position]),
            )
        ):
            findings.append(Finding(OUTSIDE, target.inside_severity, position, key))
    return findings


def _severities(recipe: Recipe) -> dict[CheckName, Severity]:
    return {check.name: check.severity for check in recipe.checks}


def _empty_masks(recipe: Recipe, answers: Answers, pictures: Mapping[int, Picture]) -> Iterator[Place]:
    for (position, key), checked in answers.items():
        drawn = recipe.target(key).kind in {Kind.MASK, Kind.OBJECTS} and checked.answer == PRESENT
        if drawn and not any(len(toggles) for toggles in _toggles(checked, pictures[position])):
            yield position, key


def _laterality(recipe: Recipe, answers: Answers, pictures: Mapping[int, Picture]) -> Iterator[Place]:
    """In a photograph of a right eye the disc lies to the right of the fovea, on the side of the nose; of a left eye to
    the left. Nothing is said where the side is not known, where one of the two is not marked, or where they are level.
    """
    for position, picture in pictures.items():
        disc, fovea = answers.get((position, DISC)), answers.get((position, FOVEA))
        if disc is None or fovea is None or fovea.geometry is None or picture.side not in {"R", "L"}:
            continue
        middle = _middle_x(recipe.target(DISC), disc, picture)
        if middle is None or "x" not in fovea.geometry or middle == fovea.geometry["x"]:
            continue
        if (middle > fovea.geometry["x"]) != (picture.side == "R"):
            yield position, FOVEA


def _overlaps(recipe: Recipe, answers: Answers, pictures: Mapping[int, Picture]) -> Iterator[Place]:
    for (position, key), checked in answers.items():
        picture = pictures[position]
        objects = recipe.target(key).kind is Kind.OBJECTS and checked.answer == PRESENT
        if objects and first_overlap(_toggles(checked, picture), picture.width, picture.height) is not None:
            yield position, key


def _wrong_halves(recipe: Recipe, answers: Answers, pictures: Mapping[int, Picture]) -> Iterator[Place]:
    for (position, key), checked in answers.items():
        if is_in_wrong_half(recipe.target(key), checked, pictures[position]):
            yield position, key


def is_in_wrong_half(target: Target, checked: Checked, picture: Picture) -> bool:
    """A mark on the middle line itself belongs to both halves."""
    extent = _extent_x(target, checked, picture) if target.region is not Region.WHOLE else None
    if extent is None:
        return False
    left, right, middle = *extent, picture.width / 2
    return right > middle if target.region is Region.LEFT else left < middle


_LOOKS: Mapping[CheckName, Callable[[Recipe, Answers, Mapping[int, Picture]], Iterator[Place]]] = {
    CheckName.EMPTY_MASK: _empty_masks,
    CheckName.LATERALITY: _laterality,
    CheckName.OVERLAP: _overlaps,
    CheckName.WRONG_HALF: _wrong_halves,
}


def _toggles(checked: Checked, picture: Picture) -> list[runs.Toggles]:
    masks = masks_of(checked.kind, checked.geometry, checked.runs)
    return [runs.unpack(mask, picture.width, picture.height) for mask in masks]


def _area(target: Target, checked: Checked, picture: Picture) -> Mask | None:
    """The pixels of an answer that has an area; None where nothing was marked."""
    if checked.answer != PRESENT:
        return None
    if target.kind is Kind.ELLIPSE and checked.geometry is not None:
        return rasterise_ellipse(Ellipse(**checked.geometry), picture.width, picture.height)
    area = np.zeros((picture.height, picture.width), dtype=np.bool_)
    for toggles in _toggles(checked, picture):
        area |= runs.decode(toggles, picture.width, picture.height)
    return area


def _leaves(inner: Mask | None, outer: Mask | None) -> bool:
    """Whether a pixel of the inner area lies outside the outer one."""
    return inner is not None and outer is not None and bool((inner & ~outer).any())


def _middle_x(target: Target, checked: Checked, picture: Picture) -> float | None:
    """The x of an ellipse's centre or a mask's centre of gravity."""
    if target.kind is Kind.ELLIPSE and checked.geometry is not None:
        return float(checked.geometry["cx"])
    area = _area(target, checked, picture) if target.kind in {Kind.MASK, Kind.OBJECTS} else None
    if area is None or not area.any():
        return None
    return float(np.nonzero(area)[1].mean() + 0.5)


def _extent_x(target: Target, checked: Checked, picture: Picture) -> tuple[float, float] | None:
    """The leftmost and rightmost x of a mark; of masks by pixel centres."""
    if checked.answer != PRESENT or target.kind is Kind.LABEL:
        return None
    geometry = checked.geometry
    if geometry is not None and target.kind is Kind.POINT:
        return geometry["x"], geometry["x"]
    if geometry is not None and target.kind is Kind.POLYLINE:
        return min(x for x, _ in geometry["points"]), max(x for x, _ in geometry["points"])
    if geometry is not None and target.kind is Kind.ELLIPSE:
        ellipse = Ellipse(**geometry)
        return ellipse.cx - ellipse.half_width, ellipse.cx + ellipse.half_width
    area = _area(target, checked, picture)
    columns = np.flatnonzero(area.any(axis=0)) if area is not None else np.empty(0)
    return (float(columns[0] + 0.5), float(columns[-1] + 0.5)) if len(columns) else None
