"""The comment on a case is saved while it is written, with the same care as an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import Assignment, AuditEvent, Reading
from tests.workbench.desk import CUP, DISC, FOVEA, marked

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def answered(desk: Desk) -> Desk:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    return desk


def test_a_comment_is_stored_and_shown_again_as_it_was_written(desk: Desk) -> None:
    answer = desk.comment("  Blurred?\nLeft eye. ", 0)
    assert (answer.status_code, answer.json()["version"]) == (200, 1)
    assert desk.read()["comment"] == {"version": 1, "comment": "  Blurred?\nLeft eye. "}


def test_saving_a_comment_begins_the_reading_and_makes_no_other_event(desk: Desk) -> None:
    desk.comment("Blurred", 0)
    desk.comment("Blurred.", 1)
    mine = AuditEvent.objects.filter(subject=desk.assignment.public_id)
    assert list(mine.values_list("action", flat=True)) == ["assignment.started"]


def test_a_comment_changed_elsewhere_is_not_overwritten_and_both_versions_are_told(desk: Desk) -> None:
    desk.comment("From here", 0)
    answer = desk.comment("From there", 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "draft_conflict")
    assert answer.json()["current"] == {"version": 1, "comment": "From here"}
    assert desk.read()["comment"]["comment"] == "From here"


def test_a_comment_whose_answer_was_lost_is_sent_again_without_harm(desk: Desk) -> None:
    desk.comment("Blurred", 0)
    assert desk.comment("Blurred", 0).json()["version"] == 1


def test_another_window_cannot_write_while_the_case_is_open_here(desk: Desk, stored: Callable[[], Any]) -> None:
    desk.lease()
    before = stored()
    answer = desk.window("window-2").comment("From there", 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "held_elsewhere")
    assert stored() == before


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"comment": "x" * 4001}, "invalid"),
        ({"comment": 7}, "invalid"),
        ({"version": -1}, "invalid"),
        ({"author": "somebody-else"}, "other_author"),
        ({"tab": "no spaces"}, "invalid"),
    ],
)
def test_a_bad_comment_is_refused_and_nothing_is_stored(
    desk: Desk, stored: Callable[[], Any], changes: dict[str, Any], code: str
) -> None:
    before = stored()
    assert desk.comment("Blurred", 0, **changes).json()["code"] == code
    assert stored() == before


def test_a_submission_freezes_the_comment_and_a_withdrawal_shows_it_again(desk: Desk) -> None:
    answered(desk).comment("Blurred", 0)
    desk.submit(comment="Blurred")
    refused = desk.comment("Sharp", 1)
    desk.withdraw()
    assert Reading.objects.get().comment == "Blurred"
    assert refused.json()["code"] == "already_submitted"
    assert desk.read()["comment"] == {"version": 1, "comment": "Blurred"}


def test_a_comment_that_came_only_with_the_submission_is_kept_too(desk: Desk) -> None:
    answered(desk).submit(comment="Blurred")
    assert Assignment.objects.get(pk=desk.assignment.pk).comment == "Blurred"
