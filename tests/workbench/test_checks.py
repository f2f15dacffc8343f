"""The checks at submission, on pictures that the eye can check."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from annotator.answers import Checked, Given, check_answer, masks_of
from annotator.checks import NAMES, Finding, Picture, contradictions, photographs_to_read, unanswered
from annotator.geometry import runs
from protocols import PUBLISHED
from protocols.names import CheckName, Region, Severity
from protocols.reading import Check
from protocols.recipe import Recipe

REFUGE, ADAM, AGE, GLAS, AIROGS = (PUBLISHED[name] for name in ("refuge", "adam", "age", "glas", "airogs"))
RG = "referable_glaucoma"


def mask(*rows: str) -> bytes:
    return runs.pack(runs.encode(np.array([[character == "#" for character in row] for row in rows])))


def looked_at(recipe: Recipe, side: str, size: tuple[int, int], **given: Any) -> list[tuple[str, str]]:
    """Name and target of what is found on one photograph."""
    answers = {(1, key): check_answer(recipe.target(key), Given(key, **said), *size) for key, said in given.items()}
    found = contradictions(recipe, answers, {1: Picture(*size, side)})
    return [(finding.name, finding.target) for finding in found]


def only(recipe: Recipe, *names: CheckName) -> Recipe:
    return replace(recipe, checks=tuple(Check(name, Severity.WARNING) for name in names))


def ellipse(cx: float, a: float = 2.0) -> dict[str, Any]:
    return {"geometry": {"cx": cx, "cy": 5.0, "a": a, "b": a, "theta_deg": 0.0}}


def point(x: float) -> dict[str, Any]:
    return {"geometry": {"x": x, "y": 5.0}}


@pytest.mark.parametrize(
    ("side", "disc", "fovea", "contradicts"),
    [
        ("R", 15.0, 5.0, False),  # a right eye: the disc towards the nose, on the right
        ("R", 5.0, 15.0, True),
        ("L", 5.0, 15.0, False),
        ("L", 15.0, 5.0, True),
        ("U", 5.0, 15.0, False),
        ("", 15.0, 5.0, False),
        ("R", 9.0, 9.0, False),
    ],
)
def test_disc_and_fovea_tell_the_eye(side: str, disc: float, fovea: float, contradicts: bool) -> None:
    found = looked_at(REFUGE, side, (20, 10), disc=ellipse(disc), fovea=point(fovea))
    assert found == ([("laterality-contradicts-disc-and-fovea", "fovea")] if contradicts else [])


def test_a_painted_disc_tells_the_eye_by_its_centre_of_gravity() -> None:
    """Columns 3, 4 and 5 are painted: the centre is 4.5."""
    recipe, disc = only(ADAM, CheckName.LATERALITY), {"masks": [mask("...###..", "...###..")]}
    assert looked_at(recipe, "R", (8, 2), disc=disc, fovea={"geometry": {"x": 4.4, "y": 1.0}}) == []
    assert len(looked_at(recipe, "R", (8, 2), disc=disc, fovea={"geometry": {"x": 4.6, "y": 1.0}})) == 1


def test_nothing_is_said_about_the_eye_where_the_fovea_is_not_visible() -> None:
    recipe, disc = only(ADAM, CheckName.LATERALITY), {"masks": [mask("#...")]}
    assert looked_at(recipe, "R", (4, 1), disc=disc, fovea={"answer": "not-visible"}) == []


@pytest.mark.parametrize(("cup", "outside"), [(ellipse(10, 2), False), (ellipse(10, 3), False), (ellipse(13, 2), True)])
def test_a_cup_belongs_inside_its_disc(cup: dict[str, Any], outside: bool) -> None:
    found = looked_at(REFUGE, "", (20, 10), disc=ellipse(10, 3), cup=cup)
    assert found == ([("outside-its-target", "cup")] if outside else [])


def test_a_cup_without_a_disc_is_not_outside_anything() -> None:
    assert looked_at(REFUGE, "", (20, 10), cup=ellipse(10)) == []


def test_an_empty_mask_and_no_objects_are_nothing_present() -> None:
    assert looked_at(ADAM, "", (3, 1), drusen={"masks": [mask("...")]}) == [("empty-mask-as-present", "drusen")]
    assert looked_at(ADAM, "", (3, 1), drusen={"masks": [mask(".#.")]}) == []
    assert looked_at(GLAS, "", (3, 1), glands={"masks": []}) == [("empty-mask-as-present", "glands")]
    assert looked_at(GLAS, "", (3, 1), glands={"answer": "absent"}) == []


@pytest.mark.parametrize(("x", "wrong"), [(0.0, False), (10.0, False), (10.5, True), (20.0, True)])
def test_a_point_belongs_into_its_half_or_on_the_line(x: float, wrong: bool) -> None:
    """The picture is 20 wide; the line is at 10."""
    left = looked_at(AGE, "", (20, 10), spur_left=point(x))
    right = looked_at(AGE, "", (20, 10), spur_right=point(20.0 - x))
    assert left == ([("mark-in-the-other-half", "spur_left")] if wrong else [])
    assert right == ([("mark-in-the-other-half", "spur_right")] if wrong else [])


def test_an_ellipse_and_a_mask_belong_into_their_half_as_a_whole() -> None:
    halves = tuple(replace(target, region=Region.LEFT) if target.key == "disc" else target for target in REFUGE.targets)
    recipe = only(replace(REFUGE, targets=halves), CheckName.WRONG_HALF)
    assert looked_at(recipe, "", (20, 10), disc=ellipse(8, 2)) == []
    assert looked_at(recipe, "", (20, 10), disc=ellipse(8.5, 2)) == [("mark-in-the-other-half", "disc")]
    painted = tuple(replace(target, region=Region.RIGHT) if target.key == "disc" else target for target in ADAM.targets)
    recipe = only(replace(ADAM, targets=painted), CheckName.WRONG_HALF)
    assert looked_at(recipe, "", (4, 1), disc={"masks": [mask("..##")]}) == []
    assert looked_at(recipe, "", (4, 1), disc={"masks": [mask(".###")]}) == [("mark-in-the-other-half", "disc")]


def test_objects_that_share_a_pixel_are_found() -> None:
    """Such an answer is refused when it is saved; here it stands for one that came another way."""
    packed = [mask("##."), mask(".##")]
    geometry = {"objects": [{"id": number, "bytes": len(blob)} for number, blob in enumerate(packed, start=1)]}
    checked = Checked("objects", "present", geometry, b"".join(packed), "", [], None)
    assert masks_of("objects", geometry, checked.runs) == packed
    found = contradictions(GLAS, {(1, "glands"): checked}, {1: Picture(3, 1)})
    assert [finding.name for finding in found] == ["objects-overlap"]


@pytest.mark.parametrize(
    ("labels", "count", "expected"),
    [
        ([], 3, 1),
        (["RG"], 3, 1),
        (["U"], 3, 2),
        (["U", "NRG"], 3, 2),
        (["U", "U"], 3, 3),
        (["U", "U", "U"], 3, 3),
        (["U", "U"], 2, 2),
        (["U"], 1, 1),
        (["RG", "U"], 3, 1),
    ],
)
def test_each_further_photograph_only_after_ungradable(labels: list[str], count: int, expected: int) -> None:
    answers = {(position, RG): label for position, label in enumerate(labels, start=1)}
    assert photographs_to_read(AIROGS, answers, count) == expected


def test_what_is_required_is_missed_on_every_photograph_to_be_read() -> None:
    missing = unanswered(AIROGS, {(1, RG): "U"}, 3)
    assert missing == [Finding("target-not-answered", Severity.ERROR, 2, RG)]
    assert [finding.target for finding in unanswered(REFUGE, {(1, "cup"): ""}, 1)] == ["disc", "fovea"]


def test_without_a_word_in_the_recipe_a_missing_answer_is_an_error() -> None:
    silent = replace(REFUGE, checks=())
    assert {finding.severity for finding in unanswered(silent, {}, 1)} == {Severity.ERROR}


def test_every_check_a_recipe_can_name_is_known() -> None:
    assert set(NAMES) == {name.value for name in CheckName} | {"outside-its-target"}
