"""The fellow eye is shown where the recipe says so, under the assignment's own address, and looking is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import Assignment, Image, Reading, Study, User
from annotator.services.images import add_images
from annotator.services.intake_desk import Facts
from tests import cast
from tests.workbench.desk import Desk, desk_of, labelled, open_study

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.django_db
RG = "referable_glaucoma"


def both_eyes(organiser: User, graders: Sequence[User], *, allowed: bool, sides: str = "RL") -> Study:
    """One subject's eyes, a photograph each."""
    study = cast.study_of("airogs", organiser=organiser, changes={"viewer.fellow_eye": allowed})
    cast.add_cast(study, actor=organiser, graders=graders)
    arrivals = [(cast._taken(seed), Facts(subject="P1", side=side)) for seed, side in enumerate(sides, start=1)]
    add_images(study=study, arrivals=arrivals, actor=organiser)
    return open_study(study, organiser)


def at_side(study: Study, grader: User, side: str) -> Desk:
    desk = desk_of(grader, study)
    case = Image.objects.get(study=study, eye__side=side).cases.get()
    desk.assignment = Assignment.objects.get(grader__user=grader, case=case)
    return desk


def pixels(desk: Desk, address: str) -> bytes:
    answer: Any = desk.client.get(address)
    return b"".join(answer.streaming_content)


def test_each_eye_shows_the_other_under_the_assignments_address(organiser: User, graders: list[User]) -> None:
    study = both_eyes(organiser, graders[:2], allowed=True)
    right, left = at_side(study, graders[0], "R"), at_side(study, graders[0], "L")

    fellow = right.read()["fellow"]

    assert fellow["url"] == f"/read/{right.assignment.public_id}/fellow/image"
    assert (fellow["width"], fellow["height"]) == (32, 24)
    assert pixels(right, fellow["url"]) == pixels(left, left.read()["images"][0]["url"])
    assert pixels(right, fellow["url"]) != pixels(right, right.read()["images"][0]["url"])


def test_nothing_is_shown_where_the_recipe_does_not_allow_it(organiser: User, graders: list[User]) -> None:
    study = both_eyes(organiser, graders[:2], allowed=False)
    desk = at_side(study, graders[0], "R")
    assert desk.read()["fellow"] is None
    assert desk.client.get(f"/read/{desk.assignment.public_id}/fellow/image").status_code == 404


def test_an_eye_without_a_fellow_in_the_study_has_none(organiser: User, graders: list[User]) -> None:
    desk = at_side(both_eyes(organiser, graders[:2], allowed=True, sides="L"), graders[0], "L")
    assert desk.read()["fellow"] is None
    assert desk.client.get(f"/read/{desk.assignment.public_id}/fellow/image").status_code == 404


def test_the_fellow_eye_of_anothers_case_is_not_found(organiser: User, graders: list[User]) -> None:
    study = both_eyes(organiser, graders[:2], allowed=True)
    mine, others = at_side(study, graders[0], "R"), at_side(study, graders[1], "R")
    address = f"/read/{others.assignment.public_id}/fellow/image"
    assert (mine.client.get(address).status_code, others.client.get(address).status_code) == (404, 200)


@pytest.mark.parametrize("looked", [True, False])
def test_whether_it_was_looked_at_is_recorded_with_the_reading_whatever_the_page_says(
    organiser: User, graders: list[User], looked: bool
) -> None:
    desk = at_side(both_eyes(organiser, graders[:2], allowed=True), graders[0], "R")
    if looked:
        pixels(desk, desk.read()["fellow"]["url"])
    desk.save(RG, labelled("NRG"))
    assert desk.submit().status_code == 201
    assert Reading.objects.get().adjustments == ({"fellow-eye": True} if looked else {})


def test_it_was_looked_at_when_first_it_was(organiser: User, graders: list[User]) -> None:
    desk = at_side(both_eyes(organiser, graders[:2], allowed=True), graders[0], "R")
    address = desk.read()["fellow"]["url"]
    pixels(desk, address)
    first = Assignment.objects.get(pk=desk.assignment.pk).fellow_seen_at
    pixels(desk, address)
    assert first is not None
    assert Assignment.objects.get(pk=desk.assignment.pk).fellow_seen_at == first


def test_it_cannot_have_been_looked_at_where_it_is_not_shown(organiser: User, graders: list[User]) -> None:
    desk = at_side(both_eyes(organiser, graders[:2], allowed=False), graders[0], "R")
    desk.save(RG, labelled("NRG"))
    refused = desk.submit(adjustments={"fellow-eye": True})
    assert (refused.status_code, refused.json()["code"]) == (400, "adjustment_not_allowed")
