"""From drafts to a reading: the versions that were seen, the recipe's checks, and what stands in the record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotator.models import Assignment, AuditEvent, Reading, Revision
from tests.workbench.desk import CUP, DISC, FOVEA, labelled, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
Stored = Callable[[], Any]
RG = "referable_glaucoma"


def answered(desk: Desk, *, disc: Any = DISC, cup: Any = CUP, fovea: Any = FOVEA) -> Desk:
    for target, geometry in (("disc", disc), ("cup", cup), ("fovea", fovea)):
        desk.save(target, marked(geometry))
    return desk


def test_drafts_become_a_reading(desk: Desk) -> None:
    answer = answered(desk).submit(comment="Tilted disc", active_ms=4321, adjustments={"red-free": True, "gamma": 1.2})
    reading = Reading.objects.get()
    assert (answer.status_code, answer.json()["number"]) == (201, 1)
    assert (reading.comment, reading.active_ms) == ("Tilted disc", 4321)
    assert reading.adjustments == {"red-free": True, "gamma": 1.2}
    assert {row.target.key: row.geometry for row in reading.revisions.all()} == {
        "disc": DISC,
        "cup": CUP,
        "fovea": FOVEA,
    }
    assert AuditEvent.objects.filter(action="reading.submitted").count() == 1


def test_a_submission_leads_to_the_next_unread_case_and_after_the_last_to_none(desk: Desk) -> None:
    order = list(Assignment.objects.filter(grader=desk.assignment.grader).order_by("position"))
    followed = []
    for assignment in order:
        desk.assignment, desk.versions = assignment, {}
        followed.append(answered(desk).submit().json()["next_unread"])
    assert followed == [order[1].public_id, order[2].public_id, None]


def test_from_the_last_case_the_way_leads_to_what_was_skipped(desk: Desk) -> None:
    order = list(Assignment.objects.filter(grader=desk.assignment.grader).order_by("position"))
    desk.assignment = order[2]
    assert answered(desk).submit().json()["next_unread"] == order[0].public_id


@pytest.mark.parametrize(
    "seen", [{"1/fovea": 7}, {"1/fovea": 0}, {"1/fovea": ...}, {"1/other": 1}], ids=lambda change: str(change)
)
def test_other_versions_than_the_servers_are_refused(desk: Desk, stored: Stored, seen: dict[str, Any]) -> None:
    versions = {name: value for name, value in (answered(desk).versions | seen).items() if value is not ...}
    before = stored()
    answer = desk.submit(versions=versions)
    assert (answer.status_code, answer.json()["code"]) == (409, "draft_conflict")
    assert answer.json()["versions"] == {"1/disc": 1, "1/cup": 1, "1/fovea": 1}
    assert stored() == before


def test_an_answer_that_is_missing_is_named(desk: Desk, stored: Stored) -> None:
    desk.save("disc", marked(DISC))
    desk.save("cup", marked(CUP))
    desk.save("fovea", marked(FOVEA))
    desk.save("fovea", None)
    before = stored()
    answer = desk.submit()
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "not_answered", "1/fovea")
    assert "Fovea" in answer.json()["message"]
    assert stored() == before


def test_disc_and_fovea_of_the_other_eye_are_asked_about_and_recorded_when_confirmed(
    desk: Desk, stored: Stored
) -> None:
    """In a photograph of a right eye the fovea lies left of the disc."""
    answered(desk, fovea={"x": 29.0, "y": 12.0})
    before = stored()
    asked = desk.submit()
    (warning,) = asked.json()["warnings"]
    assert (asked.status_code, asked.json()["code"]) == (409, "needs_confirmation")
    assert (warning["name"], warning["target"]) == ("laterality-contradicts-disc-and-fovea", "fovea")
    assert stored() == before
    assert desk.submit(confirmed_warnings=[warning["name"]]).status_code == 201
    assert Reading.objects.get().confirmed_warnings == ["laterality-contradicts-disc-and-fovea"]


def test_a_left_eye_has_its_fovea_to_the_right(seated: SeatedAt) -> None:
    desk = answered(seated("refuge", side="L"), fovea={"x": 29.0, "y": 12.0})
    assert desk.submit().status_code == 201


def test_a_cup_outside_the_disc_is_asked_about(desk: Desk) -> None:
    asked = answered(desk, cup={**CUP, "cx": 27.0}).submit()
    assert [(w["name"], w["target"]) for w in asked.json()["warnings"]] == [("outside-its-target", "cup")]
    assert desk.submit(confirmed_warnings=["outside-its-target"]).status_code == 201


def test_a_cup_outside_the_disc_is_refused_where_the_protocol_demands(seated: SeatedAt, stored: Stored) -> None:
    desk = seated("refuge", changes={"targets[1].inside_severity": "error"})
    answered(desk, cup={**CUP, "cx": 27.0})
    before = stored()
    answer = desk.submit(confirmed_warnings=["outside-its-target"])
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "check_failed", "1/cup")
    assert stored() == before


def test_a_warning_confirmed_beforehand_that_does_not_apply_is_not_recorded(desk: Desk) -> None:
    answered(desk).submit(confirmed_warnings=["outside-its-target"])
    assert Reading.objects.get().confirmed_warnings == []


def test_a_spur_in_the_other_half_is_refused(seated: SeatedAt, stored: Stored) -> None:
    """The picture is 32 wide: its middle line is at 16."""
    desk = seated("age")
    desk.save("spur_left", marked({"x": 16.5, "y": 5.0}))
    desk.save("spur_right", marked({"x": 30.0, "y": 5.0}))
    before = stored()
    answer = desk.submit()
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "check_failed", "1/spur_left")
    assert stored() == before
    desk.save("spur_left", marked({"x": 16.0, "y": 5.0}))
    assert desk.submit().status_code == 201


def test_what_cannot_be_determined_is_an_answer(seated: SeatedAt) -> None:
    desk = seated("age")
    for target in ("spur_left", "spur_right"):
        desk.save(target, marked(None, answer="cannot-be-determined"))
    assert desk.submit().status_code == 201


def test_an_empty_mask_said_to_be_present_is_refused(seated: SeatedAt) -> None:
    desk = seated("adam")
    for target in desk.read()["targets"]:
        absent = marked(None, answer=target["answers"][0]) if target["answers"] else marked(DISC)
        desk.save(target["key"], absent)
    desk.save("drusen", marked(), masks=[packed()])
    answer = desk.submit()
    assert (answer.json()["code"], answer.json()["field"]) == ("check_failed", "1/drusen")


def test_after_ungradable_the_next_photograph_must_be_read(seated: SeatedAt, stored: Stored) -> None:
    desk = seated("airogs", photographs=3)
    desk.save(RG, labelled("U"))
    before = stored()
    missing = desk.submit()
    assert (missing.json()["code"], missing.json()["field"]) == ("not_answered", f"2/{RG}")
    assert stored() == before
    desk.save(RG, labelled("NRG"), position=2)
    assert desk.submit().status_code == 201
    assert list(Revision.objects.order_by("pk").values_list("label", flat=True)) == ["U", "NRG"]


def test_a_photograph_that_was_not_reached_cannot_be_answered(seated: SeatedAt, stored: Stored) -> None:
    desk = seated("airogs", photographs=3)
    desk.save(RG, labelled("RG"))
    desk.save(RG, labelled("NRG"), position=2)
    before = stored()
    answer = desk.submit()
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad_answer", f"2/{RG}")
    assert stored() == before
    desk.save(RG, None, position=2)
    assert desk.submit().status_code == 201


def test_three_ungradable_photographs_end_the_case(seated: SeatedAt) -> None:
    desk = seated("airogs", photographs=3)
    for position in (1, 2, 3):
        desk.save(RG, labelled("U"), position=position)
    assert desk.submit().status_code == 201


@pytest.mark.parametrize(
    ("adjustments", "code"),
    [
        ({"window-level": [1, 2]}, "adjustment_not_allowed"),
        ({"sepia": 1}, "adjustment_not_allowed"),
        ({"gamma": "much"}, "bad_adjustment"),
        ({"gamma": {"deep": {"er": 1}}}, "bad_adjustment"),
        ({"gamma": 10**400}, "bad_adjustment"),
        ({"gamma": [1, 2, 3, 4, 5]}, "bad_adjustment"),
        ([], "invalid"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_adjustments_the_protocol_does_not_know_are_refused(
    desk: Desk, stored: Stored, adjustments: Any, code: str
) -> None:
    answered(desk)
    before = stored()
    answer = desk.submit(adjustments=adjustments)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert stored() == before


def test_age_allows_no_adjustment(seated: SeatedAt) -> None:
    assert seated("age").submit(adjustments={"brightness": 1.1}).json()["code"] == "adjustment_not_allowed"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"opened_at": "yesterday"}, "invalid"),
        ({"opened_at": "2999-01-01T00:00:00Z"}, "bad_times"),
        ({"active_ms": -1}, "invalid"),
        ({"active_ms": 86_400_001}, "bad_times"),
        ({"versions": {"1/disc": "new"}}, "invalid"),
        ({"versions": []}, "invalid"),
        ({"confirmed_warnings": ["all"]}, "invalid"),
        ({"comment": "x" * 4001}, "invalid"),
        ({"comment": 5}, "invalid"),
        ({"unknown": 1}, "invalid"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_submission_of_the_wrong_shape_is_refused(desk: Desk, stored: Stored, wrong: Any, code: str) -> None:
    answered(desk)
    before = stored()
    answer = desk.submit(**wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert stored() == before


def test_a_computer_whose_clock_is_ahead_can_submit(desk: Desk) -> None:
    assert answered(desk).submit(opened_at=(timezone.now() + timedelta(minutes=9)).isoformat()).status_code == 201


def test_a_submission_sent_again_because_its_answer_was_lost_is_one_reading(desk: Desk) -> None:
    began = datetime(2026, 3, 1, 9, 30, tzinfo=UTC).isoformat()
    first = answered(desk).submit(opened_at=began)
    again = desk.submit(opened_at=began)
    assert (again.status_code, again.json()) == (201, first.json())
    assert Reading.objects.count() == 1


def test_a_submitted_case_takes_neither_changes_nor_another_submission(desk: Desk, stored: Stored) -> None:
    answered(desk).submit()
    before = stored()
    assert desk.save("disc", marked(DISC)).json()["code"] == "already_submitted"
    assert desk.submit(active_ms=99).json()["code"] == "already_submitted"
    assert stored() == before
