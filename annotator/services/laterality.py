"""Which eye a case shows is corrected. What was read stays: the picture is the same, only its eye was named wrongly."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Case, Eye, Flag, Image, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.flags import close_flag
from protocols.names import CaseUnit

ASIDE = 10_000  # orders in an eye that nobody has, while two eyes change places


@dataclass(frozen=True)
class Correction:
    """`swapped` are the numbers of the cases that got the former side in exchange."""

    before: str
    after: str
    swapped: list[int]


def side_of(case: Case) -> str:
    """Of its first photograph."""
    first = Image.objects.filter(case_images__case=case).order_by("case_images__position").values_list("eye__side")
    [side] = first.first() or (None,)
    return side or Eye.Side.UNKNOWN


@transaction.atomic
def correct_side(*, case: Case, side: str, seen: str, reason: str, actor: User) -> Correction:
    """`seen`: the side that the page showed. Where a case is an eye and the subject's other eye has that side already,
    the two were mixed up, and both change."""
    study = Study.objects.select_for_update(of=("self",)).get(pk=case.study_id)  # imports sort pictures into eyes too
    if side not in {Eye.Side.RIGHT, Eye.Side.LEFT}:
        raise DomainError("bad_side", _("Say whether it is the right or the left eye."), field="side")
    before = side_of(case)
    if before != seen:
        raise Conflict("changed", _("The eye of this case was corrected in the meantime."))
    if before == side:
        raise Conflict("same_side", _("The case has this eye already."))
    own = list(Image.objects.filter(case_images__case=case).order_by("order_in_eye"))
    if len({image.subject_id for image in own}) != 1 or any(image.eye_id is None for image in own):
        raise Conflict("no_eye", _("The photographs of this case belong to no eye of one subject."))
    there = _eye(own[0].subject_id, side)
    others = Image.objects.filter(eye=there)
    swapped: list[int] = []
    if recipe_of(study).case.unit is CaseUnit.EYE and others.exists():
        swapped = _swap(own, others, there)
    else:
        _move(own, there)
    after = {"eye": side, "reason": reason, "swapped": swapped}
    record(
        action="case.eye_corrected",
        actor=actor,
        study=study,
        subject=str(case.number),
        before={"eye": before},
        after=after,
    )
    return Correction(before, side, swapped)


@transaction.atomic
def fix_flag(*, flag: Flag, side: str, seen: str, answer: str, actor: User) -> Correction:
    """The eye is corrected and the flag closed, or neither."""
    case = flag.assignment.case
    corrected = correct_side(case=case, side=side, seen=seen, reason=flag.comment, actor=actor)
    close_flag(flag=flag, actor=actor, answer=answer)
    return corrected


def _eye(subject: int, side: str) -> Eye:
    eye, _made = Eye.objects.get_or_create(subject_id=subject, side=side)
    return eye


def _move(own: Sequence[Image], there: Eye) -> None:
    taken = set(Image.objects.filter(eye=there).values_list("order_in_eye", flat=True))
    for image in own:
        order = image.order_in_eye
        while order in taken:
            order += 1
        taken.add(order)
        Image.objects.filter(pk=image.pk).update(eye=there, order_in_eye=order)


def _swap(own: Sequence[Image], others: QuerySet[Image], there: Eye) -> list[int]:
    """Orders stay; while one half has moved and the other not, they are out of each other's way."""
    here = own[0].eye_id
    mine, theirs = [image.pk for image in own], list(others.values_list("pk", flat=True))
    cases = Case.objects.filter(case_images__image__in=theirs).order_by("number").distinct()
    numbers = list(cases.values_list("number", flat=True))
    Image.objects.filter(pk__in=mine).update(eye=there, order_in_eye=F("order_in_eye") + ASIDE)
    Image.objects.filter(pk__in=theirs).update(eye=here)
    Image.objects.filter(pk__in=mine).update(order_in_eye=F("order_in_eye") - ASIDE)
    return numbers
