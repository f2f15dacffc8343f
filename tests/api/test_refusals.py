"""Whatever is wrong with a request, the answer is {"code", "message", "field"?} and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from django.test import Client
from rest_framework.test import APIClient

from annotator.models import Study, User
from tests import cast

if TYPE_CHECKING:
    from tests.api.conftest import Api

At = Callable[[str], str]
Stored = Callable[[], dict[str, int]]


@pytest.mark.parametrize("part", ["", "images/", "recipe/", "invitations/", "assignments/", "duplicate/"])
def test_a_write_without_a_csrf_token_is_refused(
    study: Study, organiser: User, at: At, stored: Stored, part: str
) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(organiser)
    method = {"": client.patch, "recipe/": client.put}.get(part, client.post)
    before = stored()

    response = method(at(part), {"name": "Stolen", "version": study.version})

    assert response.status_code == 403
    assert set(response.json()) == {"code", "message"}
    assert stored() == before


def test_an_upload_without_a_csrf_token_is_refused(study: Study, organiser: User, at: At, stored: Stored) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(organiser)
    before = stored()
    response = client.post(at("images/"), {"subject": "P1"}, format="multipart")
    assert response.status_code == 403
    assert stored() == before


def test_a_write_with_the_page_s_csrf_token_passes(study: Study, organiser: User, at: At) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(organiser)
    script = client.get("/api/docs/?script=").content.decode()
    token = script.split('request.headers["X-CSRFTOKEN"] = "')[1].split('"')[0]
    response = client.patch(at(""), {"name": "Meant", "version": study.version}, HTTP_X_CSRFTOKEN=token)
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b'{"name": NaN}', "application/json", 400),
        (b"[]", "application/json", 400),
        (b'"text"', "application/json", 400),
        (b'{"name": "a\\u0000b", "protocol": "age"}', "application/json", 400),
        (b'{"name": "a\\ud800b", "protocol": "age"}', "application/json", 400),
        (b'{"name": "A study", "protocol": "age", "a\\ud800b": 1}', "application/json", 400),
        (b'{"name": {"$gt": ""}, "protocol": "age"}', "application/json", 400),
        (b"<study/>", "text/xml", 415),
        (b"name=X&protocol=age", "application/x-www-form-urlencoded", 415),
    ],
    ids=range(12),
)
def test_a_body_that_is_no_request_is_refused(
    browser_of: Callable[[User], Client], organiser: User, stored: Stored, body: bytes, kind: str, status: int
) -> None:
    before = stored()
    response = browser_of(organiser).post("/api/v1/studies/", body, content_type=kind)
    assert response.status_code == status
    assert set(response.json()) >= {"code", "message"}
    assert stored() == before


def test_a_body_above_the_limit_is_refused_unread(api: Api, organiser: User, settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = api(organiser).post("/api/v1/studies/", {"name": "X" * 2000, "protocol": "age"})
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("length", ["many", "-5", "1e3"])
def test_a_length_that_is_no_number_is_refused(api: Api, organiser: User, length: str) -> None:
    response = api(organiser).post("/api/v1/studies/", {}, CONTENT_LENGTH=length)
    assert response.status_code == 413


def test_an_unknown_address_answers_in_json(api: Api, organiser: User) -> None:
    response = api(organiser).get("/api/v1/treasures/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_an_unknown_method_answers_in_json(api: Api, organiser: User) -> None:
    response = api(organiser).delete("/api/v1/studies/")
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")


def test_a_page_that_does_not_exist_answers_in_json(api: Api, organiser: User) -> None:
    response = api(organiser).get("/api/v1/studies/?page=99")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_full_disk_answers_in_json_and_adds_nothing(
    api: Api, study: Study, organiser: User, at: At, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from annotator.store import Store, StoreFull

    def full(*args: object, **kwargs: object) -> str:
        raise StoreFull(28, "No space left on device")

    monkeypatch.setattr(Store, "put", full)
    before = stored()
    client = api(organiser)
    client.raise_request_exception = False
    file = SimpleUploadedFile("a.png", cast.tiny_png(1))
    response = client.post(at("images/"), {"file": file}, format="multipart")
    assert (response.status_code, response.json()["code"]) == (507, "disk_full")
    assert stored() == before


def test_refusals_are_worded_in_the_person_s_language(api: Api, organiser: User) -> None:
    """The sentence goes through gettext; the code stays."""
    response = api(organiser).get("/api/v1/protocols/nowhere/", HTTP_ACCEPT_LANGUAGE="zh-hans")
    assert response.json()["code"] == "not_found"
    assert response.headers["Content-Language"] == "zh-hans"
