"""Who takes part in a study: roles, invitations, leavers."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.access import ONLOOKERS
from annotator.errors import Conflict, DomainError, NotVisible
from annotator.models import Invitation, Membership, Role, Study, Team, User
from annotator.names import checked_name
from annotator.services.audit import record
from annotator.services.teams import add_team_member, refuse_team_member
from annotator.specialties import checked_specialty

LINK_SALT = "quorum.invitation"
LINK_LIFE = timedelta(days=14)
CODE_LETTERS = {Role.GRADER: "G", Role.SENIOR: "S", Role.ADJUDICATOR: "A", Role.ORGANISER: "O", Role.OBSERVER: "V"}


@transaction.atomic
def add_member(
    *,
    study: Study,
    user: User,
    role: Role,
    actor: User,
    both_sides_reason: str = "",
    experience_years: int | None = None,
    specialty: str = "",
) -> Membership:
    """Give a person a role. Whoever reads must not see the others' work, unless a reason is recorded."""
    specialty = checked_specialty(specialty, role)
    Study.objects.select_for_update().get(pk=study.pk)
    _refuse_both_sides(study=study, user=user, role=role, reason=both_sides_reason)
    refuse_team_member(study=study, user=user)
    former = Membership.objects.filter(study=study, user=user, role=role).first()
    if former is not None and former.active:
        raise Conflict("already_member", _("%(name)s already has this role.") % {"name": user.name}, field="email")
    if former is not None:
        former.active, former.left_at, former.both_sides_reason = True, None, both_sides_reason
        former.specialty = specialty or former.specialty
        former.save(update_fields=["active", "left_at", "both_sides_reason", "specialty"])
        after = {"role": role, **_specialty_told(specialty)}
        record(action="member.returned", actor=actor, study=study, subject=former.code, after=after)
        return former
    membership = Membership.objects.create(
        study=study,
        user=user,
        role=role,
        code=_next_code(study, role),
        both_sides_reason=both_sides_reason,
        experience_years=experience_years,
        specialty=specialty,
    )
    after = {"person": membership.public_id, "role": role, "reason": both_sides_reason, **_specialty_told(specialty)}
    record(action="member.added", actor=actor, study=study, subject=membership.code, after=after)
    return membership


def _specialty_told(specialty: str) -> dict[str, str]:
    """For the log."""
    return {"specialty": specialty} if specialty else {}


def _next_code(study: Study, role: Role) -> str:
    """G1, G2, …; codes are never used again, because leavers keep theirs."""
    return f"{CODE_LETTERS[role]}{Membership.objects.filter(study=study, role=role).count() + 1}"


def _refuse_both_sides(*, study: Study, user: User, role: Role, reason: str) -> None:
    roles = set(Membership.objects.filter(study=study, user=user, active=True).values_list("role", flat=True))
    onlooking = any(Role(held) in ONLOOKERS for held in roles)
    clash = onlooking if role == Role.GRADER else Role.GRADER in roles and role in ONLOOKERS
    if clash and not reason.strip():
        raise Conflict(
            "both_sides",
            _("%(name)s would both read cases and see the work of others. Give a reason if this is meant.")
            % {"name": user.name or user.email},
            field="both_sides_reason",
        )


@transaction.atomic
def deactivate_member(*, membership: Membership, actor: User) -> Membership:
    """A leaver loses access at once; every reading stays, with its author."""
    membership = Membership.objects.select_for_update().get(pk=membership.pk)
    if not membership.active:
        raise Conflict("not_active", _("This person has already left the study."))
    last = not (
        Membership.objects.filter(study=membership.study, role=Role.ORGANISER, active=True)
        .exclude(pk=membership.pk)
        .exists()
    )
    if membership.role == Role.ORGANISER and last:
        raise Conflict("last_organiser", _("A study needs at least one organiser."))
    membership.active, membership.left_at = False, timezone.now()
    membership.save(update_fields=["active", "left_at"])
    record(action="member.left", actor=actor, study=membership.study, subject=membership.code)
    return membership


@transaction.atomic
def reactivate_member(*, membership: Membership, actor: User) -> Membership:
    return add_member(
        study=membership.study,
        user=membership.user,
        role=Role(membership.role),
        actor=actor,
        both_sides_reason=membership.both_sides_reason,
    )


