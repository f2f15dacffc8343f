"""Somebody without an account is invited to a team, and comes in as a member of it and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotator.errors import Conflict
from annotator.models import AuditEvent, Invitation, Membership, Study, Team, User
from annotator.services.people import accept_invitation, invitation_token, invite, invite_to_team
from annotator.services.teams import add_team
from tests import cast

pytestmark = pytest.mark.django_db
ADDRESS = "new.member@example.org"
Browsers = Callable[[User], Client]


@pytest.fixture
def team(study: Study, organiser: User) -> Team:
    return add_team(study=study, name="Retina Ranks", actor=organiser)


def ask(browser: Client, team: Team, **body: str) -> str:
    place = [team.study.public_id, team.public_id]
    answer = browser.post(reverse("team_people", args=place), body, follow=True)
    return answer.content.decode()


def test_an_address_without_an_account_gets_a_link_which_the_page_shows_until_it_is_used(
    team: Team, organiser: User, browser_of: Browsers, client: Client
) -> None:
    page = ask(browser_of(organiser), team, email=ADDRESS.upper())
    invitation = Invitation.objects.get(team=team)
    link = reverse("invitation", args=[invitation_token(invitation)])
    assert link in page
    assert "Retina Ranks" in client.get(link).content.decode()
    answer = client.post(link, {"name": "Nora New", "password": cast.PASSWORD})
    assert answer["Location"] == reverse("home")
    assert list(team.members.values_list("name", "email")) == [("Nora New", ADDRESS)]
    assert not Membership.objects.filter(user__email=ADDRESS).exists()
    assert link not in ask(browser_of(organiser), team, email="another@example.org")
    assert client.get(link).status_code == 404  # it is used up
    assert AuditEvent.objects.filter(action__in=["team.invited", "team.joined"]).count() == 3


def test_an_invitation_can_be_taken_back(team: Team, organiser: User, browser_of: Browsers, client: Client) -> None:
    ask(browser_of(organiser), team, email=ADDRESS)
    link = reverse("invitation", args=[invitation_token(Invitation.objects.get(team=team))])
    page = ask(browser_of(organiser), team, email=ADDRESS, act="leave")
    assert link not in page
    assert client.get(link).status_code == 404


def test_nobody_is_invited_to_two_teams_of_a_study(team: Team, study: Study, organiser: User) -> None:
    invite_to_team(team=team, email=ADDRESS, actor=organiser)
    other = add_team(study=study, name="Others", actor=organiser)
    with pytest.raises(Conflict) as refusal:
        invite_to_team(team=other, email=ADDRESS, actor=organiser)
    assert refusal.value.code == "already_invited"


def test_whoever_has_got_a_role_meanwhile_does_not_come_into_the_team(
    team: Team, study: Study, organiser: User
) -> None:
    invitation = invite_to_team(team=team, email=ADDRESS, actor=organiser)
    reader = invite(study=study, email=ADDRESS, role="grader", actor=organiser)  # type: ignore[arg-type]
    person = accept_invitation(token=invitation_token(reader), user=None, name="Nora New", password=cast.PASSWORD)
    with pytest.raises(Conflict) as refusal:
        accept_invitation(token=invitation_token(invitation), user=person)
    assert refusal.value.code == "has_a_role"
    assert not team.members.exists()


def test_the_letter_names_the_team_and_holds_the_link(
    team: Team, organiser: User, browser_of: Browsers, settings: object
) -> None:
    settings.EMAIL_CONFIGURED = True  # type: ignore[attr-defined]
    page = ask(browser_of(organiser), team, email=ADDRESS)
    assert "The invitation was sent to" in page
    (letter,) = mail.outbox
    assert "Retina Ranks" in letter.subject
    assert reverse("invitation", args=[invitation_token(Invitation.objects.get(team=team))]) in letter.body


def test_invitations_to_teams_do_not_stand_among_those_to_roles(
    team: Team, study: Study, organiser: User, browser_of: Browsers
) -> None:
    invite_to_team(team=team, email=ADDRESS, actor=organiser)
    browser = browser_of(organiser)
    assert ADDRESS not in browser.get(reverse("study_people", args=[study.public_id])).content.decode()
    assert browser.get(f"/api/v1/studies/{study.public_id}/invitations/").json()["count"] == 0


def test_the_database_refuses_an_invitation_to_both_or_to_neither(team: Team, organiser: User) -> None:
    invitation = invite_to_team(team=team, email=ADDRESS, actor=organiser)
    for wrong in ({"role": "grader"}, {"team": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Invitation.objects.filter(pk=invitation.pk).update(**wrong)
