"""A skipped case comes after all others, keeps its place, and is offered again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotator.models import Assignment, AuditEvent, Round, Study
from annotator.selectors.workbench import author_of
from tests.workbench.desk import CUP, DISC, FOVEA, Desk, marked

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def own(desk: Desk) -> list[Desk]:
    """The grader's three cases, in order."""
    rows = Assignment.objects.filter(grader=desk.assignment.grader_id).order_by("position")
    return [Desk(desk.user, row, desk.client) for row in rows]


def skip(desk: Desk, skip: bool = True) -> Any:
    return desk.client.post(desk.at("skip/"), {"author": author_of(desk.user), "skip": skip})


def submit(desk: Desk) -> None:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert desk.submit().status_code == 201


def test_a_skipped_case_is_passed_over_until_nothing_else_is_left(desk: Desk) -> None:
    first, second, third = own(desk)

    answer = skip(first)

    assert answer.json() == {"skipped": True, "next_unread": second.assignment.public_id}
    assert third.read()["next_unread"] == second.assignment.public_id
    submit(second)
    assert third.read()["next_unread"] == first.assignment.public_id


def test_skipped_cases_come_in_the_own_order_not_in_the_order_of_skipping(desk: Desk) -> None:
    first, second, third = own(desk)
    skip(second)
    skip(first)
    submit(third)
    assert third.read()["next_unread"] == first.assignment.public_id
    assert first.read()["next_unread"] == second.assignment.public_id
    assert second.read()["next_unread"] == first.assignment.public_id


def test_a_case_keeps_its_place_and_its_drafts_when_it_is_skipped(desk: Desk) -> None:
    desk.save("disc", marked(DISC))
    skip(desk)
    bench = desk.read()
    assert (bench["place"], bench["skipped"], len(bench["drafts"])) == (1, True, 1)


def test_skipping_is_taken_back_and_both_stand_in_the_log_once(desk: Desk) -> None:
    skip(desk)
    skip(desk)
    skip(desk, False)
    skip(desk, False)
    assert desk.read()["skipped"] is False
    actions = AuditEvent.objects.filter(action__contains="skipped").order_by("number")
    assert list(actions.values_list("action", flat=True)) == ["assignment.skipped", "assignment.unskipped"]


def test_submitting_ends_the_skipping(desk: Desk) -> None:
    skip(desk)
    submit(desk)
    assert desk.read()["skipped"] is False
    refused = skip(desk)
    assert (refused.status_code, refused.json()["code"]) == (409, "already_submitted")


def test_nothing_is_skipped_in_a_closed_round(desk: Desk, stored: Callable[[], Any]) -> None:
    Round.objects.update(closes=timezone.now() - timedelta(seconds=1))
    before = stored()
    refused = skip(desk)
    assert (refused.status_code, refused.json()["code"]) == (409, "round_closed")
    assert stored() == before


def test_a_closed_round_offers_nothing_on_home_and_worklist(desk: Desk, study: Study) -> None:
    Round.objects.update(closes=timezone.now() - timedelta(seconds=1))
    assert desk.read()["next_unread"] is None
    assert desk.client.get("/api/v1/me/worklists/").json()["results"][0]["next"] == ""
