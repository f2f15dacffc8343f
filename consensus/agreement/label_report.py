"""Agreement on labels: how often graders give many cases the same one, beyond chance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consensus.agreement import kappa
from consensus.agreement.alpha import krippendorff_alpha
from consensus.agreement.figures import Figure, Table, resampled
from consensus.agreement.gwet import gwet_ac1

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Labels:
    """n × k numbers of labels; −1 where a grader has not read the case."""

    given: NDArray[np.int64]
    labels: Sequence[str]
    subjects: Sequence[int]


@dataclass(frozen=True, eq=False)
class LabelReport:
    """The lists go by grader; `used[grader][label]` counts what each one said, `with_others` is the share of the
    others who said the same, on average over the cases that somebody else has labelled."""

    figures: list[Figure]
    cohen: Table
    with_others: list[float]
    used: list[list[int]]
    read: list[int]
    split: NDArray[np.float64]  # per case, the share that did not say what most said


def label_report(labels: Labels) -> LabelReport:
    given, size = labels.given, len(labels.labels)
    counts = np.stack([(given == label).sum(axis=1) for label in range(size)], axis=1).astype(np.float64)
    several = counts.sum(axis=1) > 1
    compared, subjects = counts[several], np.asarray(labels.subjects)[several].tolist()
    statistics: dict[str, Callable[[NDArray[np.float64]], float]] = {
        "percent-agreement": kappa.percent_agreement,
        "krippendorff-alpha": krippendorff_alpha,
        "gwet-ac1": gwet_ac1,
    }
    if len(set(compared.sum(axis=1).tolist())) == 1:  # Fleiss' kappa knows only cases read by equally many
        statistics["fleiss-kappa"] = kappa.fleiss_kappa
    figures = [
        resampled(name, lambda rows, of=of: of(compared[rows]), subjects, left_out=int((~several).sum()))  # type: ignore[misc]
        for name, of in statistics.items()
    ]
    most, total = counts.max(axis=1), counts.sum(axis=1)
    return LabelReport(
        figures=figures,
        cohen=_cohen(given, size),
        with_others=[_with_others(given, counts, grader) for grader in range(given.shape[1])],
        used=[[int((given[:, grader] == label).sum()) for label in range(size)] for grader in range(given.shape[1])],
        read=(given != NOBODY).sum(axis=0).tolist(),
        split=1 - np.divide(most, total, out=np.full(len(most), np.nan), where=total > 1),
    )


def _cohen(given: NDArray[np.int64], size: int) -> Table:
    graders = given.shape[1]
    found = np.full((graders, graders), np.nan)
    for first in range(graders):
        for second in range(first):
            both = (given[:, first] != NOBODY) & (given[:, second] != NOBODY)
            table = np.zeros((size, size))
            np.add.at(table, (given[both, first], given[both, second]), 1)
            found[first, second] = found[second, first] = kappa.cohen_kappa(table)
    return found


def _with_others(given: NDArray[np.int64], counts: NDArray[np.float64], grader: int) -> float:
    rows = np.flatnonzero((given[:, grader] != NOBODY) & (counts.sum(axis=1) > 1))
    same = counts[rows, given[rows, grader]] - 1
    return float((same / (counts[rows].sum(axis=1) - 1)).mean()) if len(rows) else float("nan")
