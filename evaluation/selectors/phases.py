"""The cases of a phase: those of a version, or of one part of a split, each with the photograph that is scored."""

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Image
from consensus.models import DatasetVersion, Split
from consensus.selectors.answers import kept_images
from evaluation.models import Phase, PhaseCase
from protocols.recipe import Recipe


def cases_of_part(version: DatasetVersion, split: Split | None, part: str, recipe: Recipe) -> dict[int, int]:
    """By case, its image, in the order of the cases' numbers."""
    kept = kept_images(version, recipe)
    if split is None:
        return kept
    members = set(split.cases.filter(unit__part=part).values_list("case_id", flat=True))
    if not members:
        raise DomainError("empty_part", _("This part of the split holds no case."), field="part")
    return {case: image for case, image in kept.items() if case in members}


def rows_of(phase: Phase) -> list[PhaseCase]:
    """By name; with what is needed to write its files."""
    return list(phase.cases.select_related("image__subject").order_by("name"))


def named_images(phase: Phase) -> list[tuple[str, Image]]:
    """Under the names that teams know."""
    return [(row.name, row.image) for row in rows_of(phase)]
