"""The references of a frozen version as answers by case, and the photograph of a case that they are given for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotator.formats.case_answers import CaseAnswers, Place
from annotator.geometry.runs import Toggles
from annotator.models import Image
from annotator.selectors.recipes import recipe_of
from consensus.fusion.openings import openings
from consensus.fusion.stored import reply_of
from consensus.models import DatasetVersion, Reference
from consensus.selectors.lines import scale_of
from protocols.names import KeptPhotograph, Kind
from protocols.recipe import Recipe

AREAS = frozenset({"mask", "ellipse", "objects"})
AT_ONCE = 500  # images whose references are asked for together


@dataclass
class _Sheet:
    masks: dict[str, Sequence[Toggles]] = field(default_factory=dict)
    points: dict[str, Place | None] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    lines: dict[str, list[Place]] = field(default_factory=dict)


def answers_of(version: DatasetVersion, named: Sequence[tuple[str, Image]]) -> list[CaseAnswers]:
    """In this order, under these names; each image's subject must be loaded."""
    recipe = recipe_of(version.study)
    sheets = {image.pk: _Sheet() for _name, image in named}
    images = list(sheets)
    for start in range(0, len(images), AT_ONCE):
        held = version.references.filter(reference__image__in=images[start : start + AT_ONCE]).order_by()
        for one in held.select_related("reference__target", "reference__image"):
            _put(sheets[one.reference.image_id], one.reference)
    return [
        CaseAnswers(
            name,
            image.width,
            image.height,
            image.subject.pseudonym,
            sheet.masks,
            sheet.points,
            sheet.labels,
            sheet.lines,
            _measures(recipe, image, sheet),
        )
        for (name, image), sheet in zip(named, sheets.values(), strict=True)
    ]


def _put(sheet: _Sheet, reference: Reference) -> None:
    """What is undecided is not an answer; an area that is not there is an answer without marks."""
    if reference.answer == Reference.Answer.UNDECIDED:
        return
    if reference.kind == Kind.POLYLINE:
        drawn = reference.geometry["points"] if reference.geometry else []
        sheet.lines[reference.target.key] = [(float(x), float(y)) for x, y in drawn]
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


def _measures(recipe: Recipe, image: Image, sheet: _Sheet) -> dict[str, float | None]:
    """Opening distances of the reference's own spurs over the lines that the version holds; None where an angle has no
    spur, no lines or no crossing."""
    found: dict[str, float | None] = {}
    for measure in recipe.measures:
        spur = measure.targets[0]
        if spur in sheet.points:
            place = sheet.points[spur]
            spurs = {spur: {"": place}} if place is not None else {}
            found[spur] = openings(measure, spurs, sheet.lines, image.width, scale_of(image)).get("")
    return found


def kept_images(version: DatasetVersion, recipe: Recipe) -> dict[int, int]:
    """By case, in the order of their numbers: the first photograph; where the recipe says so, the first that could be
    read if there is one."""
    rows = version.images.order_by("case__number", "position").values_list("case_id", "image_id")
    first: dict[int, int] = {}
    for case, image in rows:
        first.setdefault(case, image)
    if recipe.case.kept is not KeptPhotograph.GRADABLE_ELSE_ONE_UNGRADABLE:
        return first
    labels = (
        version.references.filter(reference__kind=Kind.LABEL)
        .exclude(reference__label="")
        .order_by("-reference__image__case_images__position")
    )
    ungradable = {target.ungradable for target in recipe.targets}
    for case, image, label in labels.values_list("reference__case_id", "reference__image_id", "reference__label"):
        if label not in ungradable:
            first[case] = image
    return first
