import math
from collections import Counter

import numpy as np
import pytest

from annotator.geometry.ellipse import Ellipse, Mask, rasterise_ellipse
from annotator.imaging.synthetic.chamber import plan_asoct
from annotator.imaging.synthetic.fundus import draw_fundus
from annotator.imaging.synthetic.glands import draw_glands
from annotator.imaging.synthetic.graders import (
    TEAM_SIZES,
    GraderProfile,
    cast,
    read_disc_and_cup,
    read_label,
    read_mask,
    read_objects,
    read_point,
    read_spurs,
    reading_generator,
)

DISC, CUP = Ellipse(100, 90, 40, 34, 80), Ellipse(98, 92, 18, 15, 85)


def dice(reference: Mask, candidate: Mask) -> float:
    total = int(reference.sum() + candidate.sum())
    return 1.0 if total == 0 else 2 * int((reference & candidate).sum()) / total


def worst(errors: dict[GraderProfile, float]) -> GraderProfile:
    return max(errors, key=lambda grader: errors[grader])


@pytest.mark.parametrize(("protocol", "size"), [("refuge", 7), ("adam", 7), ("age", 4), ("glas", 3), ("airogs", 5)])
def test_a_team_has_its_protocols_size_and_exactly_one_bad_apple(protocol: str, size: int) -> None:
    for seed in range(5):
        team = cast(protocol, seed)
        assert len(team) == size == TEAM_SIZES[protocol]
        assert sum(grader.bad_apple for grader in team) == 1
        assert len({grader.name for grader in team}) == size


def test_the_same_seed_casts_the_same_team() -> None:
    assert cast("refuge", 3) == cast("refuge", 3)
    assert cast("refuge", 3) != cast("refuge", 4)


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(ValueError, match="protocol_key"):
        cast("unknown", 1)


def test_the_same_reading_can_be_drawn_again() -> None:
    grader = cast("refuge", 1)[0]
    first = read_disc_and_cup(grader, DISC, CUP, reading_generator(1, grader, "case 1"))
    again = read_disc_and_cup(grader, DISC, CUP, reading_generator(1, grader, "case 1"))
    other = read_disc_and_cup(grader, DISC, CUP, reading_generator(1, grader, "case 2"))
    assert first == again
    assert first != other


def test_nobody_draws_a_cup_that_leaves_the_disc() -> None:
    grader = next(grader for grader in cast("refuge", 1) if grader.bad_apple)
    for number in range(20):
        disc, cup = read_disc_and_cup(grader, DISC, CUP, reading_generator(1, grader, str(number)))
        outside = rasterise_ellipse(cup, 200, 180) & ~rasterise_ellipse(disc, 200, 180)
        assert not outside.any()


@pytest.mark.parametrize("seed", range(3))
def test_the_bad_apple_of_refuge_is_clearly_worst_on_disc_and_cup(seed: int) -> None:
    truth = [rasterise_ellipse(ellipse, 200, 180) for ellipse in (DISC, CUP)]
    errors = {}
    for grader in cast("refuge", seed):
        scores = []
        for number in range(12):
            drawn = read_disc_and_cup(grader, DISC, CUP, reading_generator(seed, grader, str(number)))
            scores += [dice(t, rasterise_ellipse(d, 200, 180)) for t, d in zip(truth, drawn, strict=True)]
        errors[grader] = 1 - float(np.mean(scores))
    others = [error for grader, error in errors.items() if not grader.bad_apple]
    assert worst(errors).bad_apple
    assert max(errors.values()) > 1.5 * max(others)


def test_the_bad_apple_of_adam_is_worst_on_lesions() -> None:
    truth = draw_fundus(3, 420, 420, amd_stage="intermediate", centre="macula").truth
    errors = {}
    for grader in cast("adam", 2):
        scores = []
        for number in range(4):
            rng = reading_generator(2, grader, str(number))
            reading = read_mask(grader, truth.lesions["drusen"], truth.field, rng)
            scores.append(dice(truth.lesions["drusen"], reading))
            assert not (reading & ~truth.field).any()
        errors[grader] = 1 - float(np.mean(scores))
    assert worst(errors).bad_apple
    assert min(errors.values()) < 0.35


def test_a_large_lesion_is_not_missed() -> None:
    field = np.ones((200, 200), dtype=np.bool_)
    scar = rasterise_ellipse(Ellipse(100, 100, 40, 30, 20), 200, 200)
    for grader in cast("adam", 5):
        reading = read_mask(grader, scar, field, reading_generator(5, grader, "scar"))
        assert dice(scar, reading) > 0.75


def test_a_reader_who_invents_nothing_leaves_an_empty_mask_empty() -> None:
    empty, field = np.zeros((100, 100), dtype=np.bool_), np.ones((100, 100), dtype=np.bool_)
    readings = [
        read_mask(grader, empty, field, reading_generator(seed, grader, "empty")).any()
        for seed in range(6)
        for grader in cast("adam", seed)
        if not grader.bad_apple
    ]
    assert np.mean(readings) < 0.25


