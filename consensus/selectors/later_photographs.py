"""Photographs of an eye beyond the first: which of them the eye still needs a label of.

The next photograph is looked at only where the one before could not be read. So a grader who could read the first one
never sees the second, and what a colleague said about it stands alone.
"""

from django.db.models import Exists, OuterRef, QuerySet

from consensus.models import Reference
from protocols.recipe import Recipe

POSITION = "image__case_images__position"


def _of_the_same_eye() -> QuerySet[Reference]:
    """The latest answers to the same question about all photographs of a reference's eye."""
    return Reference.objects.filter(case=OuterRef("case"), target=OuterRef("target"), following__isnull=True).order_by()


def is_next(recipe: Recipe) -> Exists:
    """The photograph just before has the label after which this one is looked at."""
    before = _of_the_same_eye().filter(**{POSITION: OuterRef(POSITION) - 1})
    return Exists(before.filter(label=recipe.case.next_photograph_on or ""))


def is_spared(recipe: Recipe) -> Exists:
    """A photograph before has a label that needs no further one."""
    before = _of_the_same_eye().filter(**{f"{POSITION}__lt": OuterRef(POSITION)})
    return Exists(before.exclude(label="").exclude(label=recipe.case.next_photograph_on or ""))
