"""Reports of agreement over many images, against numbers worked by hand and SciPy's own."""

import math

import numpy as np
import pytest
from scipy import stats

from annotator.geometry.runs import encode
from consensus.agreement.area_report import AreaReport, Areas, area_report
from consensus.agreement.figures import Figure, high_outliers, low_outliers, mean_of_others, resampled
from consensus.agreement.label_report import Labels, label_report
from consensus.agreement.measure_report import measure_report
from consensus.agreement.overlap import shared_pixels
from consensus.agreement.point_report import Points, point_report
from consensus.fusion.votes import count_votes

NAN = math.nan


def by_key(figures: list[Figure]) -> dict[str, Figure]:
    return {figure.key: figure for figure in figures}


def areas_of(images: list[list[set[int]]]) -> AreaReport:
    """Masks given as sets of pixels in a row of ten."""
    shared = []
    for masks in images:
        toggles = [encode(np.isin(np.arange(10), list(mask))[np.newaxis]) for mask in masks]
        shared.append(shared_pixels(count_votes(toggles, 10, 1)))
    return area_report(Areas(np.array(shared), subjects=range(len(images))))


def test_three_masks_that_shift_by_a_pixel_agree_as_worked_by_hand() -> None:
    # {1–4}, {2–5}, {3–6}: intersections 3 + 2 + 3 = 8, unions 5 + 6 + 5 = 16
    report = areas_of([[{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}]])

    figures = by_key(report.figures)
    assert figures["gci"].value == figures["gci-pooled"].value == pytest.approx(0.5)
    assert figures["pairwise-dice"].value == pytest.approx((6 / 8 + 4 / 8 + 6 / 8) / 3)
    assert report.jaccard[0, 2] == pytest.approx(2 / 6)
    assert report.with_others == pytest.approx([0.625, 0.75, 0.625])


def test_the_correlation_of_areas_is_that_of_the_published_table() -> None:
    """Shrout and Fleiss, Psychological Bulletin 1979, Table 4, as if the judges' marks were pixels: .29 and .62."""
    judges = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    report = areas_of([[set(range(marks)) for marks in row] for row in judges])

    figures = by_key(report.figures)
    assert figures["area-icc A,1"].value == pytest.approx(0.29, abs=0.005)
    assert figures["area-icc A,k"].value == pytest.approx(0.62, abs=0.005)
    assert figures["area-icc C,1"].value == pytest.approx(0.71, abs=0.005)


def test_pooling_gives_large_structures_more_weight_than_the_mean_does() -> None:
    report = areas_of([[{1}, {2}], [set(range(8)), set(range(8))]])

    figures = by_key(report.figures)
    assert figures["gci"].value == pytest.approx((0 + 1) / 2)
    assert figures["gci-pooled"].value == pytest.approx(8 / 10)


def test_an_image_in_which_nobody_marked_anything_is_left_out_and_counted() -> None:
    report = areas_of([[{1, 2}, {1, 2}], [set(), set()]])

    assert (report.figures[0].value, report.figures[0].n, report.figures[0].left_out) == (1.0, 1, 1)
    assert report.dice[0, 1] == 1.0


def test_a_grader_who_did_not_read_an_image_takes_no_part_in_it() -> None:
    shared = np.array([[[4.0, 2.0, NAN], [2.0, 4.0, NAN], [NAN, NAN, NAN]], [[4.0, 4.0, 4.0]] * 3])

    report = area_report(Areas(shared, subjects=[1, 2]))

    assert report.read == [2, 2, 1]
    assert report.gci.tolist() == pytest.approx([2 / 6, 1.0])
    assert report.dice[0, 2] == 1.0


def test_who_alone_marks_something_stands_alone_and_the_others_agree() -> None:
    # Two who both marked nothing agree; of the second image nobody marked anything, so that it tells nothing.
    report = areas_of([[set(), set(), {1, 2}], [set(), set(), set()], [{1, 2}, {1, 2}, {1, 2}]])

    assert report.with_others == pytest.approx([(1 / 2 + 1) / 2, (1 / 2 + 1) / 2, (0 + 1) / 2])


def test_three_places_are_harder_than_one_invention() -> None:
    report = areas_of([[set(), set(), {1}], [{1}, {2}, {3}], [{1, 2}, {1, 2}, {1, 2, 3}]])

    # Nobody shares a pixel in the first two; in the first one of three pairs agrees that there is nothing.
    assert report.gci.tolist() == pytest.approx([0, 0, (2 + 2 + 2) / (2 + 3 + 3)])
    assert report.disagreement.tolist() == pytest.approx([2 / 3, 1, 1 / 4])


