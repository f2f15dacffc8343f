"""A practice case: the same workbench for every protocol, a picture with known truth, and nothing stored."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image as Picture

from annotator.answers import Given, check_answer
from annotator.checks import Picture as Seen
from annotator.checks import contradictions, unanswered
from annotator.practice import COUNT, practice_case
from protocols import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk


def at(desk: Desk, number: int, part: str) -> str:
    return f"/api/v1/me/practice/{desk.assignment.grader.study.public_id}/{number}/{part}"


@pytest.mark.django_db
@pytest.mark.parametrize("protocol", PUBLISHED)
def test_every_protocol_has_one_and_looking_at_it_stores_nothing(
    seated: SeatedAt, stored: Callable[[], Any], protocol: str
) -> None:
    desk = seated(protocol)
    before = stored()

    practice, real = desk.client.get(at(desk, 1, "workbench/")).json(), desk.read()
    picture = desk.client.get(practice["images"][0]["url"])
    truth = desk.client.get(at(desk, 1, "truth/")).json()["truth"]

    assert practice.keys() == real.keys()
    for part in ("targets", "case", "viewer", "checks", "study"):
        assert practice[part] == real[part]
    decoded = Picture.open(io.BytesIO(picture.content))
    assert decoded.size == (practice["images"][0]["width"], practice["images"][0]["height"])
    required = {target["key"] for target in practice["targets"] if target["required"]}
    assert required <= {answer["target"] for answer in truth}
    assert stored() == before


@pytest.mark.parametrize("protocol", PUBLISHED)
@pytest.mark.parametrize("number", range(1, COUNT + 1))
def test_the_truth_would_pass_as_a_reading(protocol: str, number: int) -> None:
    recipe, case = PUBLISHED[protocol], practice_case(protocol, number)
    pictures = {place: Seen(shown.width, shown.height, "") for place, shown in enumerate(case.pictures, start=1)}
    checked = {}
    for given in case.truth:
        seen = pictures[given.position]
        checked[given.position, given.target] = check_answer(
            recipe.target(given.target), given, seen.width, seen.height
        )
    labels = {(given.position, given.target): given.label for given in case.truth}

    assert unanswered(recipe, labels, len(pictures)) == []
    assert contradictions(recipe, checked, pictures) == []


def test_the_disc_of_the_practice_picture_is_where_the_truth_says() -> None:
    """A disc is the brightest part of a fundus: a witness that does not know how the picture was drawn."""
    case = practice_case("refuge", 1)
    grey = np.asarray(Picture.open(io.BytesIO(case.pictures[0].data)).convert("L"), dtype=float)
    disc = _geometry(case.truth, "disc")
    rows, columns = np.mgrid[0 : grey.shape[0], 0 : grey.shape[1]]
    near = np.hypot(columns + 0.5 - disc["cx"], rows + 0.5 - disc["cy"])
    inside, around = near < min(disc["a"], disc["b"]) / 2, (near > 2 * disc["a"]) & (near < 3 * disc["a"])
    assert grey[inside].mean() > grey[around].mean() + 30


def _geometry(truth: tuple[Given, ...], target: str) -> dict[str, float]:
    (found,) = [given.geometry for given in truth if given.target == target]
    assert found is not None
    return dict(found)


@pytest.mark.django_db
def test_masks_of_the_truth_travel_as_those_of_a_reading_do(seated: SeatedAt) -> None:
    desk = seated("adam")
    truth = {answer["target"]: answer for answer in desk.client.get(at(desk, 1, "truth/")).json()["truth"]}
    stored = desk.save("drusen", truth["drusen"]["content"], masks=truth["drusen"]["masks"])
    assert len(base64.b64decode(truth["drusen"]["masks"][0].split(":")[2])) > 10
    assert stored.json()["code"] == "bad_mask"  # the practice picture has another size than the study's


@pytest.mark.django_db
@pytest.mark.parametrize("number", [0, COUNT + 1, 99999999])
def test_there_are_no_further_ones(seated: SeatedAt, number: int) -> None:
    desk = seated("airogs")
    page = f"/practice/{desk.assignment.grader.study.public_id}/{number}/"
    assert desk.client.get(at(desk, number, "workbench/")).status_code == 404
    assert desk.client.get(at(desk, number, "truth/")).status_code == 404
    assert desk.client.get(page).status_code == 404
    assert desk.client.get(f"/practice/{desk.assignment.grader.study.public_id}/1/9/image").status_code == 404
