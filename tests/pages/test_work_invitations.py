"""The page behind an invitation's link."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Invitation, Membership, Role, Study, User
from annotator.services.people import invitation_token, invite, revoke_invitation
from tests import cast

Browsers = Callable[[User], Client]
ADDRESS = "new.colleague@example.org"


@pytest.fixture
def invitation(study: Study, organiser: User) -> Invitation:
    return invite(study=study, email=ADDRESS, role=Role.GRADER, actor=organiser)


def link(invitation: Invitation) -> str:
    return reverse("invitation", args=[invitation_token(invitation)])


def join(browser: Client, invitation: Invitation, name: str = "Nora New", password: str = cast.PASSWORD) -> Any:
    return browser.post(link(invitation), {"name": name, "password": password})


def test_the_link_says_who_invites_to_what(invitation: Invitation, client: Client) -> None:
    page = client.get(link(invitation)).content.decode()

    assert all(words in page for words in ("Olga Organiser", "A study of refuge", "Grader", ADDRESS))


def test_a_new_person_gets_an_account_and_the_role_and_is_signed_in(invitation: Invitation, client: Client) -> None:
    answer = join(client, invitation)

    member = Membership.objects.get(user__email=ADDRESS)
    assert (member.role, member.user.name) == (Role.GRADER, "Nora New")
    assert answer["Location"] == reverse("study", args=[invitation.study.public_id])
    assert client.session["_auth_user_id"] == str(member.user.pk)


def test_the_new_person_can_sign_in_later(invitation: Invitation, client: Client) -> None:
    join(client, invitation)

    answer = Client().post(reverse("account_login"), {"login": ADDRESS, "password": cast.PASSWORD})

    assert answer.status_code == 302


@pytest.mark.parametrize("password", ["short", "1234567890123", "password123", ADDRESS])
def test_a_weak_password_is_refused_and_no_account_is_made(
    password: str, invitation: Invitation, client: Client
) -> None:
    page = join(client, invitation, password=password)

    assert "id_password_error" in page.content.decode()
    assert not User.objects.filter(email=ADDRESS).exists()
    assert Invitation.objects.get().accepted_at is None


def test_a_refused_form_does_not_write_the_link_into_the_log(
    invitation: Invitation, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    join(client, invitation, password="short")

    assert invitation_token(invitation) not in caplog.text


def test_a_name_is_needed(invitation: Invitation, client: Client) -> None:
    page = join(client, invitation, name="  ")

    assert "id_name_error" in page.content.decode()
    assert not User.objects.filter(email=ADDRESS).exists()


def test_a_signed_in_person_accepts_with_the_own_account(invitation: Invitation, browser_of: Browsers) -> None:
    person = cast.person("New Colleague")
    browser = browser_of(person)

    page = browser.get(link(invitation)).content.decode()
    answer = browser.post(link(invitation))

    assert "Accept as New Colleague" in page
    assert answer.status_code == 302
    assert Membership.objects.get(user=person).role == Role.GRADER


def test_a_person_with_an_account_is_asked_to_sign_in_first(invitation: Invitation, client: Client) -> None:
    cast.person("New Colleague")

    page = client.get(link(invitation)).content.decode()
    join(client, invitation)

    assert f"{reverse('account_login')}?next=/invitations/" in page.replace("%2F", "/")
    assert not Membership.objects.filter(user__email=ADDRESS).exists()


def test_another_person_cannot_use_the_link(invitation: Invitation, outsider: User, browser_of: Browsers) -> None:
    browser = browser_of(outsider)

    page = browser.post(link(invitation)).content.decode()

    assert f"You are signed in as {outsider.email}" in page
    assert not Membership.objects.filter(study=invitation.study, user=outsider).exists()


def test_a_link_works_once(invitation: Invitation, client: Client) -> None:
    join(client, invitation)

    again = join(Client(), invitation)

    assert again.status_code == 404
    assert Membership.objects.filter(user__email=ADDRESS).count() == 1


def test_a_link_stops_working_after_its_time(invitation: Invitation, client: Client) -> None:
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.get(link(invitation)).status_code == 404
    assert join(client, invitation).status_code == 404
    assert not User.objects.filter(email=ADDRESS).exists()


def test_a_link_stops_working_when_it_is_taken_back(invitation: Invitation, organiser: User, client: Client) -> None:
    revoke_invitation(invitation=invitation, actor=organiser)

    assert join(client, invitation).status_code == 404
    assert not User.objects.filter(email=ADDRESS).exists()


@pytest.mark.parametrize("token", ["x", "abc:def:ghi", "a" * 500])
def test_an_invented_link_is_not_found(token: str, db: None, client: Client) -> None:
    assert client.get(reverse("invitation", args=[token])).status_code == 404


def test_a_form_without_the_pages_token_is_refused(invitation: Invitation) -> None:
    assert join(Client(enforce_csrf_checks=True), invitation).status_code == 403
