"""What an organiser does: open a challenge, change its phases, and say who is in which team."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.access import May
from annotator.errors import DomainError, NotVisible
from annotator.models import Invitation, Team, User
from annotator.names import LONGEST_NAME
from annotator.selectors.recipes import recipe_of
from annotator.services.invitation_mail import mail_invitation
from annotator.services.people import invitation_token, invite_to_team, revoke_invitation
from annotator.services.teams import add_team, add_team_member, remove_team_member
from annotator.views.base import StudyView, put_right
from consensus.selectors.datasets import version_of
from evaluation.access import phase_of
from evaluation.models import Challenge, Phase
from evaluation.services.opening import may_be_opened, open_challenge
from evaluation.services.phases import change_phase
from evaluation.views.phase_forms import ChallengeForm, NewPhaseForm, PhaseForm, Sources, initial_of, shown_of
from evaluation.views.words import phase_state
from protocols.scoring_names import EditionKey


class ChallengesPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        phases = Prefetch("phases", Phase.objects.annotate(sent=Count("submissions")).order_by("position"))
        challenges = Challenge.objects.filter(study=self.study).prefetch_related(phases).order_by("-pk")
        rows = [
            {
                "challenge": challenge,
                "phases": [{"phase": phase, "state": phase_state(phase)} for phase in challenge.phases.all()],
            }
            for challenge in challenges
        ]
        teams = Team.objects.filter(study=self.study).count()
        context = self.context(rows=rows, teams=teams, why_not=may_be_opened(self.study))
        return render(request, "evaluation/challenges.html", context)


class NewChallengePage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = ChallengeForm(initial={"edition": EditionKey.PAPER.value})
        return self._page(form, self._phases(None))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form, phases = ChallengeForm(request.POST), self._phases(request.POST)
        wanted = [one for one in phases if one["wanted"].value()]
        valid = [one.is_valid() for one in (form, *wanted)]
        if not all(valid):
            return self._page(form, phases, status=400)
        plans = [one.plan() for one in wanted]
        said = form.cleaned_data
        challenge = put_right(form, lambda: open_challenge(study=self.study, actor=self.user, plans=plans, **said))
        if challenge is None:
            return self._page(form, phases, status=400)
        messages.success(request, _("The challenge “%(name)s” is open.") % {"name": challenge.name})
        return redirect("challenge", challenge.public_id)

    def _phases(self, posted: Any) -> list[NewPhaseForm]:
        recipe, sources = recipe_of(self.study), Sources(self.study)
        weighed = any(ranking.phases for ranking in recipe.scoring.rankings_in(EditionKey.PAPER))
        return [
            NewPhaseForm(
                posted,
                prefix=known.key,
                initial=initial_of(known, recipe, sources),
                known=known,
                sources=sources,
                weighed=weighed,
            )
            for known in recipe.scoring.phases
        ]

    def _page(self, form: ChallengeForm, phases: list[NewPhaseForm], status: int = 200) -> HttpResponse:
        context = self.context(
            form=form, phases=phases, why_not=may_be_opened(self.study), zone=timezone.get_current_timezone_name()
        )
        return render(self.request, "evaluation/challenge_new.html", context, status=status)


class PhasePage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str, phase_id: str) -> HttpResponse:
        phase = self._phase(phase_id)
        initial = {name: getattr(phase, name) for name in ("name", "limit", "counts", "row_version")}
        initial |= {"shown": shown_of(phase), "version": phase.version.public_id}
        initial |= {name: timezone.localtime(getattr(phase, name)) for name in ("opens_at", "closes_at")}
        return self._page(phase, PhaseForm(initial=initial, study=self.study))

    def post(self, request: HttpRequest, study_id: str, phase_id: str) -> HttpResponse:
        phase, form = self._phase(phase_id), PhaseForm(request.POST, study=self.study)
        if not form.is_valid():
            return self._page(phase, form, status=400)
        said = form.cleaned_data
        changed = put_right(
            form,
            lambda: change_phase(
                phase=phase,
                row_version=said["row_version"],
                actor=self.user,
                version=version_of(self.study, said["version"]),
                changes=form.changes(),
            ),
        )
        if changed is None:
            return self._page(phase, form, status=409)
        messages.success(request, _("The phase “%(name)s” was changed.") % {"name": changed.name})
        return redirect("challenge", phase.challenge.public_id)

    def _phase(self, public_id: str) -> Phase:
        row = Phase.objects.filter(challenge__study=self.study, public_id=public_id).select_related("challenge").first()
        if row is None:
            raise NotVisible("not_found", _("There is no such phase."))
        row.challenge.study = self.study
        return phase_of(row.challenge, public_id)

    def _page(self, phase: Phase, form: PhaseForm, status: int = 200) -> HttpResponse:
        context = self.context(phase=phase, form=form, zone=timezone.get_current_timezone_name())
        return render(self.request, "evaluation/phase.html", context, status=status)


class TeamForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of a new team"), max_length=LONGEST_NAME)


class TeamMemberForm(forms.Form):
    email = forms.EmailField(label=gettext_lazy("E-mail address"), max_length=254)


class TeamsPage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self.page(TeamForm())

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = TeamForm(request.POST)
        if not form.is_valid():
            return self.page(form, status=400)
        team = put_right(form, lambda: add_team(study=self.study, name=form.cleaned_data["name"], actor=self.user))
        if team is None:
            return self.page(form, status=409)
        messages.success(request, _("The team “%(name)s” was added.") % {"name": team.name})
        return redirect("study_teams", self.study.public_id)

    def page(self, form: TeamForm, status: int = 200) -> HttpResponse:
        people = Prefetch("members", User.objects.order_by("name"))
        waiting = Prefetch("invitations", Invitation.objects.filter(accepted_at=None, revoked_at=None), "waiting")
        teams = Team.objects.filter(study=self.study).prefetch_related(people, waiting).order_by("name")
        rows = [
            {"team": team, "invited": [(one, self.link(one)) for one in team.waiting]}
            for team in teams.annotate(sent=Count("submissions"))
        ]
        context = self.context(form=form, rows=rows)
        return render(self.request, "evaluation/teams.html", context, status=status)

    def link(self, invitation: Invitation) -> str:
        return self.request.build_absolute_uri(reverse("invitation", args=[invitation_token(invitation)]))

    def team(self, public_id: str) -> Team:
        team = Team.objects.filter(study=self.study, public_id=public_id).select_related("study").first()
        if team is None:
            raise NotVisible("not_found", _("There is no such team."))
        return team


class TeamPeople(TeamsPage):
    """Somebody joins a team, is invited to it, or leaves it."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, team_id: str = "") -> HttpResponse:
        team = self.team(team_id)
        form = TeamMemberForm(request.POST)
        if not form.is_valid():
            messages.error(request, _("Give an e-mail address."))
            return redirect("study_teams", self.study.public_id)
        email = form.cleaned_data["email"].lower()
        try:
            if request.POST.get("act") == "leave":
                self._leave(team, email)
            elif User.objects.filter(email=email).exists():
                add_team_member(team=team, email=email, actor=self.user)
            else:
                self._invite(team, email)
        except DomainError as refusal:
            messages.error(request, refusal.message)
        return redirect("study_teams", self.study.public_id)

    def _leave(self, team: Team, email: str) -> None:
        """Whoever is invited and has not come yet is uninvited."""
        person = team.members.filter(email=email).first()
        if person is not None:
            remove_team_member(team=team, user=person, actor=self.user)
        for invitation in team.invitations.filter(email=email, accepted_at=None, revoked_at=None):
            revoke_invitation(invitation=invitation, actor=self.user)

    def _invite(self, team: Team, email: str) -> None:
        invitation = invite_to_team(team=team, email=email, actor=self.user)
        if mail_invitation(invitation=invitation, link=self.link(invitation)):
            messages.success(self.request, _("The invitation was sent to %(email)s.") % {"email": email})
        else:
            told = _("%(email)s is invited. Copy the link below and send it.") % {"email": email}
            messages.success(self.request, told)
