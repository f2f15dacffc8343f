"""Requests that no page of ours sends: without a token, to another host, leading elsewhere, out of the folder, or with
nonsense in the address."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.api.test_roles import TABLE as API
from tests.cast import PASSWORD
from tests.safety.addresses import ADMIN, PAGES, filled
from tests.safety.house import House, stored
from tests.safety.inspection import header_faults

pytestmark = pytest.mark.django_db
FORMS = [route for route, rule in (PAGES | ADMIN).items() if rule.post and "<path:" not in route]
LONG = "9" * 5000
ODD = [
    "-1",
    "0",
    "abc",
    LONG,
    "99999999999999999999",
    "1.5",
    "%00",
    "%F0%9F%91%81",
    "%ED%A0%80",
    "%27%22%3E%3Cb%3E",
    "",
]


@pytest.mark.parametrize("route", FORMS)
def test_a_form_without_its_token_is_refused(house: House, route: str) -> None:
    rule = (PAGES | ADMIN)[route]
    role = next((role for role in ("organiser", "team_member") if role in rule.post), "administrator")
    client = house.browser(role, enforce_csrf_checks=True)
    before = stored()
    response = client.post(filled(route, house.names), dict(rule.body))
    assert response.status_code in ({403} if route != "/admin/logout/" else {403, 302})
    assert header_faults(response) == []
    after = stored()
    if role == "administrator":
        before |= {name: after[name] for name in ("AuditEvent", "AuditHead")}  # each use of the admin is logged
    assert after == before


def test_a_request_to_the_api_without_its_token_is_refused_in_json(house: House) -> None:
    client, before, faults = house.browser("organiser", enforce_csrf_checks=True), stored(), []
    for (method, path), (template, _expected) in API.items():
        if method == "get":
            continue
        address = "/api/v1/" + path.format(**house.names)
        response = getattr(client, method)(address, template or {}, content_type="application/json")
        if response.status_code != 403 or set(response.json()) != {"code", "message"}:
            faults.append(f"{method} {address}: {response.status_code}")
    assert (faults, stored()) == ([], before)


@pytest.mark.parametrize(
    "there",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "https:evil.example", "javascript:alert(1)"],
)
@pytest.mark.parametrize("door", ["/account/login/", "/i18n/setlang/", "/account/logout/", "/account/reauthenticate/"])
def test_nobody_is_led_elsewhere(house: House, door: str, there: str) -> None:
    client = Client() if door == "/account/login/" else house.browser("senior")
    form = {"login": "secretsenior@example.org", "password": PASSWORD, "language": "en", "next": there}
    response = client.post(f"{door}?next={there}", form)
    assert "evil" not in response.get("Location", "")
    assert "javascript" not in response.get("Location", "")


@pytest.mark.parametrize("address", ["/", "/account/login/", "/healthz", "/api/v1/me/"])
def test_another_host_is_refused(house: House, address: str) -> None:
    response: Any = Client(HTTP_HOST="evil.example").get(address)
    assert response.status_code == 400
    assert b"evil.example" not in response.content
    assert header_faults(response) == []


def test_the_link_of_an_invitation_does_not_follow_a_forged_host(house: House) -> None:
    response = house.browser("organiser").get(
        f"/studies/{house.study.public_id}/people/", HTTP_X_FORWARDED_HOST="evil.example"
    )
    assert "evil.example" not in response.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/images/../../etc/passwd/file",
        "/images/..%2f..%2fetc%2fpasswd/file",
        "/images/%2e%2e/file",
        "/examples/..%5c..%5cetc/file",
        "/read/../1/image",
        "/read/{assignment_id}/-1/image",
        "/read/{assignment_id}/99999999999999999999999/image",
        "/read/{assignment_id}/1/../../../image",
        "/static/../manage.py",
        "/static/..%2f..%2fmanage.py",
        "/static/%2e%2e/config/settings.py",
        "/studies/%00/",
        "/images/" + "a" * 3000 + "/file",
    ],
)
@pytest.mark.parametrize("role", ["anonymous", "grader", "organiser"])
def test_no_address_leads_out_of_the_folder(house: House, path: str, role: str) -> None:
    response = house.browser(role).get(path.format(**house.names))
    assert response.status_code in {302, 400, 404}
    assert header_faults(response) == []


LISTS = [
    "/studies/?page={odd}",
    "/studies/?q={odd}&state={odd}&protocol={odd}&sort={odd}",
    "/jobs/?page={odd}&state={odd}",
    "/studies/{study_id}/images/?page={odd}&q={odd}&eye={odd}&state={odd}&view={odd}",
    "/studies/{study_id}/log/?page={odd}&action={odd}&person={odd}",
    "/studies/{study_id}/assign/?rule={odd}&graders_per_case={odd}",
    "/studies/{study_id}/assign/?rule=per_case&graders_per_case={odd}",
    "/studies/new/?protocol={odd}",
    "/protocols/{odd}/",
    "/worklist/{study_id}/?page={odd}&state={odd}",
    "/read/{assignment_id}/?photograph={odd}",
    "/api/v1/studies/?page={odd}&search={odd}&state={odd}&page_size={odd}",
    "/api/v1/studies/{study_id}/images/?page={odd}&search={odd}&eye={odd}&state={odd}&page_size={odd}",
    "/api/v1/studies/{study_id}/audit/?page={odd}&action={odd}&page_size={odd}",
    "/api/v1/studies/{study_id}/people/?page={odd}",
    "/api/v1/me/assignments/?page={odd}&study={odd}&state={odd}",
    "/api/v1/jobs/?page={odd}&state={odd}",
    "/api/schema/?format={odd}&version={odd}&lang={odd}",
    "/account/login/?next={odd}",
    "/invitations/{odd}/",
    "/admin/annotator/study/?p={odd}&q={odd}&o={odd}&all={odd}",
    "/admin/annotator/auditevent/?action__exact={odd}&{odd}={odd}",
    "/admin/annotator/user/{odd}/change/",
]


@pytest.mark.parametrize("pattern", LISTS)
def test_nonsense_in_the_address_is_no_fault_of_the_server(house: House, pattern: str) -> None:
    role = "grader" if pattern.startswith(("/worklist", "/read", "/api/v1/me")) else "organiser"
    client = house.browser("administrator" if pattern.startswith("/admin") else role)
    statuses = {}
    for odd in [*ODD, "x" * 10_000]:
        response = client.get(pattern.format(odd=odd, **house.names))
        if response.status_code not in {200, 302, 400, 403, 404, 406} or header_faults(response):
            statuses[odd[:30]] = (response.status_code, header_faults(response))
    assert statuses == {}


BODIES = [
    ("/studies/{study_id}/settings/", {"name": "A", "version": LONG}),
    ("/studies/{study_id}/settings/", {"name": "A", "version": "9" * 30}),
    ("/studies/{study_id}/settings/", {"part": "recipe", "version": LONG}),
    ("/studies/{study_id}/settings/", {"part": "recipe", "version": "9" * 30}),
    ("/studies/{study_id}/state/", {"state": "closed", "version": "9" * 30}),
    ("/studies/{study_id}/state/", {"state": "\0", "version": "1"}),
    ("/studies/{study_id}/duplicate/", {"name": "a\0b"}),
    ("/studies/{study_id}/people/invite/", {"email": "a\0b@example.org", "role": "grader"}),
    ("/studies/{study_id}/people/invite/", {"email": "x" * 10_000, "role": "king"}),
    ("/studies/{study_id}/assign/", {"rule": "per_case", "graders_per_case": LONG}),
    ("/studies/{study_id}/instructions/{target_key}/", {"instructions": "x\0", "version": "1"}),
    ("/studies/{study_id}/instructions/{target_key}/", {"instructions": "[" * 20_000, "version": "9" * 30}),
    ("/studies/{study_id}/upload/", {"um_per_px": "nan", "side": "Q", "pattern": "{" * 500}),
    ("/account/me/", {"name": "x\0"}),
    ("/account/me/", {"name": "x" * 10_000}),
    ("/account/me/", {"name": "=HYPERLINK(1)"}),
]


@pytest.mark.parametrize(("address", "body"), BODIES, ids=range(len(BODIES)))
def test_nonsense_in_a_form_is_no_fault_of_the_server(house: House, address: str, body: dict[str, str]) -> None:
    before = stored()
    response = house.browser("organiser").post(address.format(**house.names), body)
    assert response.status_code in {400, 409}
    assert stored() == before


BEHIND_TLS = """
import django
django.setup()
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
from django.conf import settings
settings.ALLOWED_HOSTS = ["quorum.example"]
plain = Client(HTTP_HOST="quorum.example").get("/account/login/")
forged = Client(HTTP_HOST="evil.example").get("/account/login/")
secure = Client(HTTP_HOST="quorum.example", HTTP_X_FORWARDED_PROTO="https").get("/account/login/")
health = Client(HTTP_HOST="quorum.example").get("/healthz")
cookies = {name: bool(cookie["secure"] and cookie["httponly"]) for name, cookie in secure.cookies.items()}
print(plain.status_code, plain["Location"], forged.status_code, forged["X-Frame-Options"], secure.status_code)
print(secure["Strict-Transport-Security"], cookies, health.status_code)
print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.LANGUAGE_COOKIE_SECURE)
"""


def test_behind_tls_cookies_are_secure_and_plain_requests_are_led_to_https(tmp_path: Path) -> None:
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("QUORUM_")}
    surroundings |= {"QUORUM_TLS_PROXY": "1", "QUORUM_DATA_ROOT": str(tmp_path), "QUORUM_AUDIT_KEY": "5e" * 32}
    surroundings |= {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run([sys.executable, "-c", BEHIND_TLS], env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert first == "301 https://quorum.example/account/login/ 400 DENY 200"
    assert second == "max-age=31536000 {'csrftoken': True} 200"
    assert third == "True True True"
