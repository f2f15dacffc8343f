"""Graders as entries: the metrics of models, asked of answers given on a page. Pictures of a few pixels, by hand."""

import math

import numpy as np
import pytest

from consensus.fusion.replies import UNDECIDED, Fused, Reply
from evaluation.scoring.beside import Beside, reply_to
from evaluation.scoring.readers import ReaderRows, Together, together
from evaluation.scoring.scorecard import score
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey

PAPER = EditionKey.PAPER
WIDTH, HEIGHT = 4, 2


def row(*pixels: int) -> Reply:
    """An area of these pixels of the first row."""
    marked = np.isin(np.arange(WIDTH * HEIGHT), pixels)
    return Reply(masks=(np.flatnonzero(np.diff(marked, prepend=False)).astype(np.int32),))


def refuge(
    name: str, disc: tuple[Reply, Reply], *, subject: int = 1, point: tuple[float, float] = (3.0, 4.0)
) -> Beside:
    """Cups are alike; the candidate's fovea lies at `point`, the reference's at the origin."""
    reference = {"disc": disc[0], "cup": row(1), "fovea": Reply(point=(0.0, 0.0))}
    candidate = {"disc": disc[1], "cup": row(1), "fovea": Reply(point=point)}
    return Beside(name, subject, WIDTH, HEIGHT, reference, candidate)


def reader(protocol: str, *photographs: Beside) -> ReaderRows:
    rows = ReaderRows(PUBLISHED[protocol], PAPER)
    for photograph in photographs:
        rows.add(photograph)
    return rows


def metrics(rows: ReaderRows) -> dict[str, float]:
    return dict(score(rows.recipe, PAPER, rows.findings()).metrics)


def test_a_graders_ellipses_and_points_are_scored_like_a_models() -> None:
    rows = reader("refuge", refuge("1", (row(0, 1), row(1, 2))), refuge("2", (row(0, 1), row(0, 1))))
    assert metrics(rows) == pytest.approx(
        {"dice_disc": 0.75, "dice_cup": 1.0, "mae_vcdr": 0.0, "mean_distance_fovea": 5.0}
    )


def test_what_needs_a_likelihood_is_not_asked_of_graders() -> None:
    assert "auc" not in metrics(reader("refuge", refuge("1", (row(0), row(0)))))


def test_a_case_that_the_other_side_leaves_open_is_left_out_and_counted() -> None:
    open_case = refuge("2", (row(0), row(0)))
    without_disc = {key: reply for key, reply in open_case.reference.items() if key != "disc"}
    rows = reader(
        "refuge", refuge("1", (row(0, 1), row(1, 2))), Beside("2", 2, 4, 2, without_disc, open_case.candidate)
    )
    assert metrics(rows)["dice_disc"] == 0.5
    assert rows.tracks["segmentation"].left_out == 1
    assert rows.tracks["fovea"].cases == ["1", "2"]


def test_a_case_that_the_grader_has_not_answered_is_no_case_of_the_grader() -> None:
    rows = reader("refuge", Beside("1", 1, 4, 2, refuge("1", (row(0), row(0))).reference, {}))
    assert rows.findings().tracks == []
    assert rows.tracks["segmentation"].left_out == 0


def label(name: str, reference: str, given: str) -> Beside:
    of = "referable_glaucoma"
    return Beside(name, int(name), 1, 1, {of: Reply(label=reference)}, {of: Reply(label=given)})


def test_ungradable_photographs_of_the_reference_leave_sensitivity_and_specificity() -> None:
    """Of 2 RG one is called RG, the other U, which counts against sensitivity; of 3 NRG one is called RG."""
    given = [("RG", "RG"), ("RG", "U"), ("NRG", "NRG"), ("NRG", "RG"), ("NRG", "NRG"), ("U", "RG")]
    rows = reader("airogs", *(label(str(number), *pair) for number, pair in enumerate(given)))
    found = metrics(rows)
    assert (found["sensitivity"], found["specificity"]) == pytest.approx((1 / 2, 2 / 3))
    point = rows.operating_points()["screening"]
    assert (point.sensitivity, point.specificity, point.positives, point.negatives) == pytest.approx((0.5, 2 / 3, 2, 3))
    # Wilson's interval of 1 in 2, from its formula with z = 1.959964: centre 0.5, half width 0.405469.
    assert point.sensitivity_interval.low == pytest.approx(0.0945312, abs=1e-6)
    assert point.sensitivity_interval.high == pytest.approx(0.9054688, abs=1e-6)


