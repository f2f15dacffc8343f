"""Metrics on cases that can be counted by hand, or whose values others have published or computed."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.geometry.compare import overlap
from annotator.geometry.runs import encode
from evaluation.metrics import aod_error, threshold
from evaluation.metrics.evidence import Called, Evidence, Openings, Overlaps, Points, Scored
from evaluation.metrics.registry import METRICS
from tests.geometry.pictures import mask

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
NAN = math.nan


def value(name: str, evidence: Evidence, **parameters: float) -> float:
    metric = METRICS[name]
    (number,) = metric.value(metric.summarise(evidence, np.ones((1, len(evidence)))), **parameters)
    return float(number)


def scored(positive: Any, scores: Any) -> Scored:
    return Scored(np.array(positive, dtype=bool), np.array(scores, dtype=float))


def called(positive: Any, yes: Any) -> Called:
    return Called(np.array(positive, dtype=bool), np.array(yes, dtype=bool))


def overlaps(*rows: tuple[int, int, int]) -> Overlaps:
    return Overlaps(*np.array(rows, dtype=float).T)


def points(reference: Any, candidate: Any) -> Points:
    return Points(np.array(reference, dtype=float), np.array(candidate, dtype=float))


def test_two_masks_are_compared_on_their_runs() -> None:
    drawn, found = mask("##..", ".#.."), mask(".##.", ".#.#")

    pixels = overlap(encode(drawn), encode(found), 4, 2)

    assert (pixels.reference_px, pixels.candidate_px, pixels.shared_px) == (3, 4, 2)
    assert pixels.dice == pytest.approx(4 / 7)
    assert pixels.jaccard == pytest.approx(2 / 5)


def test_two_empty_masks_have_no_overlap_to_speak_of() -> None:
    nothing = encode(mask("..", ".."))

    assert math.isnan(overlap(nothing, nothing, 2, 2).dice)
    assert overlap(nothing, encode(mask("..", ".#")), 2, 2).dice == 0


def test_dice_is_one_for_two_empty_masks_and_zero_for_one() -> None:
    assert value("dice-mean", overlaps((0, 0, 0), (3, 0, 0), (0, 2, 0), (3, 4, 2))) == pytest.approx((1 + 4 / 7) / 4)
    assert value("jaccard-mean", overlaps((0, 0, 0), (3, 4, 2))) == pytest.approx((1 + 2 / 5) / 2)


def test_dice_can_leave_out_images_whose_reference_lacks_the_structure() -> None:
    rows = overlaps((3, 4, 2), (5, 0, 0), (0, 2, 0), (0, 0, 0))

    assert value("dice-mean-where-reference-has-it", rows) == pytest.approx((4 / 7) / 2)
    assert math.isnan(value("dice-mean-where-reference-has-it", overlaps((0, 2, 0))))


def test_detection_counts_images_by_any_pixel() -> None:
    rows = overlaps((3, 4, 0), (5, 0, 0), (0, 2, 0), (0, 0, 0), (9, 1, 1))

    assert value("detection-f1", rows) == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert math.isnan(value("detection-f1", overlaps((0, 0, 0))))


def test_invisible_points_are_at_zero_left_out_or_counted_by_the_rule() -> None:
    fovea = GOLDEN["adam"]["fovea"]
    seen = [[[NAN, NAN] if point == [0, 0] else point for point in fovea[side]] for side in ("gt", "pred")]

    assert value("distance-mean-invisible-at-zero", points(*seen)) == pytest.approx(fovea["mean_ed_all_images_raw"])
    assert value("distance-mean-visible-in-both", points(*seen)) == pytest.approx(fovea["mean_distance_fovea_visible"])
    assert value("visibility-accuracy", points(*seen)) == pytest.approx(fovea["fovea_visibility_accuracy"])


def test_distances_are_euclidean() -> None:
    assert value("distance-mean", points([[0, 0], [1, 1]], [[3, 4], [1, 2]])) == pytest.approx(3)
    with pytest.raises(ValueError, match="not visible"):
        value("distance-mean", points([[NAN, NAN]], [[1, 1]]))


def test_a_point_that_cannot_be_determined_leaves_the_mean_only_by_the_reference() -> None:
    rule = "distance-mean-determinable-in-reference"

    assert value(rule, points([[0, 0], [NAN, NAN]], [[3, 4], [7, 7]])) == pytest.approx(5)
    with pytest.raises(ValueError, match="no point where the reference has one"):
        value(rule, points([[0, 0]], [[NAN, NAN]]))


@pytest.mark.parametrize("angle", GOLDEN["age"]["delta_aod"])
def test_the_error_that_hides_a_disease_weighs_more(angle: dict[str, float]) -> None:
    one = Openings(np.array([angle["zstar"]]), np.array([angle["z"]]), np.array([angle["closure"] == 1]))

    assert value("aod-penalty", one, milder=0.2, harder=0.8) == pytest.approx(angle["delta"])
    assert aod_error.penalties(one, milder=0.2, harder=0.8) == pytest.approx(angle["delta"])


def test_opening_distances_that_the_reference_lacks_are_left_out() -> None:
    angles = Openings(np.array([0.4, NAN]), np.array([0.5, 9.0]), np.array([False, True]))

    assert value("aod-penalty", angles, milder=0.2, harder=0.8) == pytest.approx(0.02)


@pytest.mark.parametrize("name", ["k1_random28", "k2_all_equal"])
def test_the_roc_of_refuge(name: str) -> None:
    given = GOLDEN["refuge"]["classification"][name]
    cases = scored(given["labels"], given["scores"])
    polyline = {"k1_random28": 0.875, "k2_all_equal": 0.15}[name]

    assert value("auc", cases) == pytest.approx(given["auc"])
    assert value("sensitivity-at-specificity-polyline", cases, specificity=0.85) == pytest.approx(polyline)


def test_the_step_takes_the_best_threshold_that_is_specific_enough_and_never_joins_points() -> None:
    twenty = scored([0] * 20 + [1] * 4, [9, 8, 7, *range(-17, 0), 10, 8.5, 6.5, 6.4])
    everybody_alike = scored([0, 0, 0, 1, 1], [0.5] * 5)

    # Three of twenty negatives are exactly the 15 % that may be wrong; the fourth would be too many.
    assert value("sensitivity-at-specificity-step", twenty, specificity=0.85) == 1
    assert value("sensitivity-at-specificity-step", twenty, specificity=0.9) == 0.5
    assert value("sensitivity-at-specificity-step", everybody_alike, specificity=0.85) == 0


@pytest.mark.parametrize("name", ["a1_random60", "a5_exact_95", "a6_19neg"])
def test_the_four_metrics_of_airogs(name: str) -> None:
    given = GOLDEN["airogs"][name]
    gradable = np.array([label != "U" for label in given["cls"]])
    cases = scored(np.array([label == "RG" for label in given["cls"]]), given["rg_likelihood"]).take(
        np.flatnonzero(gradable)
    )
    ungradable = scored(~gradable, given["u_score"])

    assert value("partial-auc-mcclish", cases, max_fpr=0.1) == pytest.approx(given["out"]["pauc90"], abs=1e-12)
    assert value("sensitivity-at-specificity-step", cases, specificity=0.95) == pytest.approx(given["out"]["sens95"])
    assert value("cohen-kappa", called(~gradable, given["u_bin"])) == pytest.approx(given["out"]["kappa"], abs=1e-12)
    assert value("auc", ungradable) == pytest.approx(given["out"]["auc_u"], abs=1e-12)


def test_a_threshold_is_passed_not_touched() -> None:
    given = GOLDEN["age"]["classification"]
    cases = scored(given["y"], given["score"])

    assert value("auc", cases) == pytest.approx(given["auc"])
    assert value("sensitivity", threshold.called(cases, above=0)) == pytest.approx(given["sensitivity"])
    assert value("specificity", threshold.called(cases, above=0)) == pytest.approx(given["specificity"])
    assert value("accuracy", threshold.called(cases, above=0)) == pytest.approx((1 + 3) / 7)


@pytest.mark.parametrize("rule", ["auc", "partial-auc-mcclish", "sensitivity-at-specificity-step"])
@pytest.mark.parametrize("label", [0, 1])
def test_a_curve_without_both_classes_is_undefined(rule: str, label: int) -> None:
    assert math.isnan(value(rule, scored([label, label], [0.2, 0.4]), **METRICS[rule].parameters))


def test_kappa_is_zero_for_calls_where_nothing_is_and_undefined_where_both_are_silent() -> None:
    assert value("cohen-kappa", called([0, 0, 0], [1, 0, 0])) == 0
    assert math.isnan(value("cohen-kappa", called([0, 0], [0, 0])))
    assert math.isnan(value("cohen-kappa", called([1, 1], [1, 1])))
    assert math.isnan(value("sensitivity", called([0], [1])))
    assert math.isnan(value("specificity", called([1], [1])))


def test_calibration() -> None:
    """By hand: each likelihood in a bin of its own. Brier (0.01 + 0.16 + 0.4225 + 0.04 + 0.01) / 5."""
    cases = scored([0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])

    assert value("brier", cases) == pytest.approx(0.1285)
    assert value("calibration-error-10-bins", cases) == pytest.approx((0.1 + 0.4 + 0.65 + 0.2 + 0.1) / 5)
    with pytest.raises(ValueError, match="no likelihood"):
        value("brier", scored([1], [1.2]))
