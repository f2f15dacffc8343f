"""What a consensus run has used: its grader cannot take it back, the organiser can reopen it with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rest_framework.test import APIClient

from annotator.answers import Given
from annotator.errors import Conflict
from annotator.models import Assignment, AuditEvent, Reading, Round, Study, User
from annotator.services.readings import submit_reading
from annotator.services.reopening import mark_used
from tests.workbench.desk import CUP, DISC, FOVEA, marked

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


@pytest.fixture
def used(desk: Desk) -> Desk:
    """Submitted, and taken in by a consensus run."""
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert desk.submit().status_code == 201
    mark_used(readings=[Reading.objects.get()])
    return desk


@pytest.fixture
def office(organiser: User, study: Study) -> Callable[[str, Any], Any]:
    client = APIClient()
    client.force_login(organiser)
    return lambda part, body: client.post(f"/api/v1/studies/{study.public_id}/{part}", body)


def test_its_grader_cannot_take_it_back(used: Desk) -> None:
    refused = used.withdraw()
    assert (refused.status_code, refused.json()["code"]) == (409, "reading_used")
    assert used.read()["can_withdraw"] is False
    assert Reading.objects.get().withdrawn_at is None


def test_it_is_not_replaced_by_a_second_submission_either(used: Desk) -> None:
    answers = [Given(key, geometry=shape) for key, shape in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA))]
    opened = Reading.objects.get().opened_at
    with pytest.raises(Conflict, match="Only the organiser"):
        submit_reading(assignment=used.assignment, actor=used.user, answers=answers, opened_at=opened, active_ms=1)
    assert Reading.objects.count() == 1


def test_the_organiser_reopens_it_and_the_grader_goes_on_from_it(used: Desk, office: Callable[[str, Any], Any]) -> None:
    done = office(f"readings/{used.assignment.public_id}/reopen/", {"reason": "The disc is that of another eye."})

    assert done.status_code == 204
    bench = used.read()
    assert (bench["state"], len(bench["drafts"])) == ("started", 3)
    reading = Reading.objects.get()
    assert (reading.withdrawn_at is not None, reading.used_at is not None, reading.revisions.count()) == (True, True, 3)
    event = AuditEvent.objects.get(action="reading.reopened")
    assert event.after == {"reason": "The disc is that of another eye."}
    used.versions = {f"1/{draft['target']}": draft["version"] for draft in bench["drafts"]}
    assert used.submit().json()["number"] == 2


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2001])
def test_reopening_needs_a_reason(used: Desk, office: Callable[[str, Any], Any], reason: str) -> None:
    assert office(f"readings/{used.assignment.public_id}/reopen/", {"reason": reason}).status_code == 400
    assert Reading.objects.get().withdrawn_at is None


def test_what_was_taken_back_cannot_be_used(desk: Desk) -> None:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    desk.submit()
    desk.withdraw()
    with pytest.raises(Conflict, match="taken back"):
        mark_used(readings=[Reading.objects.get()])
    assert Reading.objects.get().used_at is None


def test_a_second_run_leaves_the_time_of_the_first(used: Desk) -> None:
    first = Reading.objects.get().used_at
    mark_used(readings=[Reading.objects.get()])
    assert Reading.objects.get().used_at == first


def test_a_closed_round_takes_nothing_and_gives_nothing_back_until_it_is_reopened(
    desk: Desk, office: Callable[[str, Any], Any]
) -> None:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    desk.submit()
    address = f"rounds/{Round.objects.get().public_id}/state/"

    assert office(address, {"open": False}).json()["is_open"] is False
    assert (desk.withdraw().json()["code"], desk.read()["can_withdraw"]) == ("round_closed", False)
    assert office(address, {"open": False}).json()["code"] == "round_closed"

    assert office(address, {"open": True}).json()["is_open"] is True
    assert office(address, {"open": True}).json()["code"] == "round_open"
    assert desk.withdraw().status_code == 200
    actions = AuditEvent.objects.filter(action__startswith="round.").order_by("number")
    assert list(actions.values_list("action", flat=True)) == ["round.closed", "round.reopened"]
    assert Assignment.objects.get(pk=desk.assignment.pk).state == Assignment.State.STARTED
