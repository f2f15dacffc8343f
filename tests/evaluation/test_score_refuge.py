"""`manage.py score refuge`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.challenge_files import Challenge, encoded, picture

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())["refuge"]
Run = Callable[..., Any]


@pytest.fixture
def refuge(challenge: Challenge) -> Challenge:
    """Two images in all three tracks; by hand, cup 2 of 4 rows in one, and both alike."""
    both = "FileName,Glaucoma Risk\nT1.jpg,1\nt2.jpg,0\n"
    challenge.write("classification.csv", both)
    challenge.write("fovea_location.csv", "ImageName,Fovea_X,Fovea_Y\nT1.jpg,10,20\nT2.jpg,5,5\n")
    for name in ("T1", "T2"):
        challenge.write(f"segmentation/{name}.bmp", picture("..+.", ".##+", ".#++", "..+.", kind="BMP"))
    return challenge


def test_a_submission_equal_to_the_reference_is_perfect(run: Run, refuge: Challenge) -> None:
    answer = run("score", "refuge", *refuge.sides)

    assert answer["metrics"] == {
        "auc": 1.0,
        "sensitivity_at_85_specificity": 1.0,
        "dice_cup": 1.0,
        "dice_disc": 1.0,
        "mae_vcdr": 0.0,
        "mean_distance_fovea": 0.0,
    }
    assert (answer["protocol"], answer["edition"], answer["n_cases"]) == ("refuge", "paper", 2)
    assert "ci" not in answer
    assert any("Eq. 3" in note for note in answer["notes"])


def test_every_value_of_a_case_is_shown(run: Run, refuge: Challenge) -> None:
    refuge.write("classification_results.csv", "glaucoma risk , FILENAME\n0.4,T2\n-3,t1.PNG\n", "submission")
    refuge.remove("classification.csv")
    refuge.write("fovea_location.csv", "ImageName,Fovea_X,Fovea_Y\nT1,13,24\nT2,5,5\n", "submission")
    refuge.remove("segmentation/T1.bmp")
    refuge.write("segmentation/t1.png", picture("..+.", "..++", "..#+", "..+."), "submission")

    answer = run("score", "refuge", *refuge.sides)

    # T1: cup 3 and 1 pixels, 0 shared; disc 8 and 6, 6 shared; cup 2 and 1 of 4 rows
    assert answer["cases"][0] == {
        "case": "T1",
        "risk": -3.0,
        "label": 1,
        "dice_cup": 0.0,
        "dice_disc": pytest.approx(12 / 14),
        "vcdr_reference": 0.5,
        "vcdr_candidate": 0.25,
        "distance_fovea": 5.0,
    }
    assert answer["metrics"]["auc"] == 0
    assert answer["metrics"]["mae_vcdr"] == pytest.approx(0.125)


@pytest.mark.parametrize("name", ["c1_plain", "c3_no_cup", "c5_stray_blob_100"])
def test_the_organisers_own_values(name: str, run: Run, challenge: Challenge) -> None:
    """Edition published; the pictures were drawn for the organisers' code, whose output the golden numbers are."""
    drawn = GOLDEN["drawn"][name]
    for side in ("reference", "submission"):
        challenge.write(f"segmentation/{name}.bmp", encoded(unpacked(drawn[side]), "BMP"), side)

    answer = run("score", "refuge", *challenge.sides, "--edition", "published")

    expected = GOLDEN["segmentation"][name]
    metrics = [answer["metrics"][key] for key in ("dice_cup", "dice_disc", "mae_vcdr")]
    assert metrics == pytest.approx(expected["cup_dice_disc_dice_ae_vcdr"], abs=1e-12)
    assert answer["cases"][0]["vcdr_reference"] == pytest.approx(expected["vcdr_gt"], abs=1e-12)
    assert answer["cases"][0]["vcdr_candidate"] == pytest.approx(expected["vcdr_pred"], abs=1e-12)


def unpacked(drawn: dict[str, Any]) -> Any:
    """Grey values from runs of (value, length), row by row."""
    values, lengths = zip(*drawn["runs"], strict=True)
    return np.repeat(np.array(values, dtype=np.uint8), lengths).reshape(drawn["height"], drawn["width"])


