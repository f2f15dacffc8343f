"""Teams that submit results to a study's challenge: who is in which. Organisers decide."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Membership, Study, Team, TeamMember, User
from annotator.names import checked_name
from annotator.services.audit import record

BETWEEN = "|"  # stands between two teams where reports compare them


@transaction.atomic
def add_team(*, study: Study, name: str, actor: User) -> Team:
    name = checked_name(name, missing=_("Give the team a name."))
    if BETWEEN in name:
        raise DomainError("bad_name", _("The name of a team cannot hold “|”."), field="name")
    try:
        with transaction.atomic():
            team = Team.objects.create(study=study, name=name)
    except IntegrityError:
        raise Conflict("name_taken", _("There is already a team of this name."), field="name") from None
    record(action="team.added", actor=actor, study=study, subject=team.public_id, after={"name": name})
    return team


@transaction.atomic
def add_team_member(*, team: Team, email: str, actor: User) -> TeamMember:
    """Whoever reads or oversees the study knows too much to be in a team, and nobody is in two."""
    Study.objects.select_for_update(of=("self",)).only("pk").get(pk=team.study_id)
    user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if user is None:
        message = _("Nobody here has this address. An administrator can make an account for it.")
        raise DomainError("unknown_person", message, field="email")
    if Membership.objects.filter(study=team.study_id, user=user).exists():
        message = _("%(name)s has or had a role in this study and cannot be in a team.") % {"name": user.name}
        raise Conflict("has_a_role", message, field="email")
    other = TeamMember.objects.filter(team__study=team.study_id, user=user).select_related("team").first()
    if other is not None:
        message = _("%(name)s is in the team “%(team)s” already.") % {"name": user.name, "team": other.team.name}
        raise Conflict("in_a_team", message, field="email")
    member = TeamMember.objects.create(team=team, user=user)
    after = {"name": team.name, "person": user.name}
    record(action="team.joined", actor=actor, study=team.study, subject=team.public_id, after=after)
    return member


@transaction.atomic
def remove_team_member(*, team: Team, user: User, actor: User) -> None:
    """The person no longer sees anything of the challenge; what the team sent in stays."""
    gone, _rows = TeamMember.objects.filter(team=team, user=user).delete()
    if not gone:
        raise Conflict("not_in_team", _("%(name)s is not in this team.") % {"name": user.name})
    after = {"name": team.name, "person": user.name}
    record(action="team.left", actor=actor, study=team.study, subject=team.public_id, after=after)


def refuse_team_member(*, study: Study, user: User) -> None:
    """Somebody who competes gets no role in the study."""
    if TeamMember.objects.filter(team__study=study, user=user).exists():
        message = _("%(name)s is in a team of this study's challenge.") % {"name": user.name}
        raise Conflict("in_a_team", message, field="email")
