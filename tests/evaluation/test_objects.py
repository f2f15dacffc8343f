"""Metrics of objects: goldens of the organisers' code, drawings solved by hand, and the formulas taken literally."""

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.objects import ObjectSums, object_sums
from evaluation.metrics.registry import METRICS
from protocols.glas import GLAS
from protocols.scoring_names import EditionKey
from tests.evaluation.glas_golden import GOLDEN, KEYS, MEAN, POOLED, REFERENCE
from tests.evaluation.invented import INVENTED
from tests.evaluation.label_pictures import Labels, hausdorff_of_objects, labels, matched_label, pairs_of_labels

PAPER, PUBLISHED = EditionKey.PAPER, EditionKey.PUBLISHED
RULES = {metric.key: metric for track in GLAS.scoring.tracks for metric in track.metrics}


def values(edition: EditionKey, *pairs: tuple[Labels, Labels]) -> dict[str, float]:
    """All metrics of the recipe over these images."""
    return resampled(edition, ObjectSums.joined([object_sums(*pair) for pair in pairs]), [1] * len(pairs))


def resampled(edition: EditionKey, sums: ObjectSums, counts: list[int]) -> dict[str, float]:
    found = {}
    for key, metric in RULES.items():
        rule = METRICS[metric.rule(edition)]
        (value,) = rule.value(rule.summarise(sums, np.array([counts], dtype=float)))
        found[key] = float(value)
    return found


@pytest.mark.parametrize("name", GOLDEN)
def test_an_image_has_the_values_of_the_organisers_code(name: str) -> None:
    golden = GOLDEN[name]

    found = values(PUBLISHED, (REFERENCE, golden.candidate))

    expected = (golden.f1, golden.object_dice, golden.object_hausdorff)
    assert [found[key] for key in KEYS[:3]] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", GOLDEN)
def test_true_and_false_objects_are_counted_as_the_organisers_count(name: str) -> None:
    sums = object_sums(REFERENCE, GOLDEN[name].candidate)

    tp = sums.more_covered
    counted = (tp, sums.candidate_objects - tp, sums.reference_objects - tp)
    assert tuple(int(column[0]) for column in counted) == GOLDEN[name].found


@pytest.mark.parametrize(("edition", "expected"), [(PAPER, POOLED), (PUBLISHED, MEAN)])
def test_four_images_together_have_the_stated_values(edition: EditionKey, expected: dict[str, float]) -> None:
    found = values(edition, *((REFERENCE, golden.candidate) for golden in GOLDEN.values()))

    assert found == pytest.approx(expected, abs=5e-8)


def test_exactly_half_is_found_by_the_paper_and_not_by_the_code() -> None:
    pair = labels("1111"), labels("11..")

    assert values(PAPER, pair)["f1"] == 1
    assert values(PUBLISHED, pair)["f1"] == 0


def test_two_halves_of_one_object_find_it_once() -> None:
    found = object_sums(labels("1111"), labels("1122"))

    assert found.half_covered.tolist() == [1]
    assert values(PAPER, (labels("1111"), labels("1122")))["f1"] == pytest.approx(2 / 3)


EMPTY, FULL = labels("....", "....", "...."), labels("11..", "....", "....")


def test_images_empty_on_both_sides_are_perfect() -> None:
    perfect = {"f1": 1.0, "object_dice": 1.0, "object_hausdorff": 0.0, "ari": 1.0}

    assert values(PAPER, (EMPTY, EMPTY)) == values(PUBLISHED, (EMPTY, EMPTY)) == perfect


@pytest.mark.parametrize("pair", [(EMPTY, FULL), (FULL, EMPTY)])
@pytest.mark.parametrize("edition", [PAPER, PUBLISHED])
def test_one_side_empty_is_the_worst(edition: EditionKey, pair: tuple[Labels, Labels]) -> None:
    found = values(edition, pair)

    assert (found["f1"], found["object_dice"], found["object_hausdorff"]) == (0, 0, 5)