@pytest.mark.parametrize(("edition", "expected"), [("paper", 0.875), ("published", 0.875)])
def test_the_sensitivity_of_the_organisers_scores(
    edition: str, expected: float, run: Run, challenge: Challenge
) -> None:
    given = GOLDEN["classification"]["k1_random28"]
    for side, values in (("reference", given["labels"]), ("submission", given["scores"])):
        rows = "".join(f"T{place},{value}\n" for place, value in enumerate(values))
        challenge.write("classification.csv", "FileName,Glaucoma Risk\n" + rows, side)

    answer = run("score", "refuge", *challenge.sides, "--edition", edition)

    assert answer["metrics"]["auc"] == pytest.approx(given["auc"])
    assert answer["metrics"]["sensitivity_at_85_specificity"] == pytest.approx(expected)


def test_an_unnamed_value_below_255_is_disc_and_is_noted(run: Run, refuge: Challenge) -> None:
    refuge.write("segmentation/T1.bmp", picture("..?.", ".##+", ".#++", "..?.", kind="BMP"), "submission")

    answer = run("score", "refuge", *refuge.sides)

    assert answer["metrics"]["dice_disc"] == 1
    assert any("T1" in note and "values other than" in note for note in answer["notes"])


def test_colour_with_three_equal_channels_is_grey(run: Run, refuge: Challenge) -> None:
    grey = np.array([[255, 255, 128, 255], [255, 0, 0, 128], [255, 0, 128, 128], [255, 255, 128, 255]], dtype=np.uint8)
    refuge.write("segmentation/T1.bmp", encoded(np.dstack([grey] * 3), "BMP"), "submission")

    assert run("score", "refuge", *refuge.sides)["metrics"]["dice_cup"] == 1


def test_two_empty_masks_agree_and_an_empty_disc_has_ratio_zero(run: Run, challenge: Challenge) -> None:
    challenge.write("segmentation/a.png", picture("..", ".."))
    challenge.write("segmentation/b.png", picture("#+", ".."), "reference")
    challenge.write("segmentation/b.png", picture("..", ".."), "submission")

    answer = run("score", "refuge", *challenge.sides)

    assert [case["dice_disc"] for case in answer["cases"]] == [1.0, 0.0]
    assert [case["vcdr_candidate"] for case in answer["cases"]] == [0.0, 0.0]
    assert answer["metrics"]["mae_vcdr"] == pytest.approx(0.5)


def test_a_track_that_only_the_reference_has_is_noted_and_left_out(run: Run, refuge: Challenge) -> None:
    refuge.remove("classification.csv")
    refuge.write("clasification.csv", "FileName,Glaucoma Risk\nT1,1\nT2,0\n", "submission")

    answer = run("score", "refuge", *refuge.sides)

    assert "auc" not in answer["metrics"]
    assert "risk" not in answer["cases"][0]
    assert "classification.csv is not scored: the submission does not have it." in answer["notes"]
    assert "Not read in the submission: clasification.csv." in answer["notes"]


def test_one_class_alone_has_no_curve(run: Run, challenge: Challenge) -> None:
    challenge.write("classification.csv", "FileName,Glaucoma Risk\na,1\nb,1\n")

    answer = run("score", "refuge", *challenge.sides, "--bootstrap", 5)

    assert answer["metrics"] == {"auc": None, "sensitivity_at_85_specificity": None}
    assert answer["ci"]["auc"] == [None, None]
    assert any(note.startswith("auc is null") for note in answer["notes"])
    assert any("5 of 5 resamples" in note for note in answer["notes"])


def test_subjects_are_drawn_where_the_reference_names_them(run: Run, challenge: Challenge) -> None:
    """Two subjects: a resample holds one of them twice or both, so the mean of distances is 0, 5 or 10."""
    names = [f"image{number}" for number in range(10)]
    for side, x in (("reference", 0), ("submission", 10)):
        rows = "".join(f"{name},{x if place < 5 else 0},0\n" for place, name in enumerate(names))
        challenge.write("fovea_location.csv", "ImageName,Fovea_X,Fovea_Y\n" + rows, side)
    subjects = "".join(f"{name},{'ada' if place < 5 else 'ben'}\n" for place, name in enumerate(names))
    challenge.write("subjects.csv", "name,subject\n" + subjects, "reference")

    answer = run("score", "refuge", *challenge.sides, "--bootstrap", 200, "--seed", 3)

    assert answer["metrics"]["mean_distance_fovea"] == 5
    assert answer["ci"]["mean_distance_fovea"] == [0, 10]
