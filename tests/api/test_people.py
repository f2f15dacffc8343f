"""People, invitations and instructions by the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import Invitation, Membership, Role, Study, User
from annotator.services.people import accept_invitation

if TYPE_CHECKING:
    from tests.api.conftest import Api

At = Callable[[str], str]
Stored = Callable[[], dict[str, int]]


def test_somebody_leaves_and_comes_back(api: Api, study: Study, organiser: User, graders: list[User], at: At) -> None:
    member = Membership.objects.get(study=study, user=graders[0])
    client = api(organiser)
    left = client.patch(at(f"people/{member.public_id}/"), {"active": False}).json()
    back = client.patch(at(f"people/{member.public_id}/"), {"active": True}).json()
    assert (left["active"], back["active"], back["code"]) == (False, True, "G1")


def test_the_last_organiser_cannot_leave(api: Api, study: Study, organiser: User, at: At, stored: Stored) -> None:
    member = Membership.objects.get(study=study, user=organiser)
    before = stored()
    response = api(organiser).patch(at(f"people/{member.public_id}/"), {"active": False})
    assert (response.status_code, response.json()["code"]) == (409, "last_organiser")
    assert stored() == before


def test_the_link_of_an_invitation_lets_the_invited_person_in(api: Api, study: Study, organiser: User, at: At) -> None:
    response = api(organiser).post(at("invitations/"), {"email": "New@Example.org", "role": "grader"})
    token = response.json()["link"].strip("/").split("/")[-1]

    person = accept_invitation(token=token, user=None, name="Nora New", password="a-long-enough-phrase")

    assert response.status_code == 201
    member = Membership.objects.get(user=person)
    assert (member.study, member.role, person.email) == (study, Role.GRADER, "new@example.org")


@pytest.mark.parametrize(
    ("wish", "status", "code", "field"),
    [
        ({"email": "nobody", "role": "grader"}, 400, "bad_email", "email"),
        ({"email": "new@example.org", "role": "king"}, 400, "invalid", "role"),
        ({"email": "new@example.org"}, 400, "invalid", "role"),
        ({"email": "gina.grader@example.org", "role": "grader"}, 409, "already_member", "email"),
        ({"email": "gina.grader@example.org", "role": "senior"}, 409, "both_sides", "both_sides_reason"),
    ],
)
def test_a_bad_invitation_is_refused(
    api: Api,
    study: Study,
    organiser: User,
    at: At,
    stored: Stored,
    wish: dict[str, Any],
    status: int,
    code: str,
    field: str,
) -> None:
    before = stored()
    response = api(organiser).post(at("invitations/"), wish)
    assert (response.status_code, response.json()["code"], response.json()["field"]) == (status, code, field)
    assert stored() == before


def test_a_revoked_invitation_is_no_longer_listed(api: Api, study: Study, organiser: User, at: At) -> None:
    client = api(organiser)
    made = client.post(at("invitations/"), {"email": "new@example.org", "role": "observer"}).json()
    assert client.delete(at(f"invitations/{made['id']}/")).status_code == 204
    assert client.get(at("invitations/")).json()["count"] == 0
    assert client.delete(at(f"invitations/{made['id']}/")).status_code == 404
    assert Invitation.objects.count() == 1


def test_instructions_are_read_by_graders(api: Api, study: Study, organiser: User, graders: list[User], at: At) -> None:
    api(organiser).put(at("targets/disc/"), {"version": 1, "instructions": "Follow the *inner* edge.\r\n"})
    shown = api(graders[0]).get(at("targets/disc/")).json()
    assert (shown["instructions"], shown["version"]) == ("Follow the *inner* edge.\n", 2)


def test_instructions_that_are_too_long_are_refused(
    api: Api, study: Study, organiser: User, at: At, stored: Stored
) -> None:
    before = stored()
    response = api(organiser).put(at("targets/disc/"), {"version": 1, "instructions": "x" * 20_001})
    assert (response.status_code, response.json()["field"]) == (400, "instructions")
    assert stored() == before