def test_an_image_with_one_side_empty_adds_its_objects_to_the_pool() -> None:
    """By hand: areas 2 and 2 on the reference's side, of which one is missed by a diagonal of 5; candidate perfect."""
    found = values(PAPER, (FULL, FULL), (FULL, EMPTY))

    assert found["f1"] == pytest.approx(2 / 3)
    assert found["object_dice"] == pytest.approx((0.5 + 1) / 2)
    assert found["object_hausdorff"] == pytest.approx((2.5 + 0) / 2)


def test_a_resample_is_pooled_anew() -> None:
    pairs = [(REFERENCE, golden.candidate) for golden in GOLDEN.values()]
    sums = ObjectSums.joined([object_sums(*pair) for pair in pairs])

    for edition in EditionKey:
        drawn = values(edition, pairs[0], pairs[2], pairs[2], pairs[1])
        assert resampled(edition, sums, [1, 1, 2, 0]) == pytest.approx(drawn, rel=1e-12)


def test_the_background_is_an_object_of_its_image() -> None:
    """Four pixels, pairs by hand: c = 1, a = 2, b = 3, N = 6, hence (1 − 1) / (2.5 − 1) = 0."""
    assert values(PAPER, (labels("11.."), labels("1..."))) == pytest.approx(
        {"f1": 1.0, "object_dice": 2 / 3, "object_hausdorff": 1.0, "ari": 0.0}
    )


def literally(pairs: list[tuple[Labels, Labels]]) -> tuple[float, float, float]:
    """The paper's equations over all objects of all images, one mask after another: F1, object Dice and Hausdorff."""
    found = objects = 0
    sides: list[list[tuple[int, float, float]]] = [[], []]  # of each object its area, Dice and H
    for pair in pairs:
        covered = set()
        for side, (image, others) in zip(sides, (pair, pair[::-1]), strict=True):
            masks = [image == label for label in np.unique(image[image > 0])]
            objects += len(masks)
            for own, distance in zip(masks, hausdorff_of_objects(image, others), strict=True):
                match = matched_label(own, others)
                partner = others == match if match else np.zeros_like(own)
                shared, area = int((own & partner).sum()), int(own.sum())
                side.append((area, 2 * shared / (area + int(partner.sum())), distance))
                if side is sides[1] and match and Fraction(shared, int(partner.sum())) >= Fraction(1, 2):
                    covered.add(match)
        found += len(covered)
    if not objects:
        return 1.0, 1.0, 0.0
    dice, hausdorff = (
        [sum(one[0] * one[column] for one in side) / sum(one[0] for one in side) for side in sides if side]
        for column in (1, 2)
    )
    return 2 * found / objects, sum(dice) / 2, sum(hausdorff) / len(hausdorff)


@given(st.lists(pairs_of_labels(largest=9), min_size=1, max_size=4))
@settings(deadline=None)
def test_every_value_is_that_of_the_equations(pairs: list[tuple[Labels, Labels]]) -> None:
    found = values(PAPER, *pairs)

    assert (found["f1"], found["object_dice"], found["object_hausdorff"]) == pytest.approx(literally(pairs), abs=1e-12)
    assert -1 <= found["ari"] <= 1


@given(pairs_of_labels())
@settings(deadline=None)
def test_exchanged_images_have_exchanged_sums(pair: tuple[Labels, Labels]) -> None:
    """Covering half of the other is the one thing that is not the same from both sides."""
    exchanged = INVENTED[ObjectSums].exchanged
    assert exchanged is not None

    there, back = exchanged(object_sums(*pair)), object_sums(*pair[::-1])

    for field in fields(ObjectSums):
        if not field.name.endswith("covered"):
            assert getattr(there, field.name) == pytest.approx(getattr(back, field.name))


@given(pairs_of_labels())
@settings(deadline=None)
def test_an_image_against_itself_is_perfect(pair: tuple[Labels, Labels]) -> None:
    same = (pair[0], pair[0])

    assert list(values(PAPER, same).values()) == list(values(PUBLISHED, same).values()) == [1, 1, 0, 1]
