"""How far a grader agrees with himself or herself, by cases that were read twice without knowing it.

Every table has two columns: the first reading and the one of the hidden repeat.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.area_report import Areas, area_report
from consensus.agreement.bland_altman import repeatability
from consensus.agreement.collection import Sheet
from consensus.agreement.figures import Figure, Table, resampled
from consensus.agreement.label_pairs import NOBODY
from consensus.agreement.label_report import Labels, label_report
from consensus.agreement.measure_report import iccs

FIRST, AGAIN = "first", "again"
BOTH = (FIRST, AGAIN)


def joined(sheets: Sequence[Sheet]) -> Sheet:
    """The cases of several graders below one another; a subject that several have read twice is drawn as one."""
    origins = [origin for sheet in sheets for origin in sheet.origins]
    return Sheet(BOTH, origins, [row for sheet in sheets for row in sheet.rows])


def area_twice(sheet: Sheet) -> list[Figure]:
    """Mean Dice of both readings, over the cases in which one of them marked something."""
    found = area_report(Areas(sheet.table, sheet.subjects))
    return [figure for figure in found.figures if figure.key == "pairwise-dice"]


def label_twice(sheet: Sheet, labels: Sequence[str]) -> list[Figure]:
    """Cohen's kappa of the first and the second label, and the share of equal ones."""
    table = sheet.table
    given = np.where(np.isfinite(table), table, NOBODY).astype(np.int64)
    found = label_report(Labels(given, labels, sheet.subjects, []))
    return [figure for figure in found.figures if figure.key in {"cohen-kappa", "percent-agreement"}]


def point_twice(sheet: Sheet) -> list[Figure]:
    """Mean distance of both points, and s_w = √(Σ|d|²/2n)."""
    table, subjects, left_out = _complete(sheet)
    apart: NDArray[np.float64] = np.hypot(*(table[:, 0] - table[:, 1]).T) if len(table) else np.empty(0)
    return [
        resampled("apart", lambda rows: float(apart[rows].mean()), subjects, left_out=left_out),
        resampled("within", lambda rows: math.sqrt(float((apart[rows] ** 2).mean()) / 2), subjects, left_out=left_out),
    ]


def measure_twice(sheet: Sheet) -> list[Figure]:
    """ICC(1), s_w and the repeatability coefficient 1.96·√2·s_w (Bland and Altman, Lancet 1986;327:307–310)."""
    table, subjects, left_out = _complete(sheet)
    return [
        *(figure for figure in iccs(sheet.table) if figure.key == "icc 1"),
        resampled("within", lambda rows: _within(table[rows]), subjects, left_out=left_out),
        resampled("repeatability", lambda rows: _coefficient(table[rows]), subjects, left_out=left_out),
    ]


def _within(table: Table) -> float:
    return repeatability(table[:, 0], table[:, 1]).within


def _coefficient(table: Table) -> float:
    return repeatability(table[:, 0], table[:, 1]).coefficient


def _complete(sheet: Sheet) -> tuple[Table, list[int], int]:
    """Rows with both readings, their subjects, and how many lack one."""
    whole = [place for place, row in enumerate(sheet.rows) if bool(np.isfinite(row).all())]
    subjects = sheet.subjects
    return sheet.table[whole], [subjects[place] for place in whole], len(sheet.rows) - len(whole)
