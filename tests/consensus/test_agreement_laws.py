"""Laws that hold for every statistic of every kind of report, so that a new one cannot enter without them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.geometry.runs import encode
from consensus.agreement import figures
from consensus.agreement.area_report import Areas, area_report
from consensus.agreement.figures import Figure
from consensus.agreement.label_report import Labels, label_report
from consensus.agreement.measure_report import measure_report
from consensus.agreement.overlap import shared_by
from consensus.agreement.point_report import Points, point_report

CASES, GRADERS = 14, 4
Drawn = NDArray[np.float64]
Report = Callable[[Drawn], Sequence[Figure]]


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "RESAMPLES", 20)


def of_areas(pixels: Drawn) -> Sequence[Figure]:
    """Cases × graders × 12 pixels of a row."""
    shared = [shared_by([encode(mask[np.newaxis] > 0) for mask in case], 12, 1) for case in pixels]
    return area_report(Areas(np.array(shared), subjects=range(len(pixels)))).figures


def of_points(places: Drawn) -> Sequence[Figure]:
    return point_report(Points(places, subjects=range(len(places)))).figures


def of_labels(given: Drawn) -> Sequence[Figure]:
    labels = Labels(given.astype(np.int64), labels=tuple("abcd"), subjects=range(len(given)), scale=range(4))
    return label_report(labels).figures


def of_measures(values: Drawn) -> Sequence[Figure]:
    return measure_report(values).figures


def drawn(kind: str, graders: int = GRADERS) -> Drawn:
    """Graders who differ a little about cases that differ much."""
    rng = np.random.default_rng(5)
    if kind == "areas":
        return ((rng.random((CASES, 1, 12)) < 0.5) ^ (rng.random((CASES, graders, 12)) < 0.2)).astype(np.float64)
    if kind == "points":
        return rng.uniform(0, 90, (CASES, 1, 2)) + rng.normal(0, 2, (CASES, graders, 2))
    if kind == "labels":
        steps = rng.integers(0, 4, (CASES, 1)) + rng.integers(-1, 2, (CASES, graders))
        return np.asarray(np.clip(steps, 0, 3), dtype=np.float64)
    return rng.uniform(0.2, 0.9, (CASES, 1)) + rng.normal(0, 0.05, (CASES, graders))


REPORTS: dict[str, Report] = {"areas": of_areas, "points": of_points, "labels": of_labels, "measures": of_measures}


def values(found: Sequence[Figure]) -> dict[str, float]:
    return {figure.key: figure.value for figure in found}


@pytest.mark.parametrize("kind", REPORTS)
def test_the_order_of_the_graders_does_not_matter(kind: str) -> None:
    table = drawn(kind)

    turned = values(REPORTS[kind](table[:, [2, 0, 3, 1]]))

    assert turned == pytest.approx(values(REPORTS[kind](table)))


@pytest.mark.parametrize("kind", REPORTS)
def test_the_order_of_the_cases_does_not_matter(kind: str) -> None:
    table = drawn(kind)

    assert values(REPORTS[kind](table[::-1])) == pytest.approx(values(REPORTS[kind](table)))


@pytest.mark.parametrize("kind", REPORTS)
def test_copies_of_one_grader_agree_wholly(kind: str) -> None:
    table = np.repeat(drawn(kind)[:, :1], 3, axis=1)

    for key, value in values(REPORTS[kind](table)).items():
        assert value == pytest.approx(0.0 if key == "distance-to-mean" else 1.0), key


@pytest.mark.parametrize("kind", REPORTS)
def test_a_single_grader_agrees_with_nobody(kind: str) -> None:
    assert all(math.isnan(value) for value in values(REPORTS[kind](drawn(kind, graders=1))).values())


@pytest.mark.parametrize("kind", REPORTS)
def test_every_interval_is_in_order_and_every_figure_says_what_went_in(kind: str) -> None:
    for figure in REPORTS[kind](drawn(kind)):
        assert figure.n + figure.left_out == CASES
        assert math.isnan(figure.low) or figure.low <= figure.high
