"""AGE: lines that no grader draws. Drawn by the senior they are decided; taken back, they are not missed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotator.answers import Given
from annotator.models import Study, User
from consensus.models import CaseReview
from consensus.selectors.readiness import standing_before_freeze
from tests.consensus import scene
from tests.consensus.senior import Table, content

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]

SPURS = ("spur_left", "spur_right")
CORNEA = {"points": [[2.0, 4.0], [6.0, 9.0], [12.0, 11.0]]}


@pytest.fixture
def table(organiser: User, senior: User, graders: list[User], browser_of: Browser) -> Table:
    answers = [
        (
            Given("spur_left", geometry={"x": 8.0 + shift, "y": 12.0}),
            Given("spur_right", geometry={"x": 24.0, "y": 9.0}),
        )
        for shift in range(len(graders))
    ]
    study = scene.read_study("age", organiser=organiser, senior=senior, graders=graders, answers=answers)
    scene.fuse_all(study, actor=senior)
    return Table(browser_of(senior), study)


def accept(table: Table, *targets: str, **drawn: dict[str, Any]) -> Any:
    voted = [table.decision(key) for key in targets]
    lines = [
        table.decision(key, digest="", adjusted={"content": content(geometry=geometry), "masks": []})
        for key, geometry in drawn.items()
    ]
    return table.post("decide", decisions=[*voted, *lines])


def undecided_in(study: Study) -> int:
    return standing_before_freeze(study).readiness.references_undecided


def test_a_case_is_decided_with_the_senior_s_line_and_without_one(table: Table) -> None:
    without = accept(table, *SPURS).json()
    drawn = accept(table, cornea_left=CORNEA).json()

    assert (without["state"], without["left"]) == (drawn["state"], drawn["left"]) == ("decided", 0)
    line = scene.latest(scene.case_of(table.study), "cornea_left")
    assert (line.state, line.geometry, line.decided) == ("adjusted", CORNEA, True)


def test_a_line_alone_does_not_decide_what_graders_marked(table: Table) -> None:
    told = accept(table, cornea_left=CORNEA).json()

    assert (told["state"], told["left"]) == ("open", 1)
    assert CaseReview.objects.get().references_open == 2


def test_a_line_that_is_taken_back_keeps_nothing_open(table: Table) -> None:
    accept(table, *SPURS)
    accept(table, cornea_left=CORNEA)

    told = table.post("undo", reason="Not needed").json()

    assert (told["state"], told["left"]) == ("decided", 0)
    assert undecided_in(table.study) == 0
    assert standing_before_freeze(table.study).readiness.may_sign_off


def test_a_line_can_be_drawn_again_after_it_was_taken_back(table: Table) -> None:
    accept(table, *SPURS, cornea_left=CORNEA)
    table.post("undo", reason="Look again")

    told = accept(table, *SPURS, cornea_left=CORNEA).json()

    assert told["state"] == "decided"
    assert scene.latest(scene.case_of(table.study), "cornea_left").version == 3
    assert standing_before_freeze(table.study).readiness.may_sign_off


@pytest.mark.parametrize(
    ("target", "geometry"),
    [
        ("spur_left", {"x": 17.0, "y": 9.0}),
        ("spur_right", {"x": 15.0, "y": 9.0}),
        ("cornea_left", {"points": [[2.0, 4.0], [17.0, 9.0]]}),
    ],
)
def test_a_mark_in_the_other_half_of_the_picture_is_refused(
    table: Table, target: str, geometry: dict[str, Any]
) -> None:
    """The picture is 32 pixels wide."""
    digest = {} if target in SPURS else {"digest": ""}
    drawn = {"content": content(geometry=geometry), "masks": []}

    answer = table.post("decide", decisions=[table.decision(target, **digest, adjusted=drawn)])

    assert (answer.status_code, answer.json()["code"]) == (400, "bad_answer")
    assert "other half" in answer.json()["message"]
