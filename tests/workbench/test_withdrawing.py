"""A submitted reading can be taken back until the round closes; it stays as it was, and the work goes on from it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotator.models import Assignment, AuditEvent, Reading, Round
from tests.workbench.desk import CUP, DISC, FOVEA, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


@pytest.fixture
def sent(desk: Desk) -> Desk:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert desk.submit().status_code == 201
    return desk


def by_target(drafts: list[Any]) -> dict[str, Any]:
    return {draft["target"]: draft["content"]["geometry"] for draft in drafts}


def test_a_submitted_case_shows_what_was_submitted(sent: Desk) -> None:
    bench = sent.read()
    assert (bench["state"], bench["submitted"]["number"], bench["can_withdraw"]) == ("submitted", 1, True)
    assert by_target(bench["drafts"]) == {"disc": DISC, "cup": CUP, "fovea": FOVEA}
    assert {draft["version"] for draft in bench["drafts"]} == {0}


def test_withdrawing_keeps_the_reading_and_begins_drafts_from_it(sent: Desk) -> None:
    answer = sent.withdraw()
    reading, bench = Reading.objects.get(), sent.read()
    assert (answer.status_code, answer.json()["state"]) == (200, "started")
    assert reading.withdrawn_at is not None
    assert reading.revisions.count() == 3
    assert (bench["state"], bench["submitted"], bench["can_withdraw"]) == ("started", None, False)
    assert bench["drafts"] == answer.json()["drafts"]
    assert by_target(bench["drafts"]) == {"disc": DISC, "cup": CUP, "fovea": FOVEA}
    assert AuditEvent.objects.filter(action="reading.withdrawn", subject=sent.assignment.public_id).count() == 1


def test_after_withdrawing_the_case_can_be_changed_and_submitted_again(sent: Desk) -> None:
    sent.versions = {f"1/{draft['target']}": draft["version"] for draft in sent.withdraw().json()["drafts"]}
    sent.save("fovea", marked({"x": 9.0, "y": 9.0}))
    assert sent.submit(active_ms=77).json()["number"] == 2
    first, second = Reading.objects.order_by("number")
    assert first.withdrawn_at is not None
    assert second.withdrawn_at is None
    assert first.revisions.get(target__key="fovea").geometry == FOVEA
    assert second.revisions.get(target__key="fovea").geometry == {"x": 9.0, "y": 9.0}


def test_a_change_that_waited_offline_through_submission_and_withdrawal_is_a_conflict(sent: Desk) -> None:
    """It was made from version 1, which was current before the submission; the draft of today is another one."""
    sent.withdraw()
    late = sent.put("fovea", sent.change(marked({"x": 1.0, "y": 1.0}), version=1))
    assert late.json()["code"] == "draft_conflict"
    assert late.json()["current"]["content"]["geometry"] == FOVEA


def test_masks_and_objects_come_back_as_they_were(seated: SeatedAt) -> None:
    desk, glands = seated("glas"), [packed((1, 1), (2, 1)), packed((5, 5))]
    for target in desk.read()["targets"]:
        painted = target["kind"] == "objects"
        content = marked() if painted else marked(label=target["options"][0]["key"])
        desk.save(target["key"], content, masks=glands if painted else [])
    assert desk.submit().status_code == 201
    drafts = {draft["target"]: draft for draft in desk.withdraw().json()["drafts"]}
    assert drafts["glands"]["masks"] == glands


def test_nothing_submitted_cannot_be_withdrawn(desk: Desk) -> None:
    answer = desk.withdraw()
    assert (answer.status_code, answer.json()["code"]) == (409, "not_submitted")


def test_after_the_round_has_closed_nothing_is_taken_back(sent: Desk) -> None:
    Round.objects.update(closes=timezone.now() - timedelta(seconds=1))
    assert sent.read()["can_withdraw"] is False
    assert sent.withdraw().json()["code"] == "round_closed"
    assert Assignment.objects.get(pk=sent.assignment.pk).state == "submitted"
