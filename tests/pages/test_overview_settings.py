"""Changing, opening, closing and duplicating a study."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotator.models import AuditEvent, Membership, Study, User
from tests import cast
from tests.pages.test_overview_home import opened
from tests.pages.test_overview_new_study import filled_in

SignIn = Callable[[User], Client]


def settings_of(study: Study) -> str:
    return f"/studies/{study.public_id}/settings/"


def described(study: Study, **changes: Any) -> dict[str, Any]:
    version = Study.objects.get(pk=study.pk).version
    return {"part": "description", "name": "Renamed", "description": "Read soon.", "version": version} | changes


@pytest.mark.parametrize("who", ["senior", "adjudicator", "observer"])
@pytest.mark.parametrize("page", ["settings", "duplicate", "log"])
def test_pages_of_organisers_refuse_other_roles(
    who: str, page: str, study: Study, browser_of: SignIn, request: pytest.FixtureRequest
) -> None:
    answer = browser_of(request.getfixturevalue(who)).get(f"/studies/{study.public_id}/{page}/")
    assert answer.status_code == 403
    assert "Your role in this study does not allow this." in answer.content.decode()


@pytest.mark.parametrize("page", ["settings", "duplicate", "log", "protocol"])
def test_pages_of_organisers_refuse_graders(page: str, study: Study, graders: list[User], browser_of: SignIn) -> None:
    assert browser_of(graders[0]).get(f"/studies/{study.public_id}/{page}/").status_code == 403


def test_name_and_description_are_changed_and_logged(study: Study, organiser: User, browser_of: SignIn) -> None:
    answer = browser_of(organiser).post(settings_of(study), described(study))
    study.refresh_from_db()
    assert answer.status_code == 302
    assert (study.name, study.description) == ("Renamed", "Read soon.")
    assert AuditEvent.objects.filter(study=study, action="study.described", actor=organiser).count() == 1


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"name": ""}, 400, "This field is required."),
        ({"version": 77}, 409, "Somebody else changed this in the meantime."),
        ({"version": "x"}, 400, "The form was not complete."),
    ],
)
def test_a_bad_description_changes_nothing(
    changes: dict[str, Any], status: int, words: str, study: Study, organiser: User, browser_of: SignIn
) -> None:
    answer = browser_of(organiser).post(settings_of(study), described(study, **changes))
    name = study.name
    study.refresh_from_db()
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert study.name == name


def test_the_recipe_can_be_changed_before_reading_begins(study: Study, organiser: User, browser_of: SignIn) -> None:
    version = Study.objects.get(pk=study.pk).version
    sent = filled_in("refuge", **{"part": "recipe", "version": version, "readers.graders_per_case": "3"})
    answer = browser_of(organiser).post(settings_of(study), sent)
    study.refresh_from_db()
    assert answer.status_code == 302
    assert study.recipe["readers"]["graders_per_case"] == 3


@pytest.mark.parametrize("version", ["", "99", "x"])
def test_a_recipe_of_another_version_is_not_overwritten(
    version: str, study: Study, organiser: User, browser_of: SignIn
) -> None:
    sent = filled_in("refuge", **{"part": "recipe", "version": version, "readers.graders_per_case": "3"})
    answer = browser_of(organiser).post(settings_of(study), sent)
    study.refresh_from_db()
    assert answer.status_code == 409
    assert study.recipe["readers"]["graders_per_case"] == 7


def test_the_recipe_is_fixed_once_reading_has_begun(study: Study, organiser: User, browser_of: SignIn) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    version = opened(study, organiser).version
    browser = browser_of(organiser)
    sent = filled_in("refuge", **{"part": "recipe", "version": version, "readers.graders_per_case": "3"})
    answer = browser.post(settings_of(study), sent)
    study.refresh_from_db()
    assert answer.status_code == 409
    assert study.recipe["readers"]["graders_per_case"] == 7
    assert "Change the protocol" not in browser.get(settings_of(study)).content.decode()


def change(browser: Client, study: Study, **sent: Any) -> Any:
    version = Study.objects.get(pk=study.pk).version
    return browser.post(f"/studies/{study.public_id}/state/", {"version": version} | sent)


def test_a_study_is_opened_closed_and_reopened(study: Study, organiser: User, browser_of: SignIn) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    browser = browser_of(organiser)
    states = []
    for state in ("reading", "closed", "reading"):
        assert change(browser, study, state=state).status_code == 302
        study.refresh_from_db()
        states.append(study.state)
    assert states == ["reading", "closed", "reading"]


@pytest.mark.parametrize(
    ("sent", "status"),
    [({"state": "reading"}, 409), ({"state": "nonsense"}, 400), ({}, 400), ({"state": "reading", "version": 99}, 409)],
)
def test_a_change_of_state_that_cannot_be_is_refused_in_words(
    sent: dict[str, Any], status: int, study: Study, organiser: User, browser_of: SignIn
) -> None:
    answer = change(browser_of(organiser), study, **sent)
    study.refresh_from_db()
    assert answer.status_code == status
    assert "Nothing was changed" in answer.content.decode()
    assert study.state == "setup"


def test_the_state_is_not_changed_by_a_link(study: Study, organiser: User, browser_of: SignIn) -> None:
    assert browser_of(organiser).get(f"/studies/{study.public_id}/state/").status_code == 405


def test_a_senior_cannot_change_the_state(study: Study, organiser: User, senior: User, browser_of: SignIn) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    assert change(browser_of(senior), study, state="reading").status_code == 403


@pytest.mark.parametrize(("with_people", "members"), [(True, 7), (False, 1)])
def test_a_duplicate_takes_the_people_along_if_asked(
    with_people: bool, members: int, study: Study, organiser: User, browser_of: SignIn
) -> None:
    sent = {"name": "Twin"} | ({"with_people": "on"} if with_people else {})
    answer = browser_of(organiser).post(f"/studies/{study.public_id}/duplicate/", sent)
    twin = Study.objects.get(name="Twin")
    assert answer["Location"] == f"/studies/{twin.public_id}/"
    assert twin.recipe_digest == study.recipe_digest
    assert Membership.objects.filter(study=twin).count() == members


def test_a_duplicate_needs_a_name_of_its_own(study: Study, organiser: User, browser_of: SignIn) -> None:
    answer = browser_of(organiser).post(f"/studies/{study.public_id}/duplicate/", {"name": study.name})
    assert answer.status_code == 400
    assert "There is already a study of this name." in answer.content.decode()
    assert Study.objects.count() == 1
