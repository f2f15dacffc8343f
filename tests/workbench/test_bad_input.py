"""Whatever is wrong with a change or a submission: a 4xx with a code and a sentence, and nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotator.models import Assignment, Membership, Round, Study, User
from tests.workbench.desk import DISC, FOVEA, desk_of, labelled, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
Stored = Callable[[], Any]


def refused(answer: Any, status: int, code: str) -> None:
    said = answer.json()
    assert (answer.status_code, said["code"]) == (status, code), said
    assert isinstance(said["message"], str)
    assert len(said["message"]) > 3


GEOMETRY: list[Any] = [
    {**DISC, "cx": -1.0},
    {**DISC, "cx": 32.1},
    {**DISC, "cy": 1e300},
    {**DISC, "a": 0.0},
    {**DISC, "a": -2.0},
    {**DISC, "a": 41.0},  # the diagonal of 32 × 24 is 40
    {**DISC, "theta_deg": 10**400},
    {**DISC, "cx": "20"},
    {**DISC, "cx": None},
    {**DISC, "cx": True},
    {**DISC, "cx": [20.0]},
    {**DISC, "extra": 1.0},
    {"x": 1.0, "y": 1.0},
    {},
    None,
]


@pytest.mark.parametrize("geometry", GEOMETRY, ids=lambda value: str(value)[:60])
def test_an_ellipse_that_cannot_be_is_refused(desk: Desk, stored: Stored, geometry: Any) -> None:
    before = stored()
    refused(desk.save("disc", marked(geometry)), 400, "bad_answer")
    assert stored() == before


@pytest.mark.parametrize(
    ("number", "code"), [("NaN", "parse_error"), ("Infinity", "parse_error"), ("-1e999", "bad_answer")]
)
def test_a_coordinate_that_is_no_number_is_refused(desk: Desk, stored: Stored, number: str, code: str) -> None:
    before = stored()
    text = json.dumps(desk.change(marked({"x": 77.25, "y": 1.0}))).replace("77.25", number)
    answer = desk.client.generic("PUT", desk.at("drafts/1/fovea/"), text, "application/json")
    refused(answer, 400, code)
    assert stored() == before


def test_what_does_not_belong_to_the_target_is_refused(desk: Desk, seated: SeatedAt, stored: Stored) -> None:
    painter = seated("adam")
    before = stored()
    refused(desk.save("disc", marked(DISC), masks=[packed((1, 1))]), 400, "bad_answer")
    refused(desk.save("disc", marked(DISC, label="RG")), 400, "bad_answer")
    refused(desk.save("disc", marked(None, answer="not-visible")), 400, "bad_answer")  # REFUGE knows no such answer
    refused(desk.save("disc", marked(DISC, confidence=1.5)), 400, "bad_answer")
    refused(painter.save("drusen", marked(DISC), masks=[packed((1, 1))]), 400, "bad_answer")
    assert stored() == before


@pytest.mark.parametrize(
    "content",
    [labelled("maybe"), labelled(""), labelled("NRG", "large_cup"), labelled("RG", "green_hair")],
    ids=lambda content: f"{content['label']} {content['signs']}",
)
def test_a_label_that_is_not_in_the_recipe_is_refused(seated: SeatedAt, stored: Stored, content: Any) -> None:
    desk = seated("airogs")
    before = stored()
    refused(desk.save("referable_glaucoma", content), 400, "bad_answer")
    assert stored() == before


@pytest.mark.parametrize(
    ("position", "target", "code"),
    [
        (1, "macula", "unknown_target"),
        (1, "glaucoma", "unknown_target"),  # known, but nothing that graders answer
        (2, "disc", "unknown_image"),
        (0, "disc", "unknown_image"),
        (10**30, "disc", "unknown_image"),
        ("9" * 5000, "disc", "not_found"),
        ("one", "disc", "not_found"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_place_that_does_not_exist_is_not_found(
    desk: Desk, stored: Stored, position: Any, target: str, code: str
) -> None:
    before = stored()
    refused(desk.put(target, desk.change(marked(DISC)), position), 404, code)
    assert stored() == before


WRONG: dict[str, dict[str, Any]] = {
    "no author": {"author": ...},
    "author of another type": {"author": 7},
    "no window": {"tab": ...},
    "an odd window": {"tab": "a window\n"},
    "a long window": {"tab": "w" * 41},
    "no key": {"key": ...},
    "a short key": {"key": "k"},
    "a negative version": {"version": -1},
    "a huge version": {"version": 2**40},
    "a version in words": {"version": "one"},
    "no content": {"content": ...},
    "content in words": {"content": "present"},
    "content as a list": {"content": [marked(DISC)]},
    "geometry as a list": {"content": marked() | {"geometry": [1, 2]}},
    "an answer of another type": {"content": marked(DISC) | {"answer": 1}},
    "a label of another type": {"content": marked(DISC) | {"label": 1}},
    "signs of another type": {"content": marked(DISC) | {"signs": [1]}},
    "confidence in words": {"content": marked(DISC) | {"confidence": "0.5"}},
    "confidence as a switch": {"content": marked(DISC) | {"confidence": True}},
    "an unknown field": {"content": marked(DISC) | {"colour": "red"}},
    "masks as one": {"masks": packed((1, 1))},
    "masks of another type": {"masks": [1]},
    "too many masks": {"masks": [""] * 5001},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_a_change_of_the_wrong_shape_is_refused(desk: Desk, stored: Stored, change: dict[str, Any]) -> None:
    before = stored()
    body = {name: value for name, value in (desk.change(marked(DISC)) | change).items() if value is not ...}
    answer = desk.put("disc", body)
    refused(answer, 400, "invalid")
    assert answer.json()["field"]
    assert stored() == before


@pytest.mark.parametrize("depth", [50, 900, 100_000])
def test_json_that_is_nested_too_deeply_is_refused(desk: Desk, stored: Stored, depth: int) -> None:
    before = stored()
    body = json.dumps(desk.change(marked({"x": 77.25}))).replace("77.25", "[" * depth + "]" * depth)
    answer = desk.client.generic("PUT", desk.at("drafts/1/fovea/"), body, "application/json")
    assert (answer.status_code, set(answer.json()) >= {"code", "message"}) == (400, True)
    assert stored() == before


def test_a_body_above_eight_megabytes_is_refused(desk: Desk, stored: Stored) -> None:
    before = stored()
    refused(desk.save("disc", marked(DISC), masks=["A" * (8 * 1024**2)]), 413, "too_large")
    assert stored() == before


def test_fifty_megabytes_are_refused_by_their_announced_length(desk: Desk, stored: Stored) -> None:
    before = stored()
    body = "[" + " " * (50 * 1024**2) + "]"
    address = desk.at("drafts/1/disc/")
    refused(desk.client.generic("PUT", address, body, content_type="application/json"), 413, "too_large")
    assert stored() == before


def test_a_body_just_below_eight_megabytes_is_read(desk: Desk) -> None:
    refused(desk.save("disc", marked(DISC), masks=["A" * (8 * 1024**2 - 2000)]), 400, "bad_answer")


def test_another_graders_case_is_not_found(desk: Desk, graders: list[User], stored: Stored) -> None:
    stranger = APIClient()
    stranger.force_login(graders[1])
    desk.client = stranger
    before = stored()
    for answer in (
        desk.save("disc", marked(DISC)),
        desk.submit(),
        desk.withdraw(),
        desk.lease(take_over=True),
        stranger.get(desk.at("workbench/")),
    ):
        refused(answer, 404, "not_found")
    assert stored() == before


def _close_round() -> None:
    Round.objects.update(closes=timezone.now() - timedelta(seconds=1))


def _round_to_come() -> None:
    Round.objects.update(opens=timezone.now() + timedelta(hours=1))


def _close_study() -> None:
    Study.objects.update(state=Study.State.CLOSED)


@pytest.mark.parametrize(
    ("happens", "code"),
    [(_close_round, "round_closed"), (_round_to_come, "round_closed"), (_close_study, "study_not_reading")],
)
def test_nothing_is_taken_outside_the_round(desk: Desk, stored: Stored, happens: Callable[[], None], code: str) -> None:
    desk.save("fovea", marked(FOVEA))
    happens()
    before = stored()
    for answer in (desk.save("disc", marked(DISC)), desk.submit(), desk.withdraw(), desk.lease()):
        refused(answer, 409, code)
    assert stored() == before


def test_somebody_who_left_the_study_saves_nothing(desk: Desk, stored: Stored) -> None:
    Membership.objects.filter(user=desk.user).update(active=False, left_at=timezone.now())
    before = stored()
    refused(desk.save("disc", marked(DISC)), 404, "not_found")
    assert stored() == before


def test_a_case_that_was_taken_away_takes_nothing(desk: Desk, stored: Stored) -> None:
    Assignment.objects.update(state="withdrawn")
    before = stored()
    refused(desk.save("disc", marked(DISC)), 404, "not_found")
    assert stored() == before


def test_a_save_without_the_pages_token_is_refused(desk: Desk, stored: Stored) -> None:
    forger = APIClient(enforce_csrf_checks=True)
    forger.force_login(desk.user)
    desk.client = forger
    before = stored()
    assert [answer.status_code for answer in (desk.save("disc", marked(DISC)), desk.submit(), desk.lease())] == [
        403
    ] * 3
    assert stored() == before


def test_an_answer_to_a_case_of_another_study_cannot_slip_in(desk: Desk, seated: SeatedAt) -> None:
    other = seated("adam")
    refused(
        desk_of(desk.user, other.assignment.grader.study).put("cup", desk.change(marked(DISC))), 404, "unknown_target"
    )
