"""Who may see and do what. Every view, API endpoint and file download asks here and nowhere else.

A grader's queries can return only that grader's own work; people who see others' work are not graders of the same study
unless the organiser recorded a reason.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotator.errors import Forbidden, NotVisible
from annotator.models import Assignment, Case, Flag, Image, Job, Membership, Role, Study, TargetExample, Team, User
from annotator.specialties import compared

if TYPE_CHECKING:
    Person = User | AnonymousUser


class May(StrEnum):
    """What a role may be allowed to do in a study."""

    SEE_STUDY = "see the study"
    READ_CASES = "read assigned cases"
    SEE_ALL_WORK = "see all images, the protocol and how far the reading is"
    SEE_ORIGINAL_NAMES = "see original file names and people"
    SEE_READINGS = "see what different graders said, side by side"
    FUSE = "have readings made into references"
    DECIDE = "decide about references"
    ADJUDICATE = "settle what graders call differently, knowing what they said only if the recipe shows it"
    FREEZE = "freeze versions of the dataset"
    EXPORT = "take versions of the dataset out of the house"
    SIGN_OFF = "sign the references off"
    MANAGE = "manage the study"


ALLOWED: dict[Role, frozenset[May]] = {
    Role.GRADER: frozenset({May.SEE_STUDY, May.READ_CASES}),
    Role.SENIOR: frozenset(
        {May.SEE_STUDY, May.SEE_ALL_WORK, May.SEE_READINGS, May.FUSE, May.DECIDE, May.FREEZE, May.SIGN_OFF}
    ),
    # An adjudicator gives an own label first, and must not know what the graders said unless the recipe shows it.
    Role.ADJUDICATOR: frozenset({May.SEE_STUDY, May.SEE_ALL_WORK, May.ADJUDICATE}),
    Role.OBSERVER: frozenset({May.SEE_STUDY, May.SEE_ALL_WORK, May.SEE_READINGS}),
    Role.ORGANISER: frozenset(
        {
            *(May.SEE_STUDY, May.SEE_ALL_WORK, May.SEE_READINGS, May.SEE_ORIGINAL_NAMES),
            *(May.FUSE, May.FREEZE, May.EXPORT, May.MANAGE),
        }
    ),
}
ONLOOKERS = frozenset(role for role, rights in ALLOWED.items() if May.SEE_ALL_WORK in rights)


def _roles_with(may: May) -> list[Role]:
    return [role for role, rights in ALLOWED.items() if may in rights]


def _memberships(user: "Person", may: May) -> QuerySet[Membership]:
    if not user.is_authenticated:
        return Membership.objects.none()
    found = Membership.objects.filter(user=user, active=True, role__in=_roles_with(may))
    return found if user.only_study is None else found.filter(study=user.only_study)


def roles_of(user: "Person") -> QuerySet[Membership]:
    """All active roles of a person."""
    return _memberships(user, May.SEE_STUDY)


def rights(user: "Person", study: Study) -> frozenset[May]:
    """All that the person's active roles in the study allow."""
    roles = _memberships(user, May.SEE_STUDY).filter(study=study).values_list("role", flat=True)
    return frozenset(right for role in roles for right in ALLOWED[Role(role)])


def rights_by_study(user: "Person", studies: Sequence[int]) -> dict[int, frozenset[May]]:
    """The same for some studies, by row number; one query."""
    found: dict[int, frozenset[May]] = {}
    rows = _memberships(user, May.SEE_STUDY).filter(study__in=studies)
    for study, role in rows.values_list("study_id", "role"):
        found[study] = found.get(study, frozenset()) | ALLOWED[Role(role)]
    return found


def studies_visible_to(user: "Person", may: May = May.SEE_STUDY) -> QuerySet[Study]:
    return Study.objects.filter(Exists(_memberships(user, may).filter(study=OuterRef("pk"))))


def study_for(user: "Person", public_id: str, may: May) -> Study:
    """The study, if this person may do this with it. What may not be seen is answered like what does not exist."""
    study = studies_visible_to(user).filter(public_id=public_id).first()
    if study is None:
        raise NotVisible("not_found", _("There is no such study, or it is not yours to see."))
    if may not in rights(user, study):
        raise Forbidden("forbidden", _("Your role in this study does not allow this."))
    return study


def _studies(user: "Person", may: May) -> QuerySet[Study]:
    return studies_visible_to(user, may)


def images_visible_to(user: "Person") -> QuerySet[Image]:
    """Images by their own address. Graders reach pictures only through their assignments."""
    return Image.objects.filter(study__in=_studies(user, May.SEE_ALL_WORK))


def cases_visible_to(user: "Person") -> QuerySet[Case]:
    return Case.objects.filter(study__in=_studies(user, May.SEE_ALL_WORK))


def case_for(user: "Person", study: Study, public_id: str) -> Case:
    """A case of a study, for people who may see what its graders said."""
    case = Case.objects.filter(study__in=_studies(user, May.SEE_READINGS), study=study, public_id=public_id).first()
    if case is None:
        raise NotVisible("not_found", _("There is no such case, or it is not yours to see."))
    return case


