"""Tokens: the same person by another door, never with more rights, and only through the doors the scopes open."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from annotator.errors import DomainError
from annotator.models import ApiToken, AuditEvent, Membership, Role, Scope, Study, User
from annotator.selectors.tokens import digest_of
from annotator.services.people import add_member, deactivate_member
from annotator.services.tokens import MOST_TOKENS, make_token, revoke_token
from config.token_scopes import IN_PERSON, SCOPES
from tests import cast
from tests.api.test_roles import TABLE, Scene
from tests.api.test_roles import scene as scene
from tests.safety.house import undone

ALL = Scope.values
ME = "/api/v1/me/"


def program(secret: str) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Bearer {secret}")


def token_for(person: User, *scopes: str, **wish: Any) -> str:
    return make_token(person=person, name="Script", scopes=scopes or ALL, **wish)[1]


def test_every_address_of_the_schema_has_its_scopes_and_nothing_else_has() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    described = {
        (path.removeprefix("/api/v1/"), method.upper())
        for path, operations in schema["paths"].items()
        for method in operations
    }
    assert {(path, method) for path, methods in SCOPES.items() for method in methods} == described


def test_the_schema_tells_of_tokens() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    own = schema["paths"]["/api/v1/me/"]["get"]
    assert {"token": []} in own["security"]
    signing = schema["paths"]["/api/v1/studies/{study_id}/datasets/sign-off/"]["post"]
    assert {"token": []} not in signing["security"]
    assert "Not open to tokens." in signing["description"]


@pytest.mark.parametrize("role", ["grader", "observer", "senior", "adjudicator", "organiser", "outsider", "admin"])
def test_a_token_with_all_scopes_gets_what_its_person_gets(
    scene: Scene, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = scene.people[role]
    assert isinstance(person, User)
    by_token, by_session = program(token_for(person)), APIClient()
    by_session.force_login(person)
    moment = timezone.now()  # some answers tell the time, and a second may pass between the two who ask
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    differences = []
    for (method, path), (template, expected) in TABLE.items():
        if SCOPES[path.replace("{target_key}", "{key}")][method.upper()] == IN_PERSON:
            continue
        answers = []
        for client in (by_session, by_token):
            with undone():
                response = getattr(client, method)(scene.address(path), scene.body(template, role))
                seen = response.content if method == "get" and not response.streaming else b""
                answers.append((response.status_code, seen))
        if answers[0] != answers[1] or answers[1][0] != expected[role]:
            differences.append((method, path, answers))
    assert differences == []


@pytest.mark.parametrize("scope", ALL)
def test_a_scope_opens_its_own_addresses_and_the_refusal_of_others_names_what_is_missing(
    scene: Scene, scope: str
) -> None:
    person = scene.people["organiser"]
    assert isinstance(person, User)
    client = program(token_for(person, scope))
    faults = []
    for method, path in TABLE:
        enough = SCOPES[path.replace("{target_key}", "{key}")][method.upper()]
        with undone():
            response = getattr(client, method)(scene.address(path))
        told = response.json() if response.status_code == 403 else {}
        closed = told.get("code") in {"scope_missing", "in_person"}
        named = enough == IN_PERSON or all(one in told.get("message", "") for one in enough)
        if closed == (scope in enough) or (closed and not named):
            faults.append((method, path, response.status_code))
    assert faults == []


def test_what_lets_people_in_and_what_signs_opens_to_no_token(scene: Scene, organiser: User, senior: User) -> None:
    manager, decider = program(token_for(organiser)), program(token_for(senior))
    refused = [
        manager.post(scene.address("studies/{study_id}/invitations/"), {"email": "x@example.org", "role": "grader"}),
        manager.patch(scene.address("studies/{study_id}/people/{person_id}/"), {"active": False}),
        manager.post(scene.address("studies/{study_id}/exam/candidates/{person_id}/admit/"), {"role": "grader"}),
        manager.post(scene.address("studies/{study_id}/removals/{removal_id}/take-back/")),
        decider.post(scene.address("studies/{study_id}/datasets/sign-off/"), {"name": "Final"}),
    ]
    assert [(one.status_code, one.json()["code"]) for one in refused] == [(403, "in_person")] * 5


def test_a_wrong_token_is_refused_in_json_even_beside_a_good_session(organiser: User) -> None:
    client = program("quorum_" + "x" * 43)
    client.force_login(organiser)
    response = client.get(ME)
    assert (response.status_code, response.json()["code"]) == (401, "bad_token")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.django_db
@pytest.mark.parametrize("secret", ["", "quorum_", "quorum_ä", "x" * 10_000, "quorum_\x00", "a b c"])
def test_nonsense_is_no_token_and_no_fault_of_the_server(secret: str) -> None:
    response = APIClient().get(ME, headers={"authorization": f"Bearer {secret}"})
    assert (response.status_code, response.json()["code"]) == (401, "bad_token")


def test_another_kind_of_authorisation_is_not_ours(organiser: User) -> None:
    client = APIClient(HTTP_AUTHORIZATION="Basic dXNlcjpwYXNz")
    assert client.get(ME).status_code == 403
    client.force_login(organiser)  # a proxy in front may ask for a password of its own
    assert client.get(ME).status_code == 200


def test_writing_with_a_token_needs_no_csrf_token(organiser: User) -> None:
    client = APIClient(enforce_csrf_checks=True, HTTP_AUTHORIZATION=f"Bearer {token_for(organiser, 'manage')}")
    assert client.post("/api/v1/studies/", {"name": "By a script", "protocol": "glas"}).status_code == 201


def test_a_revoked_token_lets_nobody_in(organiser: User) -> None:
    token, secret = make_token(person=organiser, name="Script", scopes=["read"])
    assert program(secret).get(ME).status_code == 200
    revoke_token(person=organiser, public_id=token.public_id)
    assert program(secret).get(ME).status_code == 401


def test_a_token_ends_on_its_day(organiser: User) -> None:
    token, secret = make_token(person=organiser, name="Script", scopes=["read"], days=1)
    moved = timezone.now() - timedelta(days=2)
    ApiToken.objects.filter(pk=token.pk).update(created_at=moved, expires_at=moved + timedelta(days=1))
    assert program(secret).get(ME).status_code == 401


def test_a_deactivated_person_s_token_lets_nobody_in(organiser: User) -> None:
    secret = token_for(organiser)
    User.objects.filter(pk=organiser.pk).update(is_active=False)
    assert program(secret).get(ME).status_code == 401


def test_who_leaves_a_study_leaves_it_with_the_token_too(study: Study, organiser: User, observer: User) -> None:
    client = program(token_for(observer))
    address = f"/api/v1/studies/{study.public_id}/images/"
    assert client.get(address).status_code == 200
    deactivate_member(membership=Membership.objects.get(user=observer), actor=organiser)
    assert client.get(address).status_code == 404


def test_a_token_for_one_study_opens_no_other(scene: Scene, organiser: User) -> None:
    other = cast.study_of("age", organiser=organiser)
    client = program(token_for(organiser, study=other))
    shown = client.get("/api/v1/studies/").json()["results"]
    assert [one["id"] for one in shown] == [other.public_id]
    assert [role["study"]["id"] for role in client.get(ME).json()["roles"]] == [other.public_id]
    opened = []
    for method, path in TABLE:
        if "_id}" in path and method == "get":
            response = client.get(scene.address(path))
            opened += [path] if response.status_code not in {403, 404} else []
    assert opened == []
    assert client.get("/api/v1/jobs/").json()["count"] == 0
    assert client.post("/api/v1/studies/", {"name": "Another", "protocol": "glas"}).status_code == 403


def test_a_token_for_one_study_makes_no_copy_of_it(study: Study, organiser: User) -> None:
    client = program(token_for(organiser, study=study))
    answer = client.post(f"/api/v1/studies/{study.public_id}/duplicate/", {"name": "Twin", "with_people": True})
    assert (answer.status_code, Study.objects.count()) == (403, 1)


def test_a_token_for_one_study_saves_no_answer_in_another(scene: Scene, organiser: User, graders: list[User]) -> None:
    other = cast.study_of("age", organiser=organiser)
    add_member(study=other, user=graders[0], role=Role.GRADER, actor=organiser)
    draft, by_session = "me/assignments/{assignment_id}/drafts/{position}/{target}/", APIClient()
    body = scene.body(TABLE["put", draft][0], "grader")
    by_session.force_login(graders[0])
    assert by_session.put(scene.address(draft), body).status_code == 200
    client = program(token_for(graders[0], study=other))
    assert client.put(scene.address(draft), body).status_code == 404


def test_a_token_opens_neither_pages_nor_the_administration(admin: User) -> None:
    client = program(token_for(admin))
    for address in ("/", "/admin/", "/account/me/", "/account/tokens/", "/account/tokens/new/", "/api/docs/"):
        response = client.get(address)
        assert (address, response.status_code) == (address, 302)
        assert "login" in response["Location"]


def test_the_schema_and_an_address_that_is_not_there_answer_a_token(organiser: User) -> None:
    client = program(token_for(organiser, "submit"))
    assert client.get("/api/schema/").status_code == 200
    assert client.get("/api/v1/nowhere/").status_code == 404


@pytest.mark.contract
def test_only_a_digest_of_the_secret_is_kept(organiser: User) -> None:
    token, secret = make_token(person=organiser, name="Script", scopes=["submit", "read", "read"], days=30)
    token.refresh_from_db()
    assert token.digest == digest_of(secret)
    assert token.scopes == ["read", "submit"]
    row = " ".join(str(getattr(token, field.attname)) for field in ApiToken._meta.fields)
    assert secret not in row
    assert secret[:16] not in row
    assert secret not in "".join(str(event.after) + event.subject for event in AuditEvent.objects.all())


def test_two_tokens_have_nothing_in_common_but_the_sign_that_they_are_ours(organiser: User) -> None:
    first, second = token_for(organiser), token_for(organiser)
    assert first.startswith("quorum_")
    assert len(first) == len(second) == 7 + 43  # 256 bits in letters of six
    assert first != second


def test_the_logs_of_the_studies_it_opens_tell_of_a_token(study: Study, observer: User, outsider: User) -> None:
    cast.study_of("age", organiser=outsider)
    token, _secret = make_token(person=observer, name="Notebook", scopes=["references"])
    revoke_token(person=observer, public_id=token.public_id)
    revoke_token(person=observer, public_id=token.public_id)
    events = AuditEvent.objects.filter(action__startswith="token.").order_by("pk")
    kept = [(event.chain, event.action) for event in events]
    assert kept == [(c, a) for a in ("token.made", "token.revoked") for c in (study.public_id, "system")]
    assert events[0].after == {"name": "Notebook", "scopes": ["references"]}
    assert events[0].actor == observer


def test_reading_with_a_token_writes_at_most_once_an_hour(organiser: User) -> None:
    token, secret = make_token(person=organiser, name="Script", scopes=["read"])
    client = program(secret)
    client.get(ME)
    token.refresh_from_db()
    assert token.last_used_at is not None
    with CaptureQueriesContext(connection) as asked:
        client.get(ME)
    assert [query["sql"] for query in asked if not query["sql"].startswith("SELECT")] == []
    ApiToken.objects.update(last_used_at=token.last_used_at - timedelta(hours=2))
    client.get(ME)
    noted = ApiToken.objects.get().last_used_at
    assert noted is not None
    assert noted > token.last_used_at - timedelta(hours=1)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"scopes": []}, "unknown_scope"),
        ({"scopes": ["root"]}, "unknown_scope"),
        ({"name": " "}, "name_missing"),
        ({"days": 0}, "bad_expiry"),
        ({"days": 10**9}, "bad_expiry"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(organiser: User, wish: dict[str, Any], code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        make_token(**{"person": organiser, "name": "Script", "scopes": ["read"], **wish})
    assert refusal.value.code == code


def test_a_token_for_a_study_of_others_is_refused(study: Study, outsider: User) -> None:
    with pytest.raises(DomainError) as refusal:
        make_token(person=outsider, name="Script", scopes=["read"], study=study)
    assert refusal.value.code == "not_found"


def test_nobody_has_more_tokens_than_can_be_overseen(organiser: User) -> None:
    tokens = [make_token(person=organiser, name="Script", scopes=["read"])[0] for _number in range(MOST_TOKENS)]
    with pytest.raises(DomainError) as refusal:
        token_for(organiser)
    assert refusal.value.code == "too_many_tokens"
    revoke_token(person=organiser, public_id=tokens[0].public_id)
    assert token_for(organiser)


def test_nobody_revokes_the_tokens_of_others(organiser: User, outsider: User) -> None:
    token, _secret = make_token(person=organiser, name="Script", scopes=["read"])
    with pytest.raises(DomainError):
        revoke_token(person=outsider, public_id=token.public_id)
