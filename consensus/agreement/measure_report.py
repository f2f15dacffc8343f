"""Agreement on a measure of the drawings, such as the cup-to-disc ratio."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.bland_altman import BlandAltman, bland_altman
from consensus.agreement.figures import Figure, Table, high_outliers, mean_of_others
from consensus.agreement.icc import FORMS, Interval, icc, icc_intervals, mean_squares


@dataclass(frozen=True, eq=False)
class MeasureReport:
    """The lists go by grader, who is compared with the mean of the others; None where fewer than two cases can be."""

    figures: list[Figure]
    against_others: list[BlandAltman | None]
    means: Table  # of a grader's value and the others' mean, by case: where a difference is drawn
    differences: Table  # grader minus the others
    outliers: list[int]
    read: list[int]
    spread: NDArray[np.float64]  # per case, largest minus smallest


def measure_report(values: Table) -> MeasureReport:
    known = np.isfinite(values)
    others = mean_of_others(values)
    differences = values - others
    several = known.sum(axis=1) > 1
    spread = np.full(len(values), math.nan)
    spread[several] = np.nanmax(values[several], axis=1) - np.nanmin(values[several], axis=1)
    return MeasureReport(
        figures=iccs(values),
        against_others=[_against(values[:, one], others[:, one]) for one in range(values.shape[1])],
        means=(values + others) / 2,
        differences=differences,
        outliers=high_outliers(np.abs(differences)).sum(axis=0).tolist(),
        read=known.sum(axis=0).tolist(),
        spread=spread,
    )


def iccs(values: Table) -> list[Figure]:
    """In all forms, over the rows to which everybody has a value."""
    complete = np.isfinite(values).all(axis=1)
    table = values[complete] if values.shape[1] > 1 else values[:0]
    left_out = len(values) - len(table)
    if len(table) < 2:
        return [Figure(f"icc {form}", math.nan, n=len(table), left_out=left_out) for form in FORMS]
    squares = mean_squares(table)
    found, intervals = icc(squares), _intervals(squares.error, table)
    return [
        Figure(f"icc {form}", found[form], intervals[form].low, intervals[form].high, len(table), left_out)
        for form in FORMS
    ]


def _intervals(error: float, table: Table) -> dict[str, Interval]:
    """Graders who agree to the last digit leave nothing to estimate an interval from."""
    if not error > 0:
        return dict.fromkeys(FORMS, Interval(math.nan, math.nan))
    return icc_intervals(mean_squares(table))


def _against(own: NDArray[np.float64], others: NDArray[np.float64]) -> BlandAltman | None:
    both = np.isfinite(own) & np.isfinite(others)
    return bland_altman(own[both], others[both]) if int(both.sum()) > 1 else None