@transaction.atomic
def invite(
    *, study: Study, email: str, role: Role, actor: User, both_sides_reason: str = "", specialty: str = ""
) -> Invitation:
    """Promise a role to an address; the link is made from the row by `invitation_token`."""
    email, specialty = _checked_email(email), checked_specialty(specialty, role)
    user = User.objects.filter(email=email).first()
    if user is not None:
        _refuse_both_sides(study=study, user=user, role=role, reason=both_sides_reason)
        if Membership.objects.filter(study=study, user=user, role=role, active=True).exists():
            raise Conflict("already_member", _("%(name)s already has this role.") % {"name": user}, field="email")
    promised = {"role": role, "both_sides_reason": both_sides_reason, "specialty": specialty}
    invitation = _promised(study=study, email=email, invited_by=actor, **promised)
    after = {"role": role, **_specialty_told(specialty)}
    record(action="member.invited", actor=actor, study=study, subject=invitation.public_id, after=after)
    return invitation


@transaction.atomic
def invite_to_team(*, team: Team, email: str, actor: User) -> Invitation:
    """For an address that has no account yet; whoever has one is put into the team at once."""
    invitation = _promised(study=team.study, email=_checked_email(email), team=team, invited_by=actor)
    after = {"name": team.name}
    record(action="team.invited", actor=actor, study=team.study, subject=invitation.public_id, after=after)
    return invitation


def _checked_email(email: str) -> str:
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise DomainError("bad_email", _("This is not an e-mail address."), field="email") from None
    return email


def _promised(**facts: Any) -> Invitation:
    try:
        with transaction.atomic():
            return Invitation.objects.create(expires_at=timezone.now() + LINK_LIFE, **facts)
    except IntegrityError:
        raise Conflict("already_invited", _("An invitation to this address is already open."), field="email") from None


def invitation_token(invitation: Invitation) -> str:
    return signing.dumps(invitation.public_id, salt=LINK_SALT)


def open_invitation(token: str) -> Invitation:
    """The invitation behind a link, if it can still be accepted."""
    fault = NotVisible("no_invitation", _("This invitation is not valid any more. Ask the organiser for a new one."))
    try:
        public_id = signing.loads(token, salt=LINK_SALT)
    except signing.BadSignature:
        raise fault from None
    rows = Invitation.objects.select_related("study", "invited_by", "team__study")
    invitation = rows.filter(public_id=public_id).first()
    if invitation is None or invitation.accepted_at or invitation.revoked_at or invitation.expires_at < timezone.now():
        raise fault
    return invitation


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, actor: User) -> None:
    open_rows = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)
    if not open_rows.update(revoked_at=timezone.now()):
        raise Conflict("not_open", _("This invitation is no longer open."))
    record(action="member.uninvited", actor=actor, study=invitation.study, subject=invitation.public_id)


@transaction.atomic
def accept_invitation(*, token: str, user: User | None, name: str = "", password: str = "") -> User:
    """Join with the account of the invited address; without one, make it."""
    invitation = open_invitation(token)
    Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if user is None:
        user = _new_person(email=invitation.email, name=name, password=password)
    elif user.email != invitation.email:
        raise Conflict("other_person", _("This invitation is for another address. Sign out and open the link again."))
    if invitation.team is not None:
        add_team_member(team=invitation.team, email=user.email, actor=user)
    else:
        add_member(
            study=invitation.study,
            user=user,
            role=Role(invitation.role),
            actor=user,
            both_sides_reason=invitation.both_sides_reason,
            specialty=invitation.specialty,
        )
    taken = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None)
    if not taken.update(accepted_at=timezone.now(), accepted_by=user):
        raise Conflict("not_open", _("This invitation is no longer open."))
    return user


def _new_person(*, email: str, name: str, password: str) -> User:
    if User.objects.filter(email=email).exists():
        raise Conflict("sign_in_first", _("You already have an account. Sign in, then open the link again."))
    name = checked_name(name, missing=_("Please give your name."))
    person = User(email=email, name=name)
    try:
        validate_password(password, person)
    except ValidationError as fault:
        raise DomainError("weak_password", " ".join(fault.messages), field="password") from None
    return User.objects.create_user(email, password, name=name)
