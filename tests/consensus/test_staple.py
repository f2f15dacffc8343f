"""STAPLE against ITK's, and against an estimate over pixels written from the formulas of Warfield et al. 2004."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import decode, encode
from consensus.fusion.staple import staple
from consensus.fusion.votes import count_votes
from tests.fixtures.itk_staple import HEIGHT, HERE, WIDTH

Stack = NDArray[np.bool_]
BY_ITK: list[dict[str, Any]] = json.loads(HERE.read_text())["cases"]


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
