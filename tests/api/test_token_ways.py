"""Ways round a token's scopes that other programs have left open."""

from __future__ import annotations

from rest_framework.test import APIClient

from annotator.models import Study, User
from tests.api.test_tokens import ME, program, token_for


def test_no_other_way_of_naming_a_token_or_a_method_goes_round_the_scopes(study: Study, organiser: User) -> None:
    secret, address = token_for(organiser, "read"), f"/api/v1/studies/{study.public_id}/"
    client = program(secret)
    for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        answer = client.post(address, {"version": 1, "name": "Mine"}, headers={name: "GET"})
        assert answer.status_code == 403
        assert client.get(address, headers={name: "PATCH"}).json()["name"] == study.name
    assert client.head(address).status_code == 200
    assert client.options(address).status_code == 403
    for elsewhere in (f"{ME}?token={secret}", f"{ME}?access_token={secret}"):
        assert APIClient().get(elsewhere).status_code == 403
    assert APIClient().get(ME, headers={"Cookie": f"token={secret}"}).status_code == 403


def test_a_session_still_needs_its_csrf_token(study: Study, organiser: User) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(organiser)
    address = f"/api/v1/studies/{study.public_id}/duplicate/"
    for header in ({}, {"Authorization": "Basic QTpC"}, {"Authorization": "Token nothing"}):
        assert browser.post(address, {"name": "Twin"}, headers=header).status_code == 403
    assert Study.objects.count() == 1
