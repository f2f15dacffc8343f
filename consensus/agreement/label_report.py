"""Agreement on labels: how often graders give many cases the same one, beyond chance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from consensus.agreement import kappa
from consensus.agreement.alpha import krippendorff_alpha
from consensus.agreement.figures import Figure, Table, resampled
from consensus.agreement.gwet import gwet_ac1, gwet_ac2
from consensus.agreement.label_pairs import NOBODY, LabelPairs, label_pairs

Statistic = Callable[[NDArray[np.int64]], float]
"""Of some rows, each as often as it is named."""


@dataclass(frozen=True, eq=False)
class Labels:
    """n × k numbers of labels; −1 where a grader has not read the case. `scale` are the numbers of the labels that are
    steps of a scale, from one end to the other; none where the labels have no order."""

    given: NDArray[np.int64]
    labels: Sequence[str]
    subjects: Sequence[int]
    scale: Sequence[int] = ()


@dataclass(frozen=True, eq=False)
class LabelReport:
    """The lists go by grader; `used[grader][label]` counts what each one said, `with_others` is the share of the
    others who said the same, on average over the cases that somebody else has labelled. `cohen` holds kappas of every
    two graders by their weights: on a scale also linear and quadratic ones."""

    figures: list[Figure]
    cohen: dict[kappa.Weights, Table]
    with_others: list[float]
    used: list[list[int]]
    read: list[int]
    split: NDArray[np.float64]  # per case, the share that did not say what most said


def label_report(labels: Labels) -> LabelReport:
    given, size = labels.given, len(labels.labels)
    counts, pairs = _counts(given, size), label_pairs(given, size)
    figures = _figures(labels, counts, _nominal(counts, pairs))
    cohen: dict[kappa.Weights, Table] = {"plain": pairs.square("plain")}
    if labels.scale:
        steps = _steps(given, labels.scale)
        on_scale, step_pairs = _counts(steps, len(labels.scale)), label_pairs(steps, len(labels.scale))
        figures += _figures(labels, on_scale, _ordered(on_scale, step_pairs))
        cohen |= {"linear": step_pairs.square("linear"), "quadratic": step_pairs.square("quadratic")}
    most, total = counts.max(axis=1), counts.sum(axis=1)
    return LabelReport(
        figures=figures,
        cohen=cohen,
        with_others=[_with_others(given, counts, grader) for grader in range(given.shape[1])],
        used=[[int((given[:, grader] == label).sum()) for label in range(size)] for grader in range(given.shape[1])],
        read=(given != NOBODY).sum(axis=0).tolist(),
        split=1 - np.divide(most, total, out=np.full(len(most), np.nan), where=total > 1),
    )


def _nominal(counts: NDArray[np.float64], pairs: LabelPairs) -> dict[str, Statistic]:
    found: dict[str, Statistic] = {
        "percent-agreement": lambda rows: kappa.percent_agreement(counts[rows]),
        "krippendorff-alpha": lambda rows: krippendorff_alpha(counts[rows]),
        "gwet-ac1": lambda rows: gwet_ac1(counts[rows]),
        "cohen-kappa": lambda rows: pairs.mean_kappa("plain", rows),
    }
    ratings = counts.sum(axis=1)
    if len(set(ratings[ratings > 1].tolist())) == 1:  # Fleiss' kappa knows only cases read by equally many
        found["fleiss-kappa"] = lambda rows: kappa.fleiss_kappa(counts[rows])
    return found


def _ordered(counts: NDArray[np.float64], pairs: LabelPairs) -> dict[str, Statistic]:
    """What takes a label for nearer the fewer steps it is away."""
    return {
        "cohen-kappa linear": lambda rows: pairs.mean_kappa("linear", rows),
        "cohen-kappa quadratic": lambda rows: pairs.mean_kappa("quadratic", rows),
        "krippendorff-alpha ordinal": lambda rows: krippendorff_alpha(counts[rows], "ordinal"),
        "krippendorff-alpha interval": lambda rows: krippendorff_alpha(counts[rows], "interval"),
        "gwet-ac2 linear": lambda rows: gwet_ac2(counts[rows], "linear"),
        "gwet-ac2 quadratic": lambda rows: gwet_ac2(counts[rows], "quadratic"),
    }


def _figures(labels: Labels, counts: NDArray[np.float64], statistics: dict[str, Statistic]) -> list[Figure]:
    """Over the cases that two have labelled, Gwet's over all that anybody has: how frequent a label is, is known from
    these too. The others are counted."""
    ratings, found = counts.sum(axis=1), []
    for name, of in statistics.items():
        chosen = np.flatnonzero(ratings > (0 if name.startswith("gwet") else 1))
        subjects = np.asarray(labels.subjects)[chosen].tolist()
        statistic = partial(_of_chosen, of, chosen)
        found.append(resampled(name, statistic, subjects, left_out=len(counts) - len(chosen)))
    return found


def _of_chosen(of: Statistic, chosen: NDArray[np.int64], rows: NDArray[np.int64]) -> float:
    return of(chosen[rows])


def _counts(given: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Cases by labels: how many gave it."""
    return np.stack([(given == label).sum(axis=1) for label in range(size)], axis=1).astype(np.float64)


def _steps(given: NDArray[np.int64], scale: Sequence[int]) -> NDArray[np.int64]:
    """The place of each label on the scale; a label beside the scale is no rating."""
    place = np.full(given.max(initial=0) + 2, NOBODY)  # the last place is that of −1
    for step, label in enumerate(scale):
        if label < len(place) - 1:
            place[label] = step
    steps: NDArray[np.int64] = place[given]
    return steps


def _with_others(given: NDArray[np.int64], counts: NDArray[np.float64], grader: int) -> float:
    rows = np.flatnonzero((given[:, grader] != NOBODY) & (counts.sum(axis=1) > 1))
    same = counts[rows, given[rows, grader]] - 1
    return float((same / (counts[rows].sum(axis=1) - 1)).mean()) if len(rows) else float("nan")
