"""`manage.py score adam`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.challenge_files import SIDES, Challenge, picture

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())["adam"]
Run = Callable[..., Any]
NOTHING = picture("...", "...")


@pytest.fixture
def adam(challenge: Challenge) -> Challenge:
    """Two images with a disc, and lesions on the first alone."""
    challenge.write("classification.csv", "FileName,AMD Risk\nA1.jpg,1\nB2.jpg,0\n")
    for name in ("A1", "B2"):
        challenge.write(f"disc/{name}.png", picture("##.", "##."))
    return challenge.write("lesions/drusen/A1.png", picture("#..", ".#."))


def test_dice_and_detection_of_five_discs(run: Run, challenge: Challenge) -> None:
    """Structure on both sides, missed, invented, on neither, and again on both: 2 found of 3, 1 too many."""
    drawn = [("##.", "#.."), ("##.", "..."), ("...", "#.."), ("...", "..."), ("##.", "##.")]
    for number, rows in enumerate(drawn):
        for side, row in zip(SIDES, rows, strict=True):
            challenge.write(f"disc/im{number}.png", picture(row, "..."), side)

    answer = run("score", "adam", *challenge.sides)

    assert answer["metrics"] == {"dice_disc": pytest.approx((2 / 3 + 0 + 1) / 3), "f1_disc": pytest.approx(2 / 3)}
    assert GOLDEN["detection"]["F1"] == pytest.approx(2 / 3)  # the same counts in the golden case
    assert [case["dice_disc"] for case in answer["cases"]] == [pytest.approx(2 / 3), 0, 0, None, 1]
    assert [case["detected_disc"] for case in answer["cases"]] == [True, False, True, False, True]


def test_a_fovea_that_is_not_visible_is_at_zero(run: Run, challenge: Challenge) -> None:
    fovea = GOLDEN["fovea"]
    for side, key in zip(SIDES, ("gt", "pred"), strict=True):
        rows = "".join(f"im{place}.jpg,{x},{y}\n" for place, (x, y) in enumerate(fovea[key]))
        challenge.write("fovea.csv", "FileName,Fovea_X,Fovea_Y\n" + rows, side)

    answer = run("score", "adam", *challenge.sides)

    assert answer["metrics"] == {
        "mean_distance_fovea": pytest.approx(fovea["mean_ed_all_images_raw"]),
        "mean_distance_fovea_visible": pytest.approx(fovea["mean_distance_fovea_visible"]),
        "fovea_visibility_accuracy": pytest.approx(fovea["fovea_visibility_accuracy"]),
    }
    assert [case["distance_fovea"] for case in answer["cases"]] == pytest.approx(fovea["ed"])


def test_the_area_under_the_curve(run: Run, challenge: Challenge) -> None:
    given = GOLDEN["classification"]
    for side, key in zip(SIDES, ("y", "s"), strict=True):
        rows = "".join(f"im{place},{value}\n" for place, value in enumerate(given[key]))
        challenge.write("classification.csv", "FileName,AMD Risk\n" + rows, side)

    assert run("score", "adam", *challenge.sides)["metrics"] == {"auc": pytest.approx(given["auc"])}


def test_a_lesion_without_a_file_is_absent_and_counted(run: Run, adam: Challenge) -> None:
    adam.remove("lesions/drusen/A1.png")
    adam.write("lesions/scar/B2.png", picture("#..", "..."), "submission")

    answer = run("score", "adam", *adam.sides)

    metrics = answer["metrics"]
    assert (metrics["dice_drusen"], metrics["f1_drusen"]) == (0, 0)  # missed
    assert (metrics["dice_scar"], metrics["f1_scar"]) == (None, 0)  # invented
    assert (metrics["dice_exudate"], metrics["f1_exudate"]) == (None, None)  # on neither side
    assert answer["cases"][1]["detected_scar"] is True
    note = "drusen: absent because there is no file in 1 cases of the reference and 2 of the submission."
    assert note in answer["notes"]


def test_a_lesion_that_is_found_in_part(run: Run, adam: Challenge) -> None:
    adam.write("lesions/drusen/a1.PNG", picture("#..", "..."), "submission")
    adam.remove("lesions/drusen/A1.png")

    assert run("score", "adam", *adam.sides)["metrics"]["dice_drusen"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("side", "name", "said"),
    [
        ("submission", "lesions/drusen/C3.png", "submission/lesions/drusen/C3.png: “C3” is not among the cases"),
        ("reference", "lesions/drusen/C3.png", "reference/lesions/drusen/C3.png: “C3” is not among the cases"),
        (
            "submission",
            "lesions/drussen/A1.png",
            "submission/lesions/drussen/A1.png: There is no place for such a file",
        ),
        ("submission", "disc/C3.png", "submission/disc/C3.png: “C3” is not among the cases"),
    ],
)
def test_a_misspelt_name_is_not_taken_for_an_absent_lesion(
    side: str, name: str, said: str, refusal: Run, adam: Challenge
) -> None:
    adam.write(name, NOTHING, side)

    assert said in refusal("score", "adam", *adam.sides)


def test_lesions_alone_list_their_own_cases(run: Run, challenge: Challenge) -> None:
    challenge.write("lesions/drusen/A1.png", picture("#..", "..."))

    assert run("score", "adam", *challenge.sides)["metrics"]["dice_drusen"] == 1


def test_a_disc_must_have_a_file_even_when_it_is_absent(refusal: Run, adam: Challenge) -> None:
    adam.remove("disc/B2.png")

    assert "submission/disc: “B2” is missing" in refusal("score", "adam", *adam.sides)


def test_a_value_that_means_nothing_is_named(refusal: Run, adam: Challenge) -> None:
    adam.write("disc/B2.png", picture("#?.", "..."), "submission")

    said = refusal("score", "adam", *adam.sides)

    assert "submission/disc/B2.png: The picture holds the value 17; allowed are 0, 255." in said


def test_lesions_that_only_the_submission_has_refuse_it(refusal: Run, adam: Challenge) -> None:
    adam.remove("lesions/drusen/A1.png", "reference")

    assert "submission/lesions/drusen: The reference has nothing to compare it with." in refusal(
        "score", "adam", *adam.sides
    )
