"""`manage.py score … --beyond`: metrics that no paper has, on pictures solved by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from evaluation.metrics.registry import METRICS
from evaluation.scoring.beyond import BEYOND
from tests.evaluation.challenge_files import Challenge, picture

Run = Callable[..., Any]
# From the row of five to its first pixel: 0 1 2 3 4; back: 0. The tolerance is 2.
ROW_AND_DOT = {
    "hausdorff-boundary": 4,
    "hd95-pooled": 3.75,
    "hd95-larger-directed": 3.8,
    "assd-mean-of-directed": 1,
    "assd-pooled": 10 / 6,
    "surface-dice-of-pixels": 4 / 6,
}


def about(target: str, answer: dict[str, Any]) -> dict[str, Any]:
    """The metrics whose key ends in the target, by their ids."""
    return {
        key.removesuffix(f":{target}"): value for key, value in answer["metrics"].items() if key.endswith(f":{target}")
    }


@pytest.fixture
def refuge(challenge: Challenge) -> Challenge:
    challenge.write("segmentation/T1.bmp", picture("+++++", kind="BMP"), "reference")
    return challenge.write("segmentation/T1.bmp", picture("+....", kind="BMP"), "submission")


def test_boundaries_of_cup_and_disc_are_measured(run: Run, refuge: Challenge) -> None:
    answer = run("score", "refuge", *refuge.sides, "--beyond")

    assert about("disc", answer) == pytest.approx({**ROW_AND_DOT, "jaccard-mean": 1 / 5})
    assert about("cup", answer) == {**dict.fromkeys(ROW_AND_DOT), "jaccard-mean": 1.0}
    assert "surface-dice-of-pixels:disc: tolerance_px = 2." in answer["notes"]
    assert any(note.startswith("Boundaries of cup: 0 of 1 cases") for note in answer["notes"])


def test_without_the_option_nothing_is_added(run: Run, refuge: Challenge) -> None:
    plain, beyond = run("score", "refuge", *refuge.sides), run("score", "refuge", *refuge.sides, "--beyond")

    assert not any(":" in key for key in plain["metrics"])
    assert plain["metrics"].items() <= beyond["metrics"].items()
    assert plain["cases"] == beyond["cases"]


def test_a_lesion_without_a_file_is_a_diagonal_away(run: Run, challenge: Challenge) -> None:
    for name in ("A1", "A2", "A3"):
        challenge.write(f"disc/{name}.png", picture("#...", "....", "...."))
    challenge.write("lesions/drusen/A1.png", picture("##..", "....", "...."))
    challenge.write("lesions/drusen/A2.png", picture("##..", "....", "...."), "reference")

    answer = run("score", "adam", *challenge.sides, "--beyond", "--bootstrap", 20)

    assert about("drusen", answer)["hausdorff-boundary"] == pytest.approx((0 + 5) / 2)
    assert about("drusen", answer)["surface-dice-of-pixels"] == pytest.approx(1 / 2)
    assert about("disc", answer)["hd95-pooled"] == 0
    assert "hd95-pooled:drusen" in answer["ci"]
    expected = "Boundaries of drusen: 1 of 3 cases have it on one side only and count with the image diagonal (surface "
    assert any(note.startswith(expected) and "1 have it on neither" in note for note in answer["notes"])


def test_glands_are_measured_as_one_foreground(run: Run, challenge: Challenge) -> None:
    challenge.write("a_anno.png", picture("#.....", kind="PNG"))  # 0 is background: five pixels of glands on both sides
    challenge.write("a_anno.png", picture("#....#", kind="PNG"), "submission")

    answer = run("score", "glas", *challenge.sides, "--beyond")

    assert about("glands", answer)["hausdorff-boundary"] == 1
    assert about("glands", answer)["assd-pooled"] == pytest.approx(1 / 9)


def test_likelihoods_are_calibrated_and_other_scores_are_not(run: Run, challenge: Challenge) -> None:
    """y = 0 0 1 1 1 and p = .1 .4 .35 .8 .9: Brier .1285, calibration error over ten bins .29."""
    labels = "".join(f"{place},{label}\n" for place, label in enumerate((0, 0, 1, 1, 1)))
    risks = "".join(f"{place},{risk}\n" for place, risk in enumerate((0.1, 0.4, 0.35, 0.8, 0.9)))
    challenge.write("classification.csv", "FileName,Glaucoma Risk\n" + labels, "reference")
    challenge.write("classification.csv", "FileName,Glaucoma Risk\n" + risks, "submission")

    answer = run("score", "refuge", *challenge.sides, "--beyond")
    challenge.write("classification.csv", "FileName,Glaucoma Risk\n" + risks.replace("0.9", "9"), "submission")
    odd = run("score", "refuge", *challenge.sides, "--beyond")

    assert about("glaucoma", answer) == pytest.approx({"brier": 0.1285, "calibration-error-10-bins": 0.29})
    assert about("glaucoma", odd) == {}
    assert any(note.startswith("brier:glaucoma is not given: score is no likelihood") for note in odd["notes"])


def test_ungradable_images_are_left_out_where_the_protocol_leaves_them_out(run: Run, challenge: Challenge) -> None:
    challenge.write("reference.csv", "challenge_id,class\na,RG\nb,NRG\nc,U\n", "reference")
    head = "challenge_id,rg_likelihood,rg_binary,ungradability_score,ungradability_binary\n"
    challenge.write("submission.csv", head + "a,1,1,0,0\nb,0.5,0,0,0\nc,1,1,1,1\n", "submission")

    answer = run("score", "airogs", *challenge.sides, "--beyond")

    assert answer["metrics"]["brier:referable_glaucoma"] == pytest.approx((0 + 0.25) / 2)
    assert answer["metrics"]["accuracy:referable_glaucoma=U"] == 1


def test_the_summary_shows_which_is_not_in_the_paper(refuge: Challenge, capsys: pytest.CaptureFixture[str]) -> None:
    from django.core.management import call_command

    call_command("score", "refuge", *map(str, refuge.sides), "--beyond")

    assert "| hd95-pooled:disc | 3.7500 | lower | Not in the paper |" in capsys.readouterr().out


def test_every_metric_without_a_rule_of_a_paper_can_be_asked() -> None:
    assert {"jaccard-mean", "brier", "accuracy", *ROW_AND_DOT} <= {metric.id for metric in BEYOND}
    assert all(METRICS[metric.id] is metric for metric in BEYOND)
