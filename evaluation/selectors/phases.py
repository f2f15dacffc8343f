"""The cases of a phase: those of a version, or of one part of a split, each with the photograph that is scored."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Image
from consensus.models import DatasetVersion, Split
from evaluation.models import Phase, PhaseCase
from protocols.names import KeptPhotograph, Kind
from protocols.recipe import Recipe


def cases_of_part(version: DatasetVersion, split: Split | None, part: str, recipe: Recipe) -> dict[int, int]:
    """By case, its image, in the order of the cases' numbers."""
    kept = _kept_images(version, recipe)
    if split is None:
        return kept
    members = set(split.cases.filter(unit__part=part).values_list("case_id", flat=True))
    if not members:
        raise DomainError("empty_part", _("This part of the split holds no case."), field="part")
    return {case: image for case, image in kept.items() if case in members}


def _kept_images(version: DatasetVersion, recipe: Recipe) -> dict[int, int]:
    """The first photograph; where the recipe says so, the first that could be read if there is one."""
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


def rows_of(phase: Phase) -> list[PhaseCase]:
    """By name; with what is needed to write its files."""
    return list(phase.cases.select_related("image__subject").order_by("name"))


def without_names(images: Sequence[Image]) -> list[PhaseCase]:
    """As if of a phase that is not there yet."""
    return [PhaseCase(image=image, name=str(number)) for number, image in enumerate(images, start=1)]
