"""AGE: the surfaces of an angle are traced for the senior, who corrects and accepts them; where from is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client

from annotator.answers import Given
from annotator.geometry.opening import Scale, opening_distance_mm
from annotator.geometry.polyline import apart_px
from annotator.models import Job, Study, User
from annotator.services.job_run import run_job
from consensus.demo_angles import traced_decisions
from consensus.models import AgreementReport, Reference
from consensus.selectors.inputs import inputs_of
from consensus.services.deciding import decide
from tests.consensus import angle_scene, scene
from tests.consensus.senior import Table, content

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
Line = list[list[float]]


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    return angle_scene.read_angles(organiser, senior, graders)


@pytest.fixture
def table(study: Study, senior: User, browser_of: Browser) -> Table:
    return Table(browser_of(senior), study)


def spur_of(side: str, seed: int = angle_scene.SEED) -> dict[str, float]:
    x, y = getattr(angle_scene.scan(seed).truth, side).spur
    return {"x": x, "y": y}


def traced(table: Table, side: str = "left") -> dict[str, Line]:
    answer = ask(table, measure=f"aod500_{side}", spur=spur_of(side))
    assert answer.status_code == 200, answer.content
    return {line["target"]: line["points"] for line in answer.json()["lines"]}


def ask(table: Table, **body: Any) -> Any:
    address = f"{table.case_address}trace/"
    return table.client.post(address, {"position": 1, **body}, content_type="application/json")


def accept(table: Table, origin: dict[str, float] | None, lines: dict[str, Line]) -> Any:
    decisions = [
        table.decision(
            key,
            digest="",
            adjusted={"content": content(geometry={"points": points}), "masks": [], "traced_from": origin},
        )
        for key, points in lines.items()
    ]
    return table.post("decide", decisions=[table.decision("spur_left"), *decisions])


def test_both_lines_of_an_angle_are_proposed_where_the_surfaces_are_and_nothing_is_written(table: Table) -> None:
    before = Reference.objects.count()
    truth = angle_scene.scan().truth
    scale = Scale(truth.um_per_px, truth.um_per_px)
    for angle in (truth.left, truth.right):
        lines = traced(table, angle.side)
        cornea, iris = ([(x, y) for x, y in lines[f"{name}_{angle.side}"]] for name in ("cornea", "iris"))
        opening = opening_distance_mm(angle.spur, cornea, iris, towards_x=truth.width / 2, scale=scale)
        assert opening == pytest.approx(angle.aod500_um / 1000, abs=2 * truth.um_per_px / 1000)
        off = np.hypot(*(np.array(cornea) - truth.cornea_centre).T) - truth.cornea_radius_px
        assert np.abs(off).max() < 1
    assert Reference.objects.count() == before


def test_an_accepted_tracing_is_kept_as_traced(table: Table) -> None:
    lines = traced(table)

    told = accept(table, spur_of("left"), lines)

    assert told.status_code == 200, told.content
    row = scene.latest(scene.case_of(table.study), "cornea_left")
    assert row.geometry == {"points": lines["cornea_left"]}
    count = len(lines["cornea_left"])
    assert row.displacement == {
        "traced_from": spur_of("left"),
        "vertices": count,
        "traced_vertices": count,
        "off_tracing_px": 0.0,
    }


def test_a_corrected_tracing_says_how_far_it_was_corrected(table: Table) -> None:
    iris = traced(table)["iris_left"]
    corrected = [*iris[:-1], [iris[-1][0], iris[-1][1] + 3]]

    accept(table, spur_of("left"), {"iris_left": corrected})

    row = scene.latest(scene.case_of(table.study), "iris_left")
    assert row.displacement is not None
    assert row.displacement["traced_vertices"] == len(iris) - 1
    assert row.displacement["off_tracing_px"] == pytest.approx(apart_px(iris, corrected), abs=1e-3)
    assert 2 < row.displacement["off_tracing_px"] <= 3
    address = f"/studies/{table.study.public_id}/table/{scene.case_of(table.study).public_id}/history/"
    assert "Traced, then corrected by" in table.client.get(address).content.decode()


def test_a_line_of_which_nothing_was_traced_is_a_drawing_whatever_the_page_says(table: Table) -> None:
    drawn = [[20.0, 30.0], [200.0, 40.0]]
    accept(table, spur_of("left"), {"cornea_left": drawn})
    accept(table, None, {"iris_left": drawn})

    case = scene.case_of(table.study)
    assert [scene.latest(case, key).displacement for key in ("cornea_left", "iris_left")] == [{}, {}]


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"measure": "aod500_left", "spur": {"x": 150.0, "y": 10.0}}, "untraceable"),
    ({"measure": "aod500_right", "spur": {"x": 150.0, "y": 280.0}}, "untraceable"),
    ({"measure": "aod500_left", "spur": {"x": -5.0, "y": 280.0}}, "untraceable"),
    ({"measure": "aod500_left", "spur": {"x": 10**400, "y": 280.0}}, "untraceable"),
    ({"measure": "vcdr", "spur": {"x": 150.0, "y": 280.0}}, "unknown_measure"),
    ({"measure": "aod500_left", "spur": {"x": 150.0, "y": 280.0}, "position": 7}, "unknown_target"),
    ({"measure": "aod500_left", "spur": {"x": "here", "y": 280.0}}, "invalid"),
    ({"measure": "aod500_left"}, "invalid"),
]


def test_what_cannot_be_traced_is_refused_in_words(table: Table) -> None:
    told = [ask(table, **body) for body, _code in REFUSALS]

    assert [answer.status_code for answer in told] == [400] * len(REFUSALS)
    assert [answer.json()["code"] for answer in told] == [code for _body, code in REFUSALS]
    assert all(answer.json()["message"] for answer in told)


def test_a_picture_of_something_else_is_refused(
    organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    tiny = (Given("spur_left", geometry={"x": 8.0, "y": 9.0}), Given("spur_right", geometry={"x": 24.0, "y": 9.0}))
    answers = [tiny] * len(graders)
    study = scene.read_study("age", organiser=organiser, senior=senior, graders=graders, answers=answers)
    answer = ask(Table(browser_of(senior), study), measure="aod500_left", spur={"x": 8.0, "y": 9.0})
    assert answer.json()["code"] == "untraceable"


def test_opening_distances_over_traced_lines_are_compared(
    organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    """Each grader's distance against the mean of the other two, as the drawings' own surfaces give them."""
    study = angle_scene.read_angles(organiser, senior, graders, cases=2)
    for number in (1, 2):
        table = Table(browser_of(senior), study)
        table.case_address = f"{table.address}cases/{scene.case_of(study, number).public_id}/"
        origin = spur_of("left", angle_scene.SEED + number - 1)
        lines = ask(table, measure="aod500_left", spur=origin).json()["lines"]
        accept(table, origin, {line["target"]: line["points"] for line in lines})
    run_job(Job.objects.get(study=study, kind="measure_agreement", finished_at=None).pk)  # asked for by the run

    told = AgreementReport.objects.filter(study=study).latest("pk").content["measures"]["aod500_left"]
    exact = np.array([[true_opening(shift, angle_scene.SEED + case) for shift in (-2.0, 0.0, 2.0)] for case in (0, 1)])
    assert [row["read"] for row in told["per_grader"]] == [2, 2, 2]
    others = (exact.sum(axis=1, keepdims=True) - exact) / 2
    biases = sorted((exact - others).mean(axis=0))
    assert sorted(row["bias"] for row in told["per_grader"]) == pytest.approx(biases, abs=0.005)
    address = f"/studies/{study.public_id}/agreement/"
    assert "Differences are in mm." in table.client.get(address, {"of": "aod500_left"}).content.decode()
    rows = table.client.get(f"{address}figures.csv", {"of": "aod500_left"}).content.decode().splitlines()
    assert len(rows) == 1 + 6  # the six forms of the intraclass correlation


def true_opening(shift: float, seed: int) -> float:
    truth = angle_scene.scan(seed).truth
    (spur, *_right) = angle_scene.spurs(shift, seed)
    assert spur.geometry is not None
    found = opening_distance_mm(
        (spur.geometry["x"], spur.geometry["y"]),
        truth.left.posterior_cornea.tolist(),
        truth.left.anterior_iris.tolist(),
        towards_x=truth.width / 2,
        scale=Scale(15.0, 15.0),
    )
    assert found is not None
    return found


def test_the_demo_s_senior_takes_every_line_that_can_be_traced(study: Study, senior: User) -> None:
    case = scene.case_of(study)
    (inputs,) = inputs_of(study, [case.pk])
    decisions = traced_decisions(case, inputs)

    decide(case=case, actor=senior, tab="demo", decisions=decisions)

    lines = Reference.objects.filter(case=case, kind="polyline")
    assert {row.target.key for row in lines} == {"cornea_left", "iris_left", "cornea_right", "iris_right"}
    assert all(row.displacement is not None and row.displacement["off_tracing_px"] == 0 for row in lines)
