"""The organiser's pages about readings and rounds."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.models import Assignment, Reading, Round, Study, User
from annotator.services.readings import submit_reading
from annotator.services.reopening import mark_used
from tests.pages.work_scene import in_full_swing, own_cases
from tests.safety.house import ANSWERS

Browsers = Callable[[User], Client]


@pytest.fixture
def cases(study: Study, organiser: User, graders: list[User]) -> list[Assignment]:
    in_full_swing(study, organiser)
    return own_cases(study, graders[0])


def submitted(assignment: Assignment, grader: User, comment: str = "") -> Reading:
    now = timezone.now()
    return submit_reading(
        assignment=assignment, actor=grader, answers=ANSWERS, opened_at=now, active_ms=900, comment=comment
    )


def page_of(study: Study, **query: str) -> str:
    return reverse("study_readings", args=[study.public_id], query=query)


def test_readings_are_listed_with_their_comments_and_can_be_narrowed(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    first, second = submitted(cases[0], graders[0], "The macula is blurred."), submitted(cases[1], graders[0])
    browser = browser_of(organiser)

    def shown(**query: str) -> list[Reading]:
        return list(browser.get(page_of(study, **query)).context["page"].object_list)

    assert shown() == [second, first]
    assert shown(show="comment") == [first]
    assert shown(grader="G2") == []
    assert shown(q=str(cases[1].case.number)) == [second]
    assert shown(q="nonsense") == []
    assert "The macula is blurred." in browser.get(page_of(study)).content.decode()


def test_a_used_reading_is_reopened_from_the_page_with_a_reason(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    reading = submitted(cases[0], graders[0])
    mark_used(readings=[reading])
    browser, address = browser_of(organiser), reverse("reading_reopen", args=[study.public_id, cases[0].public_id])
    assert "In the reference" in browser.get(page_of(study)).content.decode()

    assert browser.post(address, {"reason": " "}).status_code == 400
    assert browser.post(address, {"reason": "Wrong eye."}).status_code == 302

    assert Assignment.objects.get(pk=cases[0].pk).state == Assignment.State.STARTED
    assert browser.post(address, {"reason": "Once more."}).status_code == 404


def test_the_list_of_readings_costs_the_same_at_any_length(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    browser = browser_of(organiser)

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(page_of(study)).status_code == 200
        return len(queries)

    submitted(cases[0], graders[0])
    few = cost()
    for case in cases[1:]:
        submitted(case, graders[0])
    assert cost() == few


def test_a_round_is_closed_and_reopened_from_the_study_page(
    study: Study, organiser: User, cases: list[Assignment], browser_of: Browsers
) -> None:
    browser, round = browser_of(organiser), Round.objects.get()
    address = reverse("round_change", args=[study.public_id, round.public_id])

    closed = browser.post(address, {"open": "no"}, follow=True).content.decode()
    assert "Reopen the round" in closed
    assert browser.post(address, {"open": "no"}).status_code == 409

    assert "Close the round" in browser.post(address, {"open": "yes"}, follow=True).content.decode()
    round.refresh_from_db()
    assert round.closes is None