def test_who_marks_twice_as_much_as_the_others_is_said_to() -> None:
    report = areas_of([[{1, 2}, {1, 2}, {1, 2, 3, 4}]] * 3)

    assert report.more_than_others[2] == pytest.approx(1.0)
    assert report.more_than_others[0] == pytest.approx(2 / 3 - 1)


def test_points_that_differ_by_a_constant_are_consistent_but_do_not_agree() -> None:
    base = np.array([[10.0, 20.0], [40.0, 10.0], [70.0, 90.0], [30.0, 60.0]])
    places = np.stack([base, base + np.array([3.0, 4.0])], axis=1)

    report = point_report(Points(places, subjects=range(4)))

    figures = by_key(report.figures)
    assert figures["icc-euclidean C,1"].value == pytest.approx(1.0)
    assert figures["icc-euclidean A,1"].value < 1
    assert figures["distance-to-mean"].value == pytest.approx(2.5)
    assert report.bias == [pytest.approx((-3.0, -4.0)), pytest.approx((3.0, 4.0))]
    assert report.apart[0, 1] == pytest.approx(5.0)
    assert report.widest.tolist() == pytest.approx([2.5] * 4)


def test_a_point_that_somebody_did_not_see_leaves_the_image_out_of_the_correlation_only() -> None:
    places = np.array([[[0.0, 0.0], [1.0, 0.0]], [[5.0, 5.0], [5.0, 6.0]], [[9.0, 1.0], [NAN, NAN]], [[2.0, 2.0]] * 2])

    report = point_report(Points(places, subjects=range(4)))

    figures = by_key(report.figures)
    assert (figures["icc-euclidean A,1"].n, figures["icc-euclidean A,1"].left_out) == (3, 1)
    assert report.read == [4, 3]


def test_labels_are_counted_by_grader_and_by_pair() -> None:
    given = np.array([[0, 0, 1], [1, 1, 1], [0, 0, -1], [1, 0, 1]])

    report = label_report(Labels(given, labels=("RG", "NRG"), subjects=range(4)))

    assert report.used == [[2, 2], [3, 1], [0, 3]]
    # Of the first: half of the others, both, the only one, half of them.
    assert report.with_others == pytest.approx(
        [(1 / 2 + 1 + 1 + 1 / 2) / 4, (1 / 2 + 1 + 1 + 0) / 4, (0 + 1 + 1 / 2) / 3]
    )
    assert report.split.tolist() == pytest.approx([1 / 3, 0, 0, 1 / 3])
    # two graders, four cases: three alike; chance ½·¾ + ½·¼ = ½
    assert report.cohen["plain"][0, 1] == pytest.approx((0.75 - 0.5) / (1 - 0.5))
    assert "fleiss-kappa" not in by_key(report.figures)


def test_labels_on_a_scale_are_weighted_as_published() -> None:
    """Two dermatologists and four steps, 88 cases: SAS/STAT's example "Agreement study"; the weighted values also by
    statsmodels and scikit-learn."""
    table = np.array([[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]])
    given = np.array([(i, j) for i in range(4) for j in range(4) for _case in range(table[i, j])])

    report = label_report(Labels(given, labels=tuple("abcd"), subjects=range(len(given)), scale=range(4)))

    figures = by_key(report.figures)
    assert figures["cohen-kappa"].value == pytest.approx(0.344875, abs=5e-7)
    assert figures["cohen-kappa linear"].value == pytest.approx(0.508160, abs=5e-7)
    assert figures["cohen-kappa quadratic"].value == pytest.approx(0.660723, abs=5e-7)
    assert report.cohen["quadratic"][1, 0] == figures["cohen-kappa quadratic"].value
    linear = figures["cohen-kappa linear"]
    assert (linear.low, linear.high) == pytest.approx((0.3798, 0.6366), abs=0.03)  # SAS's, by the asymptotic formula


def test_labels_on_a_scale_may_be_missing_as_in_krippendorff_s_own_example() -> None:
    """Krippendorff's 4 observers × 12 units: ordinal .815, interval .849; AC2 .859 and .914 by irrCAC."""
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    told = np.array(observers).T
    given = np.where(np.isfinite(told), told - 1, -1).astype(np.int64)

    figures = by_key(label_report(Labels(given, labels=tuple("12345"), subjects=range(12), scale=range(5))).figures)

    assert figures["krippendorff-alpha"].value == pytest.approx(0.743421, abs=5e-7)
    assert figures["krippendorff-alpha ordinal"].value == pytest.approx(0.815388, abs=5e-7)
    assert figures["krippendorff-alpha interval"].value == pytest.approx(0.849107, abs=5e-7)
    assert figures["gwet-ac2 linear"].value == pytest.approx(0.858739, abs=5e-7)
    assert figures["gwet-ac2 quadratic"].value == pytest.approx(0.914001, abs=5e-7)
    ordinal = figures["krippendorff-alpha ordinal"]
    assert (ordinal.n, ordinal.left_out) == (11, 1)  # the last unit has one observer only


