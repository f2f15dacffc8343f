"""One window at a time, one person at a time: the later one is told and can take over, nobody overwrites unseen."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from annotator.models import Assignment, AuditEvent, Draft, User
from annotator.selectors.workbench import author_of
from tests.workbench.desk import DISC, FOVEA, draft_geometry, marked

if TYPE_CHECKING:
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def code(answer: object) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")  # type: ignore[attr-defined]


def test_the_first_window_gets_the_case_for_a_minute(desk: Desk) -> None:
    answer = desk.lease().json()
    held = Assignment.objects.get(pk=desk.assignment.pk)
    assert answer["mine"] is True
    assert held.lease_until is not None
    assert timedelta(seconds=55) < held.lease_until - timezone.now() <= timedelta(seconds=60)


def test_opening_a_case_begins_its_reading_once(desk: Desk) -> None:
    desk.lease()
    desk.lease()
    assert AuditEvent.objects.filter(action="assignment.started").count() == 1


def test_a_window_that_is_closed_gives_the_case_back_at_once(desk: Desk) -> None:
    desk.lease()
    assert desk.close().status_code == 204
    assert desk.window("window-2").lease().json()["mine"] is True


def test_a_window_that_is_closed_leaves_the_case_to_the_one_that_took_over(desk: Desk) -> None:
    desk.lease()
    other = desk.window("window-2")
    other.lease(take_over=True)
    desk.close()
    assert other.read()["lease"]["mine"] is True


def test_a_second_window_is_told_and_can_take_over(desk: Desk) -> None:
    desk.lease()
    second = desk.window("window-2")
    assert code(second.lease()) == (409, "held_elsewhere")
    assert second.lease(take_over=True).json()["mine"] is True
    assert code(desk.save("disc", marked(DISC))) == (409, "held_elsewhere")
    assert second.save("disc", marked(DISC)).status_code == 200


def test_a_window_without_the_case_stores_nothing(desk: Desk) -> None:
    desk.save("disc", marked(DISC))
    second = desk.window("window-2")
    second.versions = {"1/disc": 1}
    assert code(second.save("disc", marked({**DISC, "a": 7.0}))) == (409, "held_elsewhere")
    assert code(second.submit()) == (409, "held_elsewhere")
    assert draft_geometry() == DISC


@pytest.mark.parametrize("saves_before", [0, 1])
def test_a_save_renews_the_lease_of_its_window(desk: Desk, saves_before: int) -> None:
    desk.lease()
    for _ in range(saves_before):
        desk.save("disc", marked(DISC))
    Assignment.objects.exclude(lease_holder="").update(lease_until=timezone.now() + timedelta(seconds=1))
    desk.save("disc", marked(DISC))
    assert code(desk.window("window-2").lease()) == (409, "held_elsewhere")
    left = Assignment.objects.get(pk=desk.assignment.pk).lease_until
    assert left is not None
    assert left - timezone.now() > timedelta(seconds=55)


def test_a_lease_that_has_run_out_is_free_but_the_version_still_decides(desk: Desk) -> None:
    desk.save("fovea", marked(FOVEA))
    Assignment.objects.exclude(lease_holder="").update(lease_until=timezone.now() - timedelta(seconds=1))
    second = desk.window("window-2")
    assert code(second.save("fovea", marked({"x": 1.0, "y": 1.0}))) == (409, "draft_conflict")
    assert second.save("disc", marked(DISC)).status_code == 200
    assert code(desk.save("fovea", marked(FOVEA))) == (409, "held_elsewhere")


def test_the_workbench_says_whose_the_case_is(desk: Desk) -> None:
    assert desk.read()["lease"] == {"mine": False, "until": None}
    desk.lease()
    assert desk.read()["lease"]["mine"] is True
    assert desk.window("window-2").read()["lease"]["mine"] is False


def test_a_change_by_somebody_else_on_the_same_computer_is_refused(desk: Desk, graders: list[User]) -> None:
    """The one who signed in now sends what another had left waiting in the browser."""
    before = desk.client.get(desk.at("workbench/")).json()["author"]
    other = author_of(graders[1])
    assert before == author_of(graders[0]) != other
    for answer in (
        desk.put("disc", desk.change(marked(DISC), author=other)),
        desk.submit(author=other),
        desk.client.post(desk.at("withdraw/"), {"author": other}),
    ):
        assert code(answer) == (409, "other_author")
    assert Draft.objects.count() == 0


def test_the_author_tells_nothing_about_the_person(desk: Desk, graders: list[User]) -> None:
    authors = {author_of(grader) for grader in graders}
    assert len(authors) == 3
    assert all(len(author) == 32 and str(grader.pk) != author for grader in graders for author in authors)