def test_the_bad_apple_of_glas_is_worst_on_glands_and_loses_most_of_them() -> None:
    labels = draw_glands(3, malignant=True, width=500, height=340).truth.labels
    errors, counts = {}, {}
    for grader in cast("glas", 4):
        readings = [read_objects(grader, labels, reading_generator(4, grader, str(n))) for n in range(3)]
        errors[grader] = 1 - float(np.mean([dice(labels > 0, reading > 0) for reading in readings]))
        counts[grader] = float(np.mean([reading.max() for reading in readings]))
    assert worst(errors).bad_apple
    assert min(counts, key=lambda grader: counts[grader]).bad_apple


def test_a_label_map_reading_is_numbered_without_gaps() -> None:
    labels = draw_glands(3, malignant=True, width=390, height=260).truth.labels
    grader = cast("glas", 1)[0]
    reading = read_objects(grader, labels, reading_generator(1, grader, "case"))
    assert reading.dtype == np.int32
    assert sorted(np.unique(reading)) == list(range(reading.max() + 1))


def test_a_map_without_objects_is_read_as_empty() -> None:
    grader = cast("glas", 1)[0]
    reading = read_objects(grader, np.zeros((40, 50), dtype=np.int32), reading_generator(1, grader, "case"))
    assert not reading.any()


@pytest.mark.parametrize("seed", range(3))
def test_the_bad_apple_of_age_is_farthest_from_the_spur(seed: int) -> None:
    errors = {}
    for grader in cast("age", seed):
        distances = []
        for number in range(20):
            truth, _ = plan_asoct(number, False, number % 2 == 0, 7.5, 2130, 998)
            points = read_spurs(grader, truth, reading_generator(seed, grader, str(number)))
            for angle in (truth.left, truth.right):
                point = points[angle.side]
                if point is not None:
                    distances.append(math.dist(point, angle.spur))
        errors[grader] = float(np.mean(distances))
    others = [error for grader, error in errors.items() if not grader.bad_apple]
    assert max(errors.values()) > 2 * max(others)
    assert worst(errors).bad_apple
    assert max(others) < 25


def test_the_bad_apple_is_farthest_from_the_fovea() -> None:
    errors = {}
    for grader in cast("adam", 6):
        read = [read_point(grader, (500, 480), 1000, 1000, reading_generator(6, grader, str(n))) for n in range(40)]
        errors[grader] = float(np.mean([math.dist(point, (500, 480)) for point in read if point is not None]))
    assert worst(errors).bad_apple


def test_a_fovea_out_of_view_is_mostly_called_not_visible() -> None:
    grader = next(grader for grader in cast("refuge", 1) if not grader.bad_apple)
    read = [read_point(grader, None, 500, 500, reading_generator(1, grader, str(n))) for n in range(60)]
    assert read.count(None) > 50


def test_points_stay_inside_the_picture() -> None:
    grader = next(grader for grader in cast("refuge", 1) if grader.bad_apple)
    for number in range(40):
        point = read_point(grader, (0.5, 99.5), 100, 100, reading_generator(1, grader, str(number)))
        assert point is None or (0 < point[0] < 100 and 0 < point[1] < 100)


def test_the_bad_apple_of_airogs_has_the_lowest_agreement_with_the_truth() -> None:
    truths = ["RG"] * 60 + ["NRG"] * 120
    errors = {}
    for grader in cast("airogs", 1):
        wrong = [
            read_label(grader, label, frozenset({"large_cup"}), reading_generator(1, grader, str(number))).label
            != label
            for number, label in enumerate(truths)
        ]
        errors[grader] = float(np.mean(wrong))
    assert worst(errors).bad_apple


def test_observed_sensitivity_and_specificity_follow_the_profile() -> None:
    grader = next(grader for grader in cast("airogs", 1) if not grader.bad_apple)
    rng = np.random.default_rng(0)
    ill = Counter(read_label(grader, "RG", frozenset(), rng).label for _ in range(3000))
    well = Counter(read_label(grader, "NRG", frozenset(), rng).label for _ in range(3000))
    # Three standard errors of a share of 3,000 are below 0.02.
    assert ill["RG"] / (ill["RG"] + ill["NRG"]) == pytest.approx(grader.sensitivity, abs=0.02)
    assert well["NRG"] / (well["RG"] + well["NRG"]) == pytest.approx(grader.specificity, abs=0.02)


def test_signs_are_ticked_with_rg_only() -> None:
    rng = np.random.default_rng(1)
    for grader in cast("airogs", 2):
        for label in ("RG", "NRG", "U"):
            reading = read_label(grader, label, frozenset({"laminar_dots"}), rng)
            assert bool(reading.signs) == (reading.label == "RG")


def test_a_label_outside_the_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="truth_label"):
        read_label(cast("airogs", 1)[0], "maybe", frozenset(), np.random.default_rng(0))