def _qualified() -> Q:
    return Q(study__only_qualified=False) | Q(qualified_at__isnull=False)


def specialties_held(study: Study) -> frozenset[str]:
    """Of those who can adjudicate in the study now, as they are compared."""
    able = Membership.objects.filter(_qualified(), study=study, active=True, user__is_active=True)
    held = able.filter(role__in=_roles_with(May.ADJUDICATE)).values_list("specialty", flat=True)
    return frozenset(compared(one) for one in held) - {""}


def targets_to_adjudicate(user: "Person", study: Study, specialties: Mapping[str, str]) -> frozenset[str]:
    """Of targets, with the specialty that settles each, those whose disputes are this person's. What nobody who
    adjudicates here is a specialist of is everybody's: a dispute must never wait for somebody who is not there."""
    mine = _memberships(user, May.ADJUDICATE).filter(study=study).values_list("specialty", flat=True)
    own = {compared(one) for one in mine}
    held = specialties_held(study)
    asked = {target: compared(specialty) for target, specialty in specialties.items()}
    return frozenset(target for target, one in asked.items() if own and (one not in held or one in own))


def cases_to_adjudicate(user: "Person") -> QuerySet[Case]:
    """Cases of studies in which the person adjudicates, but none that the same person reads or has read. Where a study
    is only for those who passed an exam, an adjudicator is one of them."""
    if not user.is_authenticated:
        return Case.objects.none()
    own = Assignment.objects.filter(case=OuterRef("pk"), grader__user=user)
    still = Q(readings__isnull=False) | ~Q(state=Assignment.State.WITHDRAWN)
    studies = _memberships(user, May.ADJUDICATE).filter(_qualified()).values("study")
    return Case.objects.filter(study__in=studies).exclude(Exists(own.filter(still)))


def case_to_adjudicate(user: "Person", study: Study, public_id: str) -> Case:
    case = cases_to_adjudicate(user).filter(study=study, public_id=public_id).first()
    if case is None:
        raise NotVisible("not_found", _("There is no such case, or it is not yours to adjudicate."))
    return case


def assignments_of(user: "Person") -> QuerySet[Assignment]:
    """A grader's own worklist; what was taken away is no longer seen."""
    own = Assignment.objects.filter(grader__in=_memberships(user, May.READ_CASES))
    return own.exclude(state=Assignment.State.WITHDRAWN)


def assignment_for(user: "Person", public_id: str) -> Assignment:
    own = assignments_of(user).select_related("grader__study", "round", "case")
    assignment = own.filter(public_id=public_id).first()
    if assignment is None:
        raise NotVisible("not_found", _("There is no such case in your worklist."))
    return assignment


def flags_of_own_cases(user: "Person") -> QuerySet[Flag]:
    """A grader's own questions. By way of the flags, of which there are few, and not of all assigned cases."""
    own = Flag.objects.filter(assignment__grader__in=_memberships(user, May.READ_CASES))
    return own.exclude(assignment__state=Assignment.State.WITHDRAWN)


def flags_managed_by(user: "Person") -> QuerySet[Flag]:
    """Questions about cases, for those who answer them. A grader sees only the own ones, through the assignment."""
    return Flag.objects.filter(assignment__grader__study__in=_studies(user, May.MANAGE))


def examples_visible_to(user: "Person") -> QuerySet[TargetExample]:
    return TargetExample.objects.filter(target__study__in=studies_visible_to(user))


def jobs_visible_to(user: "Person") -> QuerySet[Job]:
    """One's own jobs, except those of studies one has left, and those of studies one manages."""
    if not user.is_authenticated:
        return Job.objects.none()
    own = Q(owner=user) & Q(study__in=studies_visible_to(user))
    if user.only_study is None:
        own |= Q(owner=user, study=None)
    return Job.objects.filter(own | Q(study__in=_studies(user, May.MANAGE)))


def teams_of(user: "Person") -> QuerySet[Team]:
    if not user.is_authenticated:
        return Team.objects.none()
    found = Team.objects.filter(members=user)
    return found if user.only_study is None else found.filter(study=user.only_study)


def may_create_studies(user: "Person") -> bool:
    return isinstance(user, User) and user.is_active and user.can_create_studies and user.only_study is None


def require_study_creator(user: "Person") -> None:
    if not may_create_studies(user):
        raise Forbidden("forbidden", _("Your account may not create studies; ask an administrator."))


def may_read_recipes(user: "Person") -> bool:
    """A recipe tells how often a disease was found, which somebody who only reads cases must not know."""
    return may_create_studies(user) or _memberships(user, May.SEE_ALL_WORK).exists()


def require_recipe_reader(user: "Person") -> None:
    if not may_read_recipes(user):
        raise Forbidden("forbidden", _("Your role does not allow this."))