def test_a_label_beside_the_scale_is_no_step_of_it() -> None:
    # U, mild, severe, none: the scale is none < mild < severe
    given = np.array([[3, 3], [1, 1], [2, 1], [0, 2], [0, 0]])

    report = label_report(Labels(given, labels=("U", "mild", "severe", "none"), subjects=range(5), scale=(3, 1, 2)))

    figures = by_key(report.figures)
    assert (figures["cohen-kappa linear"].n, figures["cohen-kappa linear"].left_out) == (3, 2)
    # Observed steps apart 0, 0, 1. By chance: none, mild, severe against none, mild, mild: 0+1+1 + 1+0+0 + 2+1+1 of 9.
    assert figures["cohen-kappa linear"].value == pytest.approx(1 - (1 / 3) / (7 / 9))
    assert figures["percent-agreement"].n == 5


def test_the_mean_of_the_pairs_kappas_leaves_out_pairs_that_have_none() -> None:
    # The third has read one case with each of the others: chance alone agrees there, and there is no kappa.
    given = np.array([[0, 0, -1], [0, 1, -1], [1, 1, -1], [1, 1, 1]])

    report = label_report(Labels(given, labels=("a", "b"), subjects=range(4)))

    assert math.isnan(report.cohen["plain"][0, 2])
    # three of four alike; chance ½·¼ + ½·¾ = ½
    assert by_key(report.figures)["cohen-kappa"].value == pytest.approx((0.75 - 0.5) / (1 - 0.5))


def test_the_share_of_pairs_that_agree_is_that_of_the_hand() -> None:
    given = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])

    figures = by_key(label_report(Labels(given, labels=("a", "b"), subjects=range(4))).figures)

    assert figures["percent-agreement"].value == pytest.approx(3 / 4)
    assert figures["fleiss-kappa"].value == pytest.approx((0.75 - 34 / 64) / (1 - 34 / 64))


def test_a_measure_is_compared_with_the_mean_of_the_others() -> None:
    values = np.array([[0.4, 0.5, 0.6], [0.3, 0.3, 0.6], [0.7, 0.8, 0.9]])

    report = measure_report(values)

    assert report.differences[:, 2].tolist() == pytest.approx([0.15, 0.3, 0.15])
    against = report.against_others[2]
    assert against is not None
    assert against.bias == pytest.approx(0.2)
    assert report.spread.tolist() == pytest.approx([0.2, 0.3, 0.2])


def test_a_correlation_s_interval_holds_its_value() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0.5, 0.1, (30, 1)) + rng.normal(0, 0.03, (30, 4))

    figures = by_key(measure_report(values).figures)

    assert figures["icc A,1"].low < figures["icc A,1"].value < figures["icc A,1"].high
    assert figures["icc A,1"].n == 30


def test_resampling_draws_subjects_and_not_images() -> None:
    # Ten images of one subject are one draw: without another subject nothing can vary.
    values = np.arange(10.0)

    alone = resampled("mean", lambda rows: float(values[rows].mean()), [7] * 10)
    apart = resampled("mean", lambda rows: float(values[rows].mean()), range(10))

    assert (alone.low, alone.high) == (4.5, 4.5)
    normal = stats.norm.interval(0.95, loc=4.5, scale=values.std() / math.sqrt(10))
    assert (apart.low, apart.high) == pytest.approx(normal, abs=0.4)


def test_the_mean_of_the_others_leaves_out_one_s_own_value_and_what_is_missing() -> None:
    table = np.array([[1.0, 2.0, 6.0], [1.0, NAN, 5.0], [NAN, 3.0, NAN]])

    others = mean_of_others(table)

    assert others[0].tolist() == [4.0, 3.5, 1.5]
    assert others[1].tolist() == [5.0, 3.0, 1.0]
    assert math.isnan(others[2, 1])


def test_a_value_beyond_the_fence_is_an_outlier() -> None:
    table = np.array([[0.9, 0.91, 0.92, 0.2], [0.9, 0.89, 0.93, NAN]])

    assert low_outliers(table).tolist() == [[False, False, False, True], [False] * 4]
    assert high_outliers(-table).tolist() == low_outliers(table).tolist()
