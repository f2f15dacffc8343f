"""Autosave: the version seen decides, a change sent twice is one change, and nothing of it stands in the log."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from annotator.models import Assignment, AuditEvent, Draft, Study
from annotator.selectors.kept import DraftShown
from tests.workbench.desk import CUP, DISC, FOVEA, draft_geometry, labelled, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def test_the_answer_to_a_save_is_what_was_stored(desk: Desk) -> None:
    answer = desk.save("disc", marked(DISC)).json()
    assert answer == {
        "version": 1,
        "content": {"answer": "present", "geometry": DISC, "label": "", "signs": [], "confidence": None},
        "masks": [],
        "saved_at": answer["saved_at"],
    }
    assert desk.read()["drafts"] == [answer | {"position": 1, "target": "disc"}]


def test_each_save_raises_the_version_and_overwrites(desk: Desk) -> None:
    desk.save("fovea", marked(FOVEA))
    second = desk.save("fovea", marked({"x": 9.0, "y": 9.0}))
    assert second.json()["version"] == 2
    assert draft_geometry() == {"x": 9.0, "y": 9.0}


def test_a_save_from_a_version_that_is_no_longer_current_is_told_the_current_one(desk: Desk) -> None:
    stored = desk.save("fovea", marked(FOVEA)).json()
    late = desk.put("fovea", desk.change(marked({"x": 1.0, "y": 1.0})))
    assert (late.status_code, late.json()["code"]) == (409, "draft_conflict")
    assert {**late.json()["current"], "saved_at": ""} == {**stored, "saved_at": ""}
    assert draft_geometry() == FOVEA


def test_a_version_that_never_was_is_a_conflict_with_nothing(desk: Desk) -> None:
    answer = desk.put("fovea", desk.change(marked(FOVEA), version=7))
    assert answer.json()["current"] == {"version": 0, "content": None, "masks": [], "saved_at": None}


def test_the_same_change_sent_again_is_answered_the_same_and_stored_once(desk: Desk) -> None:
    body = desk.change(marked(DISC))
    first, again = desk.put("disc", body), desk.put("disc", body)
    assert (again.status_code, again.json()) == (200, first.json())
    assert Draft.objects.get().version == 1


@pytest.mark.parametrize("target", ["fovea", "disc"])
def test_a_key_used_for_another_change_is_refused(desk: Desk, target: str) -> None:
    body = desk.change(marked(FOVEA))
    desk.put("fovea", body)
    other = {"fovea": marked({"x": 5.0, "y": 5.0}), "disc": marked(DISC)}[target]
    answer = desk.put(target, body | {"content": other})
    assert (answer.status_code, answer.json()["code"]) == (409, "key_reused")
    assert draft_geometry() == FOVEA


def test_a_key_used_before_is_refused_from_the_current_version_too(desk: Desk) -> None:
    body = desk.change(marked(FOVEA))
    desk.put("fovea", body)
    answer = desk.put("fovea", body | {"version": 1, "content": marked({"x": 5.0, "y": 5.0})})
    assert (answer.status_code, answer.json()["code"]) == (409, "key_reused")
    assert draft_geometry() == FOVEA


def test_neither_a_submitted_case_nor_a_closed_study_takes_a_change_of_the_current_version(desk: Desk) -> None:
    desk.save("fovea", marked(FOVEA))

    Assignment.objects.update(state=Assignment.State.SUBMITTED, submitted_at=timezone.now())
    submitted = desk.save("fovea", marked({"x": 5.0, "y": 5.0}))
    Assignment.objects.update(state=Assignment.State.STARTED, submitted_at=None)
    Study.objects.update(state=Study.State.CLOSED)
    closed = desk.save("fovea", marked({"x": 5.0, "y": 5.0}))

    assert [answer.json()["code"] for answer in (submitted, closed)] == ["already_submitted", "study_not_reading"]
    assert draft_geometry() == FOVEA


def test_an_answer_that_was_taken_back_is_gone_and_can_be_given_again(desk: Desk) -> None:
    desk.save("fovea", marked(FOVEA))
    taken = desk.save("fovea", None)
    assert (taken.json()["version"], taken.json()["content"], taken.json()["masks"]) == (2, None, [])
    assert desk.read()["drafts"] == []
    assert desk.save("fovea", marked(FOVEA)).json()["version"] == 3


def test_after_a_reload_an_answer_taken_back_counts_as_none(desk: Desk) -> None:
    desk.save("fovea", marked(FOVEA))
    desk.save("fovea", None)
    fresh = desk.window(desk.tab)
    assert fresh.save("fovea", marked(FOVEA)).json()["version"] == 3


def test_a_change_from_before_the_answer_was_taken_back_is_a_conflict(desk: Desk) -> None:
    desk.save("fovea", marked(FOVEA))
    desk.save("fovea", None)
    late = desk.put("fovea", desk.change(marked(FOVEA), version=1))
    assert late.json()["code"] == "draft_conflict"


def test_an_autosave_makes_no_event_in_the_log(desk: Desk) -> None:
    desk.lease()
    before = AuditEvent.objects.count()
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert AuditEvent.objects.count() == before


def test_the_first_work_on_a_case_begins_its_reading(desk: Desk) -> None:
    desk.save("disc", marked(DISC))
    assignment = Assignment.objects.get(pk=desk.assignment.pk)
    assert (assignment.state, assignment.opened_at is not None) == ("started", True)


def test_a_mask_comes_back_as_it_was_sent(seated: SeatedAt) -> None:
    desk, mask = seated("adam"), packed((3, 2), (4, 2), (31, 23))
    assert desk.save("drusen", marked(), masks=[mask]).json()["masks"] == [mask]
    assert desk.read()["drafts"][0]["masks"] == [mask]


def test_objects_come_back_one_by_one_as_they_were_sent(seated: SeatedAt) -> None:
    desk, glands = seated("glas"), [packed((1, 1), (2, 1)), packed((5, 5)), packed((9, 9), (9, 10))]
    answer = desk.save("glands", marked(), masks=glands).json()
    assert (answer["masks"], answer["content"]["geometry"]) == (glands, {"numbers": [1, 2, 3]})


def test_a_label_with_signs_and_confidence_is_kept(seated: SeatedAt) -> None:
    content = labelled("RG", "large_cup", "disc_haemorrhage") | {"confidence": 0.75}
    stored = seated("airogs").save("referable_glaucoma", content).json()["content"]
    assert (stored["label"], stored["signs"]) == ("RG", ["disc_haemorrhage", "large_cup"])
    assert stored["confidence"] == 0.75


@pytest.mark.django_db(transaction=True)
def test_what_is_acknowledged_has_been_committed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the answer is put together no transaction is open any more: a server killed from here on loses nothing."""
    open_transactions = []

    def noted(*args: Any, **kwargs: Any) -> Any:
        open_transactions.append(connection.in_atomic_block)
        return DraftShown(*args, **kwargs)

    monkeypatch.setattr("annotator.services.drafts.DraftShown", noted)
    assert desk.save("disc", marked(DISC)).status_code == 200
    assert open_transactions == [False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("version", [0, 1])
def test_of_changes_made_at_the_same_moment_from_one_version_exactly_one_is_stored(desk: Desk, version: int) -> None:
    desk.lease()
    if version:
        desk.save("fovea", marked(FOVEA))
    bodies = [desk.change(marked({"x": float(x), "y": 1.0}), version=version) for x in range(1, 7)]
    together = threading.Barrier(len(bodies))

    def send(body: Any) -> tuple[int, Any]:
        client = APIClient()
        client.force_login(desk.user)
        together.wait()
        try:
            answer = client.put(desk.at("drafts/1/fovea/"), body)
            return answer.status_code, answer.json()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(bodies)) as pool:
        answers = list(pool.map(send, bodies))

    assert sorted(status for status, _said in answers) == [200, 409, 409, 409, 409, 409]
    (stored,) = [said for status, said in answers if status == 200]
    assert draft_geometry() == stored["content"]["geometry"]
    assert {said["code"] for status, said in answers if status == 409} == {"draft_conflict"}
