"""When the server cannot take or give an answer, the page says so in a sentence and offers a way on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from annotator.answers import Given
from annotator.models import Draft, Reading, Revision
from annotator.models.triggers import install_triggers, put_triggers_aside
from annotator.services.readings import submit_reading
from tests.browser.reading_scene import drafts, first_case, geometry, sit_down, study_with_cases

if TYPE_CHECKING:
    from annotator.models import Assignment, User
    from tests.browser.reading_scene import Reader
    from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., "Visitor"]
NO_ANSWER: Any = ["not an answer"]
OLDER = {"code": "page_outdated", "message": "This page is older than the server."}


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    return first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])


@pytest.fixture
def reader(visit: Visit, graders: list[User], case: Assignment) -> Reader:
    return sit_down(visit(graders[0]), case)


def test_a_page_older_than_the_server_is_reloaded_by_a_button_and_loses_nothing(
    reader: Reader, case: Assignment
) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=409, content_type="application/json", body=json.dumps(OLDER))

    reader.page.route("**/drafts/**", refuse)
    reader.press("3")
    reader.click(200, 240)
    reader.says(OLDER["message"])
    reader.visitor.look()
    assert drafts(case) == {}
    reader.page.unroute("**/drafts/**")

    with reader.page.expect_navigation():
        reader.page.get_by_role("button", name="Reload").click()

    reader.is_at_case(1)
    reader.is_saved()
    assert geometry(case, "fovea") == pytest.approx({"x": 200, "y": 240}, abs=1)


@pytest.fixture
def damaged(visit: Visit, graders: list[User], case: Assignment, reader: Reader) -> Reader:
    """The page of a case whose disc is damaged on the disk, while its fovea is as it was."""
    reader.drag((400, 150), (520, 290))
    reader.press("3")
    reader.click(200, 240)
    reader.is_saved()
    Draft.objects.filter(target__key="disc").update(content=NO_ANSWER)
    reader.page.reload()
    reader.is_at_case(1)
    expect(reader.page.get_by_role("alert")).to_contain_text("cannot be read any more")
    return reader


def test_a_damaged_answer_is_told_and_replaced_only_when_the_grader_says_so(damaged: Reader, case: Assignment) -> None:
    expect(damaged.page.locator(".wb-target")).to_contain_text(["Stored, but cannot be read", "Not yet", "(200, 240)"])
    damaged.visitor.look()

    damaged.press("1")
    damaged.drag((410, 160), (530, 300))
    dialog = damaged.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Replace what cannot be read?")
    expect(damaged.page.locator(".wb-save")).to_have_text("Not saved, 1 change waiting")
    damaged.visitor.look()
    assert drafts(case)["disc"] == NO_ANSWER
    dialog.get_by_role("button", name="Replace it with mine").click()

    damaged.is_saved()
    expect(damaged.page.get_by_role("alert")).to_have_count(0)
    assert geometry(case, "disc")["cx"] == pytest.approx(470, abs=1)
    assert geometry(case, "fovea")["x"] == pytest.approx(200, abs=1)


def test_a_damaged_answer_that_is_left_as_it_is_stays_and_is_not_submitted(damaged: Reader, case: Assignment) -> None:
    damaged.press("1")
    damaged.drag((410, 160), (530, 300))
    damaged.page.get_by_role("button", name="Leave it as it is").click()
    expect(damaged.page.get_by_role("alert")).to_contain_text("cannot be read any more")
    damaged.press("2")
    damaged.drag((440, 200), (490, 260))
    damaged.is_saved()

    damaged.press("Control+Enter")

    expect(damaged.page.locator(".wb-notice")).to_contain_text("cannot be read any more")
    assert drafts(case)["disc"] == NO_ANSWER
    assert not Reading.objects.exists()


def test_a_submitted_answer_that_was_altered_is_told_and_marked_again_after_the_reading_is_taken_back(
    visit: Visit, graders: list[User], case: Assignment
) -> None:
    disc = {"cx": 460.0, "cy": 220.0, "a": 70.0, "b": 60.0, "theta_deg": 0.0}
    marks = {"disc": disc, "cup": {**disc, "a": 30.0, "b": 25.0}, "fovea": {"x": 200.0, "y": 240.0}}
    answers = [Given(target=target, geometry=mark) for target, mark in marks.items()]
    submit_reading(assignment=case, actor=graders[0], answers=answers, opened_at=timezone.now(), active_ms=1000)
    put_triggers_aside(plan=["anything"])
    Revision.objects.filter(target__key="disc").update(geometry={**disc, "cx": 461.0})
    install_triggers()

    reader = sit_down(visit(graders[0]), case)

    alert = reader.page.get_by_role("alert")
    expect(alert).to_contain_text("What was submitted for “Optic disc” cannot be read any more.")
    expect(reader.page.locator(".wb-target")).to_contain_text(["Stored, but cannot be read", "Optic cup", "(200, 240)"])
    reader.visitor.look()
    reader.page.get_by_role("button", name="Withdraw").click()
    expect(alert).to_contain_text("Mark it again")
    reader.press("1")
    reader.drag((410, 160), (530, 300))
    reader.page.get_by_role("button", name="Replace it with mine").click()
    reader.is_saved()
    expect(alert).to_have_count(0)
    assert geometry(case, "disc")["cx"] == pytest.approx(470, abs=1)