def test_the_kappa_of_ungradable_is_over_all_photographs() -> None:
    """20 both, 5 the reference alone, 10 the grader alone, 15 neither: Cohen's own example, kappa 0.4."""
    pairs = [("U", "U")] * 20 + [("U", "NRG")] * 5 + [("NRG", "U")] * 10 + [("NRG", "NRG")] * 15
    rows = reader("airogs", *(label(str(number), *pair) for number, pair in enumerate(pairs)))
    assert metrics(rows)["kappa_ungradable"] == pytest.approx(0.4)


def test_both_angles_of_a_scan_are_cases_of_their_own() -> None:
    spurs = {"spur_left": Reply(point=(0.0, 0.0)), "spur_right": Reply(point=(10.0, 0.0))}
    said = {"spur_left": Reply(point=(3.0, 4.0)), "spur_right": Reply(point=(10.0, 1.0))}
    rows = reader("age", Beside("7", 1, 20, 10, spurs, said))
    assert metrics(rows) == pytest.approx({"mean_distance_spur": 3.0})
    assert rows.tracks["localization"].cases == ["7:left", "7:right"]


def test_an_angle_that_a_grader_cannot_determine_is_left_out_and_counted() -> None:
    spurs = {"spur_left": Reply(point=(0.0, 0.0)), "spur_right": Reply(point=(10.0, 0.0))}
    said = {"spur_left": Reply(point=(3.0, 4.0)), "spur_right": Reply(answer="cannot-be-determined")}
    rows = reader("age", Beside("7", 1, 20, 10, spurs, said))
    assert metrics(rows) == pytest.approx({"mean_distance_spur": 5.0})
    assert rows.tracks["localization"].left_out == 1


def test_objects_are_matched_as_those_of_a_model() -> None:
    """Two glands of two pixels; the grader has drawn one of them and another where there is none."""
    reference = {"glands": Reply(masks=(row(0, 1).masks[0], row(4, 5).masks[0]))}
    candidate = {"glands": Reply(masks=(row(0, 1).masks[0], row(7).masks[0]))}
    found = metrics(reader("glas", Beside("1", 1, 4, 2, reference, candidate)))
    assert found["f1"] == pytest.approx(0.5)
    # Reference: weights ½ and ½, Dice 1 and 0; candidate: weights ⅔ and ⅓, Dice 1 and 0.
    assert found["object_dice"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def all_of(*readers: ReaderRows, resamples: int = 0) -> Together:
    return together(readers, resamples=resamples, seed=0)


def test_together_every_photograph_weighs_the_same_however_many_have_read_it() -> None:
    first = reader("refuge", refuge("1", (row(0, 1), row(1, 2))), refuge("2", (row(0), row(3)), subject=2))
    second = reader("refuge", refuge("1", (row(0, 1), row(0, 1))))
    assert all_of(first, second).metrics["dice_disc"] == pytest.approx((0.75 + 0.0) / 2)


def test_together_is_the_grader_where_there_is_one() -> None:
    rows = reader("refuge", refuge("1", (row(0, 1), row(1, 2))), refuge("2", (row(0), row(0)), subject=2))
    assert all_of(rows).metrics == pytest.approx(metrics(rows))
    assert all_of().metrics == {}


def test_intervals_draw_subjects_and_hold_the_value() -> None:
    photographs = [refuge(str(n), (row(0, 1), row(1, 2) if n % 2 else row(0, 1)), subject=n) for n in range(20)]
    found = all_of(reader("refuge", *photographs), resamples=200)
    interval = found.intervals["dice_disc"]
    assert 0.5 < interval.low < found.metrics["dice_disc"] == 0.75 < interval.high < 1.0


def test_a_vote_that_is_open_is_nothing_to_compare_with() -> None:
    assert reply_to(Fused(answer=UNDECIDED)) is None
    seen = reply_to(Fused(answer="not-visible"))
    assert seen is not None
    assert (seen.answer, seen.point) == ("not-visible", None)


def test_a_structure_that_one_side_does_not_see_has_no_place() -> None:
    visible = {"fovea": Reply(point=(1.0, 1.0))}
    rows = reader("adam", Beside("1", 1, 4, 2, visible, {"fovea": Reply(answer="not-visible")}))
    found = metrics(rows)
    assert found["fovea_visibility_accuracy"] == 0.0
    assert math.isnan(found["mean_distance_fovea_visible"])
