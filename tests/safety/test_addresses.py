"""Every address × every role: who may opens it, everybody else is refused and changes nothing. Every answer on the way
carries the headers that protect it, and no page has anything inline."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from annotator import models
from consensus.models import CaseReview, ConsensusRun, DatasetVersion, Reference, ReferenceInput
from tests.api.test_roles import TABLE as API
from tests.safety.addresses import ADMIN, MEMBERS, NOBODY, PAGES, Rule, filled, routes
from tests.safety.house import ROLES, House, stored, undone
from tests.safety.inspection import header_faults, page_faults

pytestmark = pytest.mark.django_db
STRANGERS = sorted(set(ROLES) - MEMBERS - {"anonymous", "administrator"})


def is_refused(response: Any) -> bool:
    if response.status_code == 302:
        return str(response["Location"]).startswith(("/account/login/", "/admin/login/"))
    return response.status_code in {403, 404}


def body_of(rule: Rule, house: House) -> dict[str, str]:
    return {name: value.format(version=house.study.version) for name, value in rule.body.items()}


def attempts(rule: Rule, role: str, client: Client, address: str, house: House) -> Iterator[tuple[str, bool, Any]]:
    """Method, whether the role may, and the answer."""
    yield "get", role in rule.get, client.get(address)
    if rule.post or rule.get == NOBODY:
        yield "post", role in rule.post, client.post(address, body_of(rule, house))


def judged(role: str, may: bool, response: Any) -> list[str]:
    """What is wrong with an answer."""
    faults = header_faults(response) + page_faults(response)
    refused = is_refused(response) or response.status_code == 405
    if response.status_code >= 500:
        faults.append("failed")
    elif may == refused:
        faults.append("should be allowed" if may else "should be refused")
    return faults


def walk(table: dict[str, Rule], house: House, role: str) -> list[str]:
    """All faults of all addresses for a role, each address in a state as if nobody had come before."""
    faults = []
    browser, before = house.browser(role), stored()
    for route, rule in table.items():
        address = filled(route, house.names)
        with undone():
            client = Client(raise_request_exception=False)
            client.cookies.update(browser.cookies)
            harmless = True
            for method, may, response in attempts(rule, role, client, address, house):
                where = f"{role} {method} {address}: {response.status_code}"
                faults += [f"{where}: {fault}" for fault in judged(role, may, response)]
                harmless = harmless and not may
            if harmless and role != "administrator" and stored() != before:
                faults.append(f"{role} {address}: changed something")
    return faults


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Hundreds of refusals with their tracebacks would be kept in memory otherwise."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_every_address_is_listed() -> None:
    known = (
        set(PAGES)
        | set(ADMIN)
        | {"/api/^v1/(?P<rest>.*/)?$", "/admin/^(?P<app_label>annotator|mfa|consensus|evaluation)/$"}
    )
    api = {"/api/v1/" + path for _method, path in API}

    def listed(route: str) -> bool:
        shape = re.sub(r"<\w+:(\w+)>", r"{\1}", route).replace("targets/{key}", "targets/{target_key}")
        return route in known or shape in api

    assert [route for route in routes() if not listed(route)] == []


def test_nothing_is_listed_that_does_not_exist() -> None:
    assert sorted((set(PAGES) | set(ADMIN)) - set(routes())) == []


@pytest.mark.parametrize("role", ROLES)
def test_the_pages_open_for_the_right_roles_only(house: House, role: str) -> None:
    assert walk(PAGES, house, role) == []


@pytest.fixture
def rows(house: House) -> dict[str, str]:
    """One row behind each page of the admin."""
    from allauth.mfa.models import Authenticator

    kinds = {"audithead": models.AuditHead, "auditevent": models.AuditEvent, "user": models.User}
    kinds |= {"study": models.Study, "image": models.Image, "case": models.Case, "membership": models.Membership}
    kinds |= {"assignment": models.Assignment, "reading": models.Reading, "revision": models.Revision}
    kinds |= {"job": models.Job, "apitoken": models.ApiToken}
    second = Authenticator.objects.create(user=house.people["senior"], type="totp", data={"secret": "SecretSeed"})
    found = {f"/admin/annotator/{name}/": str(kind._default_manager.latest("pk").pk) for name, kind in kinds.items()}
    for kind in (ConsensusRun, Reference, ReferenceInput, CaseReview, DatasetVersion):
        name = kind.__name__.lower()
        found[f"/admin/consensus/{name}/"] = str(kind._default_manager.latest("pk").pk)
    return found | {"/admin/mfa/authenticator/": str(second.pk)}


def admin_table(rows: dict[str, str]) -> dict[str, Rule]:
    table = {}
    for route, rule in ADMIN.items():
        number = next((pk for prefix, pk in rows.items() if route.startswith(prefix)), "1")
        content_type = ContentType.objects.get_for_model(models.Study).pk
        known = route.replace("<path:object_id>", number).replace("<path:content_type_id>", str(content_type))
        table[known] = rule
    return table


@pytest.mark.parametrize("role", ["anonymous", "grader", "organiser", "administrator"])
def test_the_admin_opens_for_administrators_only(house: House, rows: dict[str, str], role: str) -> None:
    assert walk(admin_table(rows), house, role) == []


@pytest.mark.parametrize("role", STRANGERS)
def test_the_api_gives_nothing_of_a_study_to_people_without_a_role_in_it(house: House, role: str) -> None:
    client, before, faults = house.browser(role), stored(), []
    for (method, path), (template, _expected) in API.items():
        competes = role == "team_member" and "{challenge_id}" in path  # see test_teams.py
        if "_id}" not in path or competes:
            continue
        address = "/api/v1/" + path.format(**house.names)
        response = getattr(client, method)(address, template or {}, content_type="application/json")
        if response.status_code not in {403, 404} or header_faults(response):
            faults.append(f"{method} {address}: {response.status_code} {header_faults(response)}")
    assert (faults, stored()) == ([], before)


def test_ids_of_another_study_do_not_work_under_one_s_own(house: House) -> None:
    """The other organiser may do all this in the own study, with what belongs to it."""
    own = models.Study.objects.get(created_by=house.people["other_organiser"])
    names = dict(house.names) | {"study_id": own.public_id}
    client, before, faults = house.browser("other_organiser"), stored(), []
    for route, rule in PAGES.items():
        if "study_id" in route and re.search("member_id|invitation_id|image_id|example_id|target_key", route):
            address = filled(route, names)
            responses = [client.get(address), client.post(address, body_of(rule, house))]
            faults += [address for response in responses if response.status_code not in {400, 404, 405}]
    for (method, path), (template, _expected) in API.items():
        if "{study_id}" in path and re.search("person_id|invitation_id|target_key|alert_id|removal_id|flag_id", path):
            response = getattr(client, method)(
                "/api/v1/" + path.format(**names), template or {}, content_type="application/json"
            )
            faults += [path] if response.status_code != 404 else []
    assert (faults, stored()) == ([], before)


@pytest.mark.parametrize("kind", ["page", "file", "json"])
def test_errors_carry_the_same_headers(house: House, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise RuntimeError("Secretfile_Miller.png")

    monkeypatch.setattr("annotator.access.study_for", fails)
    monkeypatch.setattr("annotator.access.images_visible_to", fails)
    image, study = house.names["image_id"], house.study.public_id
    address = {"page": f"/studies/{study}/", "file": f"/images/{image}/file", "json": f"/api/v1/studies/{study}/"}
    response: Any = house.browser("organiser").get(address[kind])
    assert response.status_code == 500
    assert header_faults(response) + page_faults(response) == []
    assert b"Miller" not in response.content
    if kind == "json":
        assert set(response.json()) == {"code", "message"}
