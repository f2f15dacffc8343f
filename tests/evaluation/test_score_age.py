"""`manage.py score age`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.challenge_files import SIDES, Challenge

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())["age"]
LOCATED = "ASOCT_NAME,X_LEFT,Y_LEFT,X_RIGHT,Y_RIGHT\n"
CLOSED = "ASOCT_NAME,LEFT_ANGLE_RESULTS,RIGHT_ANGLE_RESULTS\n"
OPENED = "ASOCT_NAME,AOD_LEFT,AOD_RIGHT\n"
Run = Callable[..., Any]


@pytest.fixture
def age(challenge: Challenge) -> Challenge:
    """Two scans; the right angle of the second cannot be determined and has no opening distance."""
    challenge.write("localization.csv", LOCATED + "S1.png,100,200,900,210\nS2.png,110,205,-1,-1\n")
    challenge.write("classification.csv", CLOSED + "S1,1,0\nS2,-1,0\n")
    return challenge.write("aod.csv", OPENED + "S1,0.4,0.1\nS2,0.4,\n")


def test_a_submission_equal_to_the_reference_is_perfect(run: Run, age: Challenge) -> None:
    answer = run("score", "age", *age.sides)

    assert answer["metrics"] == {
        "mean_distance_spur": 0,
        "delta_aod": 0,
        "auc": 1,
        "sensitivity": 1,
        "specificity": 1,
    }
    assert answer["n_cases"] == 4
    assert [case["case"] for case in answer["cases"]] == ["S1:left", "S1:right", "S2:left", "S2:right"]


def test_every_value_of_an_angle(run: Run, age: Challenge) -> None:
    age.write("Localization_Results.csv", LOCATED + "s2,110,205,7,7\ns1,103,204,900,210\n", "submission")
    age.remove("localization.csv")
    # S1 left is closed: too wide counts 0.8; S1 right is open: too narrow counts 0.8; S2 left is open: too wide 0.2
    age.write("aod.csv", OPENED + "S1,0.5,0.05\nS2,0.5,0.3\n", "submission")
    age.write("classification.csv", CLOSED + "S1,0.5,0\nS2,-1,0.2\n", "submission")

    answer = run("score", "age", *age.sides)

    assert answer["cases"][0] == {
        "case": "S1:left",
        "distance_spur": 5.0,
        "delta_aod": pytest.approx(0.08),
        "score": 0.5,
        "label": 1,
    }
    assert answer["cases"][3] == {
        "case": "S2:right",
        "distance_spur": None,
        "delta_aod": None,
        "score": 0.2,
        "label": 0,
    }
    assert answer["metrics"]["mean_distance_spur"] == pytest.approx(5 / 3)
    assert answer["metrics"]["delta_aod"] == pytest.approx((0.08 + 0.04 + 0.02) / 3)
    assert answer["metrics"]["specificity"] == pytest.approx(2 / 3)


def test_classification_by_the_paper(run: Run, challenge: Challenge) -> None:
    given = GOLDEN["classification"]
    for side, key in zip(SIDES, ("y", "score"), strict=True):
        # Each angle on both sides of a scan: doubling every case changes no share.
        rows = "".join(f"S{place},{given[key][place]},{given[key][place]}\n" for place in range(7))
        challenge.write("classification.csv", CLOSED + rows, side)

    metrics = run("score", "age", *challenge.sides)["metrics"]

    assert metrics == {key: pytest.approx(given[key]) for key in ("auc", "sensitivity", "specificity")}


def test_without_opening_distances_there_is_no_difference_of_them(run: Run, age: Challenge) -> None:
    age.remove("aod.csv")

    answer = run("score", "age", *age.sides)

    assert "delta_aod" not in answer["metrics"]
    assert "delta_aod" not in answer["cases"][0]
    assert "aod.csv is not scored: the submission does not have it." in answer["notes"]


def test_a_reference_without_closures_cannot_weigh_opening_distances(refusal: Run, age: Challenge) -> None:
    for side in SIDES:
        age.remove("classification.csv", side)

    assert "There is no “classification.csv”" in refusal("score", "age", *age.sides)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("localization.csv", LOCATED + "S1,1,1,-1,-1\nS2,1,1,1,1\n", "line 2: “S1:right” is not determined, but"),
        ("localization.csv", LOCATED + "S1,1,1,1,1\nS2,1,,1,1\n", "line 3: The cell in column “y_left” is empty."),
        ("localization.csv", LOCATED + "S1,1,1,1,1\n", "“S2” is missing"),
        ("aod.csv", OPENED + "S1,0.4,\nS2,0.4,0.1\n", "aod.csv, line 2: “S1:right” is missing"),
        ("aod.csv", OPENED + "S1,0.4,0.1\n", "aod.csv: “S2:left” is missing"),
        ("aod.csv", OPENED + "S1,0.4,0.1\nS2,0.4,0.1\nS3,1,1\n", "line 4: “S3” is not among the cases"),
        ("classification.csv", CLOSED + "S1,1,x\nS2,0,0\n", "line 2: “x” in column"),
    ],
)
def test_a_bad_table_is_named_with_its_line(name: str, text: str, said: str, refusal: Run, age: Challenge) -> None:
    age.write(name, text, "submission")

    line = refusal("score", "age", *age.sides)

    assert f"submission/{name}" in line
    assert said in line


def test_both_angles_of_an_image_are_drawn_together(run: Run, challenge: Challenge) -> None:
    """One scan off by 2 on both sides, one exact: any resample of scans has a mean of 0, 1 or 2."""
    for side, off in zip(SIDES, (0, 2), strict=True):
        challenge.write("localization.csv", LOCATED + f"S1,{off},0,{off},0\nS2,0,0,0,0\n", side)

    assert run("score", "age", *challenge.sides, "--bootstrap", 100)["ci"]["mean_distance_spur"] == [0, 2]


def test_opening_distances_are_scored_without_spurs(run: Run, age: Challenge) -> None:
    """The reference's spurs still say which angles can be determined, and list the cases."""
    age.remove("localization.csv")
    age.write("aod.csv", OPENED + "S1,0.5,0.1\n", "reference")
    age.write("aod.csv", OPENED + "S1,0.4,0.1\nS2,,\n", "submission")

    answer = run("score", "age", *age.sides)

    assert answer["metrics"]["delta_aod"] == pytest.approx(0.2 * 0.1 / 2)  # closed and measured too narrow
    assert "mean_distance_spur" not in answer["metrics"]
    assert answer["n_cases"] == 4


def test_a_closure_is_needed_of_the_angles_that_take_part(refusal: Run, run: Run, age: Challenge) -> None:
    age.write("classification.csv", CLOSED + "S1,1,0\n")
    assert "reference/classification.csv: “S2” is missing" in refusal("score", "age", *age.sides)

    age.write("aod.csv", OPENED + "S1,0.4,0.1\n")
    assert run("score", "age", *age.sides)["metrics"]["delta_aod"] == 0
