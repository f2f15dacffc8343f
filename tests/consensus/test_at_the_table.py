"""What else a senior does: sending back, settling labels, accepting many cases; and what the protocol forbids."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotator.answers import Given
from annotator.geometry import runs
from annotator.models import Assignment, AuditEvent, Reading, Round, User
from consensus.models import Reference
from tests.consensus import scene
from tests.consensus.senior import Table, content, reading_of

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


def test_a_case_sent_back_is_read_again_by_that_grader_and_only_by_him(
    table: Table, senior: User, graders: list[User], browser_of: Browser
) -> None:
    bad = reading_of(table.get(), 7.0)

    answer = table.post("send-back", reading=bad, comment="Is this the disc?")

    assert answer.status_code == 200, answer.json()
    again = Assignment.objects.get(round__kind=Round.Kind.SEND_BACK)
    assert (again.grader.user, again.request) == (graders[2], "Is this the disc?")
    bench = browser_of(graders[2]).get(f"/api/v1/me/assignments/{again.public_id}/workbench/").json()
    assert bench["request"] == "Is this the disc?"
    assert {draft["target"] for draft in bench["drafts"]} == {"disc", "cup", "fovea"}
    assert table.post("send-back", reading=bad, comment="And?").json()["code"] == "sent_back_already"
    queue = table.client.get(table.address).json()
    assert queue["results"][0]["state"] == "waiting"
    worklists = [browser_of(user).get(f"/worklist/{table.study.public_id}/").content.decode() for user in graders]
    assert ["Is this the disc?" in page for page in worklists] == [False, False, True]

    scene.read(again, scene.refuge_answers(0.5))
    worklist = browser_of(graders[2]).get(f"/worklist/{table.study.public_id}/").content.decode()
    assert "Sent back to you" not in worklist
    scene.fuse_all(table.study, actor=senior)
    disc = scene.latest(scene.case_of(table.study), "disc")
    expected = scene.majority_picture([scene.disc_of(shift) for shift in (0.0, 1.0, 0.5)])
    assert disc.digest == runs.digest(runs.encode(expected), scene.WIDTH, scene.HEIGHT)
    assert Reading.objects.filter(withdrawn_at=None).count() == 4  # his first one stays on record


def test_steps_that_the_protocol_does_not_foresee_are_refused(
    organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    spur = [Given(f"spur_{side}", geometry={"x": x, "y": 12.0}) for side, x in (("left", 6.0), ("right", 26.0))]
    study = scene.read_study("age", organiser=organiser, senior=senior, graders=graders, answers=[spur] * 3)
    scene.fuse_all(study, actor=senior)
    table = Table(browser_of(senior), study)
    reading = table.get()["readings"][0]["id"]
    excluded = [{"reading": reading, "reason": "failed", "note": ""}]

    answer = table.post("decide", decisions=[table.decision("spur_left", excluded=excluded)])

    assert (answer.status_code, answer.json()["code"]) == (409, "step_not_foreseen")


def test_a_tie_of_labels_must_be_decided_by_a_person(
    organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    said = [[Given("glands", answer="absent"), Given("grade", label=label)] for label in ("benign", "malignant")]
    changes = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 2}
    study = scene.read_study(
        "glas", organiser=organiser, senior=senior, graders=graders[:2], answers=said, changes=changes
    )
    scene.fuse_all(study, actor=senior)
    table = Table(browser_of(senior), study)
    assert table.post("decide", decisions=[table.decision("grade")]).json()["code"] == "undecided"

    drawn = {"content": content(label="malignant"), "masks": []}
    answer = table.post("decide", decisions=[table.decision("grade", adjusted=drawn)])

    assert answer.status_code == 200, answer.json()
    grade = scene.latest(scene.case_of(study), "grade")
    assert (grade.label, grade.state) == ("malignant", "adjusted")
    assert grade.displacement == {"from": "undecided", "to": "malignant"}


def test_cases_that_agree_well_are_accepted_together_after_they_were_listed(table: Table) -> None:
    def accept(**body: Any) -> Any:
        return table.client.post(f"{table.address}accept/", json.dumps(body), content_type="application/json")

    assert accept(above=0.99).json() == {"cases": []}
    for unknown in ("dics", "glaucoma"):  # the second one is the clinic's
        assert accept(above=0.0, target=unknown).json()["code"] == "unknown_target"
    listed = accept(above=0.0, dry_run=True).json()["cases"]
    assert [(one["case"], one["targets"]) for one in listed] == [(1, ["cup", "disc", "fovea"])]
    assert Reference.objects.count() == 3

    done = accept(above=0.0, dry_run=False, cases=[listed[0]["id"]]).json()["cases"]

    assert len(done) == 1
    assert {row.state for row in Reference.objects.filter(following__isnull=True)} == {"accepted"}
    assert AuditEvent.objects.filter(action="cases.accepted").count() == 1
