"""Invented evidence of every kind, for laws that hold whatever the cases are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.metrics.evidence import Called, Evidence, Measures, Openings, Overlaps, Points, Scored
from evaluation.metrics.objects import ObjectSums, object_sums
from evaluation.metrics.of_surfaces import Surfaces
from evaluation.metrics.surface import SurfaceDistances, surface_distances

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


def _object_sums(rng: Random, cases: int) -> ObjectSums:
    pairs = rng.integers(0, 4, (cases, 2, 5, 6)) * (rng.random((cases, 2, 1, 1)) < 0.8)
    return ObjectSums.joined([object_sums(*pair) for pair in pairs])


def _same_objects(one: ObjectSums) -> ObjectSums:
    objects, area, alone = one.reference_objects, one.reference_area, one.pairs_in_reference
    nothing = np.zeros(len(one))
    return ObjectSums(
        *(objects, objects, objects, objects, area, area, area, area),
        *(nothing, nothing, alone, alone, alone, one.pairs),
    )


def _exchanged_objects(one: ObjectSums) -> ObjectSums:
    return ObjectSums(
        *(one.candidate_objects, one.reference_objects, one.half_covered, one.more_covered),
        *(one.candidate_area, one.reference_area, one.candidate_dice, one.reference_dice),
        *(one.candidate_hausdorff, one.reference_hausdorff),
        *(one.pairs_in_both, one.pairs_in_candidate, one.pairs_in_reference, one.pairs),
    )


def _surfaces(rng: Random, cases: int) -> Surfaces:
    masks = rng.random((cases, 2, 6, 7)) < rng.choice([0, 0.1, 0.6], (cases, 2, 1, 1))
    return Surfaces.of([surface_distances(*pair) for pair in masks])


def _same_surfaces(one: Surfaces) -> Surfaces:
    sides = [np.zeros_like(found.from_reference) for found in one.distances]
    return Surfaces.of([SurfaceDistances(side, side, 1.0) for side in sides])


def _exchanged_surfaces(one: Surfaces) -> Surfaces:
    found = [SurfaceDistances(each.from_candidate, each.from_reference, each.diagonal_px) for each in one.distances]
    return Surfaces.of(found)


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
    ObjectSums: Invented(_object_sums, _same_objects, _exchanged_objects),
    Surfaces: Invented(_surfaces, _same_surfaces, _exchanged_surfaces),
}
