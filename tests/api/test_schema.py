"""The OpenAPI document is complete and valid; its page works under the strict content policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from annotator.models import User

if TYPE_CHECKING:
    from tests.api.conftest import Api


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document


def test_the_schema_is_valid_without_warnings(tmp_path: Any) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_every_operation_describes_its_refusals_and_its_answer(schema: dict[str, Any]) -> None:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            refusal = operation["responses"]["403"]["content"]["application/json"]
            assert refusal["schema"] == {"$ref": "#/components/schemas/ErrorBody"}, (method, path)
            assert set(next(iter(refusal["examples"].values()))["value"]) >= {"code", "message"}
            good = [operation["responses"][code] for code in operation["responses"] if code.startswith("2")]
            assert all("content" in answer for answer in good) or "204" in operation["responses"], (method, path)
            assert operation["summary"], (method, path)


def test_writes_of_versioned_things_require_the_version(schema: dict[str, Any]) -> None:
    parts = schema["components"]["schemas"]
    names = ["PatchedStudyDescribedRequest", "StateAskedRequest", "RecipePutRequest", "InstructionsAskedRequest"]
    assert all("version" in parts[name]["properties"] for name in names)


def test_the_schema_is_for_signed_in_people(api: Api, organiser: User) -> None:
    assert api(organiser).get("/api/schema/").json()["info"]["title"] == "Quorum"


@pytest.mark.django_db
def test_the_schema_is_refused_to_others_in_json(api: Api) -> None:
    response = api(None).get("/api/schema/")
    assert (response.status_code, response.json()["code"]) == (403, "not_authenticated")


@pytest.mark.django_db
def test_the_browsable_page_asks_others_to_sign_in(client: Client) -> None:
    assert client.get("/api/docs/").headers["Location"].startswith("/account/login/")


def test_the_browsable_page_has_nothing_inline_and_nothing_from_elsewhere(
    organiser: User, browser_of: Callable[[User], Client]
) -> None:
    response = browser_of(organiser).get("/api/docs/")
    page = response.content.decode()
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    assert not re.search(r'(src|href)="(https?:)?//', page)


def test_the_page_s_script_is_served_as_a_script(organiser: User, browser_of: Callable[[User], Client]) -> None:
    response = browser_of(organiser).get("/api/docs/?script=")
    assert response.headers["Content-Type"].startswith("application/javascript")
    assert "SwaggerUIBundle" in response.content.decode()
