"""Where an answer belongs, found in one query because every change asks for it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotator import access
from annotator.errors import NotVisible
from annotator.models import Assignment, CaseImage, Target, User
from annotator.selectors.prepared import Prepared
from annotator.selectors.recipes import recipe_of_digest
from protocols.targets import Target as Asked

MOST_PHOTOGRAPHS = 1000  # no case has more; the databases refuse much larger numbers


@dataclass(frozen=True)
class DraftPlace:
    """A question about a photograph of one of a person's own assignments, and whether it may be answered now."""

    assignment_id: int
    position: int
    image_id: int
    width: int
    height: int
    target_id: int
    asked: Asked
    study_state: str
    opens: datetime | None
    closes: datetime | None


def draft_place(user: User, public_id: str, position: int, target: str) -> DraftPlace:
    known = position <= MOST_PHOTOGRAPHS
    if user.only_study is not None:
        access.assignment_for(user, public_id)  # the prepared query knows the person, not the limit of a token
    rows = _PLACES.rows(user=user.pk, public_id=public_id, position=position, target=target) if known else []
    if not rows:
        raise _no_place(access.assignment_for(user, public_id), position if known else 0)
    assignment, target_id, digest, study, state, image, width, height, opens, closes = rows[0]
    asked = recipe_of_digest(digest, study).target(target)
    return DraftPlace(assignment, position, image, width, height, target_id, asked, state, opens, closes)


def _places(user: int, public_id: str, position: int, target: str) -> "QuerySet[Any, tuple[Any, ...]]":
    study, image = "grader__study", "case__case_images__image"
    asked_there = {"grader__study__targets__key": target, "grader__study__targets__source": Target.Source.GRADED}
    own = access.assignments_of(User(pk=user)).filter(public_id=public_id, case__case_images__position=position)
    about_study = (f"{study}__targets", f"{study}__recipe_digest", study, f"{study}__state")
    about_image = (image, f"{image}__width", f"{image}__height")
    return (
        own.filter(**asked_there)
        .order_by()
        .values_list("pk", *about_study, *about_image, "round__opens", "round__closes")
    )


_PLACES = Prepared(_places, user=int, public_id=str, position=int, target=str)


def _no_place(assignment: Assignment, position: int) -> NotVisible:
    if CaseImage.objects.filter(case=assignment.case_id, position=position).exists():
        return NotVisible("unknown_target", _("This target is not graded in this study."), field="target")
    return NotVisible("unknown_image", _("The case has no such image."), field="position")
