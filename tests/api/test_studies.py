"""Studies by the API: made from a protocol, described, opened, copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import AuditEvent, Membership, Study, User
from tests import cast

if TYPE_CHECKING:
    from tests.api.conftest import Api

At = Callable[[str], str]
Stored = Callable[[], dict[str, int]]


def test_a_study_is_made_from_a_protocol_with_changes(api: Api, organiser: User) -> None:
    wish = {"name": "Five readers", "protocol": "refuge", "changes": {"readers.graders_per_case": 5}}

    response = api(organiser).post("/api/v1/studies/", wish)

    assert response.status_code == 201
    study = Study.objects.get(public_id=response.json()["id"])
    assert study.recipe["readers"]["graders_per_case"] == 5
    assert response.json()["roles"] == ["organiser"]


def test_a_study_is_made_from_a_whole_recipe(api: Api, organiser: User) -> None:
    client = api(organiser)
    recipe = client.get("/api/v1/protocols/age/").json()["recipe"]

    response = client.post("/api/v1/studies/", {"name": "From data", "recipe": recipe})

    assert response.status_code == 201
    assert response.json()["protocol"] == "age"


@pytest.mark.parametrize(
    ("wish", "code", "field"),
    [
        ({"name": "X", "protocol": "nowhere"}, "unknown_protocol", "protocol"),
        ({"name": "X"}, "protocol_missing", "protocol"),
        ({"protocol": "refuge"}, "invalid", "name"),
        ({"name": "   ", "protocol": "refuge"}, "invalid", "name"),
        ({"name": "=1+1", "protocol": "refuge"}, "formula", "name"),
        ({"name": "@SUM(A1)", "protocol": "refuge"}, "formula", "name"),
        ({"name": "X", "protocol": "refuge", "colour": "red"}, "invalid", "colour"),
        ({"name": "X", "protocol": "refuge", "changes": {"readers.nonsense": 5}}, "bad_recipe", "readers.nonsense"),
        (
            {"name": "X", "protocol": "refuge", "changes": {"readers.graders_per_case": "many"}},
            "bad_recipe",
            "readers.graders_per_case",
        ),
        ({"name": "X", "protocol": "refuge", "changes": {"key": "mine"}}, "other_protocol", "key"),
        ({"name": "X", "protocol": "refuge", "changes": {}, "recipe": {}}, "invalid", "recipe"),
        ({"name": "X", "protocol": "refuge", "changes": []}, "invalid", "changes"),
        ({"name": "X", "recipe": {"surprise": 1}}, "bad_recipe", "surprise"),
    ],
)
def test_a_bad_wish_names_its_field_and_makes_nothing(
    api: Api, organiser: User, stored: Stored, wish: dict[str, Any], code: str, field: str
) -> None:
    before = stored()

    response = api(organiser).post("/api/v1/studies/", wish)

    assert response.status_code == 400
    assert (response.json()["code"], response.json()["field"]) == (code, field)
    assert response.json()["message"]
    assert stored() == before


def test_a_name_that_is_taken_is_a_conflict(api: Api, study: Study, organiser: User, stored: Stored) -> None:
    before = stored()
    response = api(organiser).post("/api/v1/studies/", {"name": study.name, "protocol": "glas"})
    assert (response.status_code, response.json()["code"]) == (409, "name_taken")
    assert stored() == before


def test_a_description_is_changed_and_logged(api: Api, study: Study, organiser: User, at: At) -> None:
    response = api(organiser).patch(at(""), {"version": study.version, "description": "For the spring."})
    assert response.json()["description"] == "For the spring."
    assert response.json()["name"] == study.name
    assert response.json()["version"] == study.version + 1
    assert AuditEvent.objects.latest("pk").action == "study.described"


@pytest.mark.parametrize(
    ("method", "part", "wish"),
    [
        ("patch", "", {"name": "Newer"}),
        ("post", "state/", {"state": "closed"}),
        ("put", "recipe/", {"changes": {"readers.graders_per_case": 5}}),
        ("put", "targets/disc/", {"instructions": "Newer"}),
    ],
)
def test_a_stale_version_is_a_conflict_and_changes_nothing(
    api: Api, study: Study, organiser: User, at: At, stored: Stored, method: str, part: str, wish: dict[str, Any]
) -> None:
    before = stored(), study.name, study.recipe_digest

    response = getattr(api(organiser), method)(at(part), wish | {"version": 99})

    study.refresh_from_db()
    assert (response.status_code, response.json()["code"]) == (409, "changed_meanwhile")
    assert (stored(), study.name, study.recipe_digest) == before


@pytest.mark.parametrize("version", [None, "first", 0, -1, 1.5, 10**30, True])
def test_a_change_without_a_proper_version_is_refused(
    api: Api, study: Study, organiser: User, at: At, version: Any
) -> None:
    response = api(organiser).patch(at(""), {"name": "Newer", "version": version})
    assert (response.status_code, response.json()["field"]) == (400, "version")


def test_the_recipe_shows_how_it_differs_from_the_paper(api: Api, study: Study, organiser: User, at: At) -> None:
    wish = {"version": study.version, "changes": {"readers.graders_per_case": 5}}

    response = api(organiser).put(at("recipe/"), wish)

    (difference,) = response.json()["differences"]
    assert (difference["field"], difference["published"], difference["changed"]) == ("readers.graders_per_case", 7, 5)


def test_a_recipe_of_another_protocol_is_refused(api: Api, study: Study, organiser: User, at: At) -> None:
    client = api(organiser)
    other = client.get("/api/v1/protocols/glas/").json()["recipe"]
    response = client.put(at("recipe/"), {"version": study.version, "recipe": other})
    assert (response.status_code, response.json()["code"]) == (400, "other_protocol")


def test_a_study_without_images_cannot_be_opened(api: Api, study: Study, organiser: User, at: At) -> None:
    response = api(organiser).post(at("state/"), {"version": study.version, "state": "reading"})
    assert (response.status_code, response.json()["code"]) == (409, "no_cases")


def test_a_study_with_images_is_opened(api: Api, study: Study, organiser: User, at: At) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    response = api(organiser).post(at("state/"), {"version": study.version, "state": "reading"})
    assert (response.status_code, response.json()["state"]) == (200, "reading")


def test_a_copy_has_the_people_if_asked(api: Api, study: Study, organiser: User, at: At) -> None:
    response = api(organiser).post(at("duplicate/"), {"name": "Once more", "with_people": True})
    copy = Study.objects.get(public_id=response.json()["id"])
    assert copy.recipe_digest == study.recipe_digest
    assert Membership.objects.filter(study=copy).count() == Membership.objects.filter(study=study).count()


def test_checking_a_change_writes_nothing(api: Api, organiser: User, stored: Stored) -> None:
    before = stored()
    response = api(organiser).post("/api/v1/protocols/adam/check/", {"changes": {"viewer.ruler": False}})
    assert [difference["field"] for difference in response.json()["differences"]] == ["viewer.ruler"]
    assert stored() == before


def test_an_unknown_protocol_does_not_exist(api: Api, organiser: User) -> None:
    assert api(organiser).get("/api/v1/protocols/nowhere/").status_code == 404
