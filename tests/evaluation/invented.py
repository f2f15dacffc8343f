"""Invented evidence of every kind, for laws that hold whatever the cases are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.metrics.evidence import Called, Evidence, Measures, Openings, Overlaps, Points, Scored

Random = np.random.Generator


@dataclass(frozen=True)
class Invented:
    """`make` some cases; `agreeing`: the candidate equal to the reference; `exchanged`: the sides exchanged."""

    make: Callable[[Random, int], Any]
    agreeing: Callable[[Any], Any]
    exchanged: Callable[[Any], Any] | None = None


def _overlaps(rng: Random, cases: int) -> Overlaps:
    reference, candidate = rng.integers(0, 4, (2, cases)) * rng.integers(1, 30, (2, cases))
    shared = rng.integers(0, np.minimum(reference, candidate) + 1)
    return Overlaps(*(column.astype(float) for column in (reference, candidate, shared)))


def _points(rng: Random, cases: int) -> Points:
    """Everywhere visible, so that the rules for invisible points have tests of their own."""
    return Points(*rng.uniform(1, 100, (2, cases, 2)))


def _scored(rng: Random, cases: int) -> Scored:
    return Scored(rng.random(cases) < 0.4, rng.integers(0, 8, cases) / 8)


INVENTED: Mapping[type[Evidence], Invented] = {
    Overlaps: Invented(
        _overlaps,
        lambda one: Overlaps(one.reference_px, one.reference_px, one.reference_px),
        lambda one: Overlaps(one.candidate_px, one.reference_px, one.shared_px),
    ),
    Measures: Invented(
        lambda rng, cases: Measures(*rng.random((2, cases))),
        lambda one: Measures(one.reference, one.reference),
        lambda one: Measures(one.candidate, one.reference),
    ),
    Points: Invented(
        _points,
        lambda one: Points(one.reference, one.reference),
        lambda one: Points(one.candidate, one.reference),
    ),
    Openings: Invented(
        lambda rng, cases: Openings(rng.random(cases), rng.random(cases), rng.random(cases) < 0.5),
        lambda one: Openings(one.reference, one.reference, one.closed),
    ),
    Scored: Invented(_scored, lambda one: Scored(one.positive, one.positive.astype(float))),
    Called: Invented(
        lambda rng, cases: Called(*(rng.random((2, cases)) < 0.4)),
        lambda one: Called(one.positive, one.positive),
        lambda one: Called(one.called, one.positive),
    ),
}
