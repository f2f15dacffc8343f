"""A practice case in the form of a workbench. Its rows are never saved: the server only draws the picture."""

from typing import Any

from django.utils.translation import gettext as _

from annotator.errors import NotVisible
from annotator.geometry import mask_text
from annotator.models import Assignment, Image, Membership, Study
from annotator.practice import COUNT, PracticeCase, practice_case
from annotator.selectors.kept import DraftShown, Kept
from annotator.selectors.recipes import recipe_of
from annotator.selectors.work import Neighbours, Place, targets_of
from annotator.selectors.workbench import Lease, Photograph, Question, Workbench

AUTHOR = "practice"  # what the browser keeps of it is nobody's


def practice_of(study: Study, number: int) -> PracticeCase:
    if not 1 <= number <= COUNT:
        raise NotVisible("not_found", _("There is no such practice case."))
    return practice_case(study.protocol, number)


def practice_bench(study: Study, number: int) -> Workbench:
    recipe, case = recipe_of(study), practice_of(study, number)
    started = Assignment(public_id=str(number), grader=Membership(study=study), state=Assignment.State.STARTED)
    return Workbench(
        assignment=started,
        recipe=recipe,
        author=AUTHOR,
        images=photographs_of(case, number),
        questions=[Question(recipe.target(row.key), row) for row in targets_of(study, graded_only=True)],
        kept=Kept([], []),
        submitted=None,
        can_withdraw=False,
        flags=[],
        fellow=None,
        lease=Lease(mine=True, until=None),
        place=Place(number, COUNT, Neighbours(*_neighbours(number))),
        next_unread=None,
    )


def photographs_of(case: PracticeCase, number: int) -> list[Photograph]:
    shown = []
    for position, picture in enumerate(case.pictures, start=1):
        scale = {"um_per_px_x": picture.um_per_px, "um_per_px_y": picture.um_per_px}
        image = Image(width=picture.width, height=picture.height, bits=8, **scale)
        shown.append(Photograph(str(number), position, image))
    return shown


def practice_truth(study: Study, number: int) -> list[DraftShown]:
    """The answers by which the picture was drawn, to what this study asks."""
    asked = {row.key for row in targets_of(study, graded_only=True)}
    case, shown = practice_of(study, number), []
    for given in case.truth:
        content: dict[str, Any] = {
            "answer": given.answer,
            "geometry": given.geometry,
            "label": given.label,
            "signs": list(given.signs),
            "confidence": None,
        }
        picture = case.pictures[given.position - 1]
        masks = [mask_text.write(mask, picture.width, picture.height) for mask in given.masks]
        shown.append(DraftShown(given.position, given.target, 0, content, masks, None))
    return [draft for draft in shown if draft.target in asked]


def _neighbours(number: int) -> tuple[str, str]:
    return str(number - 1) if number > 1 else "", str(number + 1) if number < COUNT else ""
