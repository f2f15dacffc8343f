"""STAPLE against ITK's, and against an estimate over pixels written from the formulas of Warfield et al. 2004."""

import json
import math
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import decode, encode
from consensus.fusion.areas import AREA_RULES
from consensus.fusion.masks import majority, tied
from consensus.fusion.regions import Box, marked_box
from consensus.fusion.staple import NothingToEstimate, staple
from consensus.fusion.votes import count_votes
from protocols.names import ConsensusRule
from protocols.targets import Consensus
from tests.fixtures.itk_staple import HEIGHT, HERE, WIDTH

Stack = NDArray[np.bool_]
BY_ITK: list[dict[str, Any]] = json.loads(HERE.read_text())["cases"]
WITHIN: list[dict[str, Any]] = json.loads(HERE.read_text())["within"]


def discs(seed: int, graders: int, size: int = 60) -> Stack:
    """Tilted discs that differ by a few pixels, as graders draw them."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _grader in range(graders):
        cx, cy = 30 + rng.normal(0, 2, 2)
        a, b = 15 + rng.normal(0, 2, 2)
        drawn.append(rasterise_ellipse(Ellipse(cx, cy, a, b, rng.uniform(0, 180)), size, size))
    return np.stack(drawn)


def pixel_staple(stack: Stack) -> tuple[Stack, NDArray[np.float64], NDArray[np.float64]]:
    votes = stack.reshape(len(stack), -1).astype(np.float64)
    weight = votes.mean(axis=0)
    prior = weight.mean()
    sensitivity = specificity = np.zeros(len(stack))
    while True:
        before = np.concatenate((sensitivity, specificity))
        sensitivity = votes @ weight / weight.sum()
        specificity = (1 - votes) @ (1 - weight) / (1 - weight).sum()
        p, q = sensitivity[:, None], specificity[:, None]
        true = prior * (p**votes * (1 - p) ** (1 - votes)).prod(axis=0)
        false = (1 - prior) * ((1 - q) ** votes * q ** (1 - votes)).prod(axis=0)
        weight = true / (true + false)
        if (np.abs(np.concatenate((sensitivity, specificity)) - before) <= 1e-7).all():
            return (weight > 0.5).reshape(stack.shape[1:]), sensitivity, specificity


@pytest.mark.parametrize(
    "known", BY_ITK, ids=[f"{len(case['readings'])} graders, {n}" for n, case in enumerate(BY_ITK)]
)
def test_it_equals_itk(known: dict[str, Any]) -> None:
    votes = count_votes([np.array(toggles, dtype=np.int32) for toggles in known["readings"]], WIDTH, HEIGHT)

    estimate = staple(votes)

    assert estimate.reference.tolist() == known["reference"]
    assert estimate.sensitivity == pytest.approx(known["sensitivity"], abs=1e-9)
    assert estimate.specificity == pytest.approx(known["specificity"], abs=1e-9)
    assert estimate.posterior @ votes.lengths == pytest.approx(known["posterior_sum"], abs=1e-6)


@pytest.mark.parametrize(
    "known", BY_ITK, ids=[f"{len(case['readings'])} graders, {n}" for n, case in enumerate(BY_ITK)]
)
def test_a_majority_and_its_ties_equal_itk_s_vote(known: dict[str, Any]) -> None:
    votes = count_votes([np.array(toggles, dtype=np.int32) for toggles in known["readings"]], WIDTH, HEIGHT)

    assert majority(votes).tolist() == known["majority"]
    assert tied(votes).tolist() == known["tied"]


@pytest.mark.parametrize("seed", range(8))
def test_it_equals_the_estimate_over_pixels(seed: int) -> None:
    stack = discs(seed, graders=3 + seed % 5)
    mask, sensitivity, specificity = pixel_staple(stack)

    estimate = staple(count_votes([encode(one) for one in stack], 60, 60))

    assert (decode(estimate.reference, 60, 60) == mask).all()
    assert estimate.sensitivity == pytest.approx(sensitivity, abs=1e-6)
    assert estimate.specificity == pytest.approx(specificity, abs=1e-6)


def test_the_grader_who_marks_something_else_gets_the_lowest_sensitivity() -> None:
    stack = discs(1, graders=7)
    stack[4] = rasterise_ellipse(Ellipse(12, 12, 8, 8, 0), 60, 60)

    estimate = staple(count_votes([encode(one) for one in stack], 60, 60))

    assert int(estimate.sensitivity.argmin()) == 4


@pytest.mark.parametrize("value", [False, True])
def test_readings_that_are_all_empty_or_all_full_are_refused(value: bool) -> None:
    votes = count_votes([encode(np.full((4, 5), value))] * 3, 5, 4)

    with pytest.raises(ValueError, match="all empty or all full"):
        staple(votes)


@pytest.mark.parametrize("known", WITHIN, ids=[f"margin of {case['margin_px']} px" for case in WITHIN])
def test_within_a_region_it_equals_itk_s_estimate_of_the_cut_out_part(known: dict[str, Any]) -> None:
    votes = count_votes([np.array(toggles, dtype=np.int32) for toggles in known["readings"]], WIDTH, HEIGHT)

    estimate = staple(votes, Box(*known["box"]))

    assert estimate.reference.tolist() == known["reference"]
    assert estimate.sensitivity == pytest.approx(known["sensitivity"], abs=1e-9)
    assert estimate.specificity == pytest.approx(known["specificity"], abs=1e-9)
    assert estimate.posterior @ estimate.votes.lengths == pytest.approx(known["posterior_sum"], abs=1e-6)


@pytest.mark.parametrize("known", WITHIN, ids=[f"margin of {case['margin_px']} px" for case in WITHIN])
def test_the_box_of_all_marks_is_found_from_runs_as_from_pixels(known: dict[str, Any]) -> None:
    votes = count_votes([np.array(toggles, dtype=np.int32) for toggles in known["readings"]], WIDTH, HEIGHT)
    bare = marked_box(votes, 0)

    longer = max(bare.right - bare.left, bare.bottom - bare.top)
    assert astuple(marked_box(votes, known["margin_px"] / longer)) == tuple(known["box"])


def test_a_mark_that_runs_over_the_end_of_a_row_has_a_box_as_wide_as_the_picture() -> None:
    mask = np.zeros((4, 6), dtype=np.bool_)
    mask[1, 4:] = mask[2, :2] = True

    assert marked_box(count_votes([encode(mask)], 6, 4), 0) == Box(0, 1, 6, 3)
    assert marked_box(count_votes([encode(mask)], 6, 4), 0.25) == Box(0, 0, 6, 4)


def test_nothing_marked_has_the_whole_picture_for_its_box() -> None:
    assert marked_box(count_votes([np.zeros(0, dtype=np.int32)] * 2, 6, 4), 0.5) == Box(0, 0, 6, 4)


def test_less_background_gives_a_higher_prior_and_a_lower_specificity() -> None:
    votes = count_votes([encode(one) for one in discs(3, graders=5)], 60, 60)

    whole, box = staple(votes), staple(votes, marked_box(votes, 0.1))

    assert box.prior > whole.prior
    assert (box.specificity < whole.specificity).all()
    assert box.prior == pytest.approx(whole.prior * 60 * 60 / box.region.px)


@pytest.mark.parametrize("box", [Box(0, 0, 61, 60), Box(5, 5, 5, 9), Box(-1, 0, 4, 4)])
def test_a_region_that_is_no_part_of_the_picture_is_refused(box: Box) -> None:
    votes = count_votes([encode(one) for one in discs(3, graders=3)], 60, 60)

    with pytest.raises(ValueError, match="region"):
        staple(votes, box)


def test_a_region_in_which_everybody_marked_every_pixel_is_refused() -> None:
    mask = np.zeros((8, 9), dtype=np.bool_)
    mask[2:5, 3:7] = True
    votes = count_votes([encode(mask)] * 3, 9, 8)

    with pytest.raises(NothingToEstimate):
        staple(votes, marked_box(votes, 0))


@pytest.mark.parametrize("margin", [None, 0.2])
@pytest.mark.parametrize("value", [False, True])
def test_in_a_study_all_empty_is_agreed_empty_and_all_full_full(value: bool, margin: float | None) -> None:
    mask = encode(np.full((4, 5), value))
    rule = Consensus(rule=ConsensusRule.STAPLE, region_margin=margin)

    fused = AREA_RULES[ConsensusRule.STAPLE](count_votes([mask] * 3, 5, 4), rule)

    assert fused.mask.tolist() == mask.tolist()
    assert fused.numbers["prior"] == float(value)


def test_a_study_keeps_the_region_the_prior_and_the_area_of_a_majority() -> None:
    stack = discs(4, graders=5)
    votes = count_votes([encode(one) for one in stack], 60, 60)
    rule = Consensus(rule=ConsensusRule.STAPLE, region_margin=0.1)

    numbers = AREA_RULES[ConsensusRule.STAPLE](votes, rule).numbers

    rows, columns = np.nonzero(stack.any(axis=0))
    further = math.ceil(0.1 * max(np.ptp(rows) + 1, np.ptp(columns) + 1))
    assert numbers["region_left"] == columns.min() - further
    assert numbers["region_bottom"] == rows.max() + 1 + further
    inside = stack[:, rows.min() - further : rows.max() + 1 + further, columns.min() - further :][
        :, :, : int(numbers["region_right"] - numbers["region_left"])
    ]
    assert numbers["prior"] == pytest.approx(inside.mean())
    assert numbers["majority_px"] == (2 * stack.sum(axis=0) > 5).sum()
