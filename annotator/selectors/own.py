"""What is a person's own: roles, and cases to read. Nothing here tells a hidden repeat from a first reading."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from annotator import access
from annotator.models import Assignment, Membership, Study, User
from annotator.selectors.turn import OWN_ORDER

if TYPE_CHECKING:
    from annotator.access import Person


@dataclass(frozen=True)
class OwnPicture:
    """A picture as its reader may know it: by the assignment and its number in the case."""

    assignment: str
    number: int
    width: int
    height: int


@dataclass(frozen=True)
class OwnCase:
    """`place` counts through all rounds of the study, so that a later round does not show."""

    assignment: Assignment
    place: int

    @property
    def study(self) -> Study:
        return self.assignment.grader.study

    @property
    def pictures(self) -> list[OwnPicture]:
        images = [place.image for place in self.assignment.case.case_images.all()]
        name = self.assignment.public_id
        return [OwnPicture(name, number, image.width, image.height) for number, image in enumerate(images, start=1)]


def own_assignments(user: "Person", *, study: str = "", state: str = "") -> QuerySet[Assignment]:
    """In reading order, of studies that have been opened."""
    own = access.assignments_of(user).exclude(grader__study__state=Study.State.SETUP)
    if study:
        own = own.filter(grader__study__public_id=study)
    if state:
        own = own.filter(state=state)
    related = own.select_related("grader__study", "round").defer("grader__study__recipe")
    with_pictures = related.prefetch_related("case__case_images__image")
    return with_pictures.order_by("grader__study__name", *OWN_ORDER)


def own_cases(user: "Person", assignments: "list[Assignment]") -> list[OwnCase]:
    """Each with its place in the whole worklist of its study; one query for all."""
    studies = {assignment.grader.study_id for assignment in assignments}
    rows = (
        access.assignments_of(user)
        .filter(grader__study__in=studies)
        .order_by(*OWN_ORDER)
        .values_list("pk", "grader__study")
    )
    reached: Counter[int] = Counter()
    places = {}
    for assignment, study in rows:
        reached[study] += 1
        places[assignment] = reached[study]
    return [OwnCase(assignment, places[assignment.pk]) for assignment in assignments]


def roles_of(user: User) -> QuerySet[Membership]:
    return access.roles_of(user).select_related("study").defer("study__recipe").order_by("study__name", "pk")
