"""What a report of agreement holds, as data that can be kept: plain numbers, None where there is none."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.area_report import Areas, area_report
from consensus.agreement.collection import Sheet
from consensus.agreement.figures import Figure
from consensus.agreement.label_pairs import NOBODY
from consensus.agreement.label_report import Labels, label_report
from consensus.agreement.measure_report import measure_report
from consensus.agreement.point_report import Points, point_report
from consensus.agreement.twice import area_twice, label_twice, measure_twice, point_twice

HARDEST = 12
MOST_VALUES = 8  # of a stratum: more are not groups but names
FEWEST_ROWS = 5  # in a stratum
MOST_MARKS = 1500  # in a chart
ALL = "*"  # in the place of a grader's letter
Content = dict[str, Any]


def area_content(sheet: Sheet) -> Content:
    found = area_report(Areas(sheet.table, sheet.subjects))
    return {
        "kind": "area",
        "figures": _figures(found.figures),
        "pairs": {"statistic": "pairwise-dice", "rows": _rows(found.dice)},
        "per_grader": [
            {
                "read": found.read[one],
                "with_others": _plain(found.with_others[one]),
                "more_than_others": _plain(found.more_than_others[one]),
                "outliers": found.outliers[one],
            }
            for one in range(len(sheet.graders))
        ],
        "hardest": _hardest(sheet, found.gci, found.disagreement),
    }


def point_content(sheet: Sheet) -> Content:
    found = point_report(Points(sheet.table, sheet.subjects))
    return {
        "kind": "point",
        "figures": _figures(found.figures),
        "pairs": {"statistic": "distance", "rows": _rows(found.apart)},
        "per_grader": [
            {
                "read": found.read[one],
                "bias_x": _plain(found.bias[one][0]),
                "bias_y": _plain(found.bias[one][1]),
                "distance": _plain(found.distance[one]),
                "outliers": found.outliers[one],
            }
            for one in range(len(sheet.graders))
        ],
        "hardest": _hardest(sheet, found.widest),
        "marks": _marks(sheet, found.offsets[:, :, 0], found.offsets[:, :, 1]),
    }


def label_content(sheet: Sheet, labels: Sequence[str], scale: Sequence[str] = ()) -> Content:
    """`scale`: those of the labels that are steps of one, in its order."""
    table = sheet.table
    given = np.where(np.isfinite(table), table, NOBODY).astype(np.int64)
    found = label_report(Labels(given, labels, sheet.subjects, [labels.index(step) for step in scale]))
    weighted = [(f"cohen-kappa {weights}", rows) for weights, rows in found.cohen.items() if weights != "plain"]
    return {
        "kind": "label",
        "labels": list(labels),
        "figures": _figures(found.figures),
        "pairs": {"statistic": "cohen-kappa", "rows": _rows(found.cohen["plain"])},
        **({"weighted_pairs": [{"statistic": key, "rows": _rows(rows)} for key, rows in weighted]} if weighted else {}),
        "per_grader": [
            {"read": found.read[one], "with_others": _plain(found.with_others[one]), "used": found.used[one]}
            for one in range(len(sheet.graders))
        ],
        "hardest": _hardest(sheet, found.split),
    }


def measure_content(sheet: Sheet) -> Content:
    found = measure_report(sheet.table)
    per_grader = []
    for one, against in enumerate(found.against_others):
        row: Content = {"read": found.read[one], "outliers": found.outliers[one]}
        if against is not None:
            row |= {
                "bias": _plain(against.bias),
                "bias_low": _plain(against.bias_interval.low),
                "bias_high": _plain(against.bias_interval.high),
                "low": _plain(against.low),
                "high": _plain(against.high),
            }
        per_grader.append(row)
    return {
        "kind": "measure",
        "figures": _figures(found.figures),
        "per_grader": per_grader,
        "hardest": _hardest(sheet, found.spread),
        "marks": _marks(sheet, found.means, found.differences),
    }


def twice_content(sheet: Sheet, letter: str, kind: str, labels: Sequence[str]) -> Content:
    """What a grader, or `ALL`, has read twice."""
    of = {"area": area_twice, "point": point_twice, "measure": measure_twice}
    figures = label_twice(sheet, labels) if kind == "label" else of[kind](sheet)
    return {"grader": letter, "images": len(sheet.rows), "figures": _figures(figures)}


def with_strata(sheet: Sheet, content: Callable[[Sheet], Content]) -> Content:
    """The content of all rows, and the figures of every stratum that is a group."""
    strata = []
    for name, values in sheet.strata().items():
        parts = [(value, sheet.within(name, value)) for value in values[:MOST_VALUES]]
        if not 1 < len(values) <= MOST_VALUES or min(len(part.rows) for _value, part in parts) < FEWEST_ROWS:
            continue
        strata += [{"name": name, "value": value, "figures": content(part)["figures"]} for value, part in parts]
    return {**content(sheet), "images": len(sheet.rows), "strata": strata}


def _figures(figures: Sequence[Figure]) -> list[Content]:
    return [
        {
            "key": figure.key,
            "value": _plain(figure.value),
            "low": _plain(figure.low),
            "high": _plain(figure.high),
            "n": figure.n,
            "left_out": figure.left_out,
        }
        for figure in figures
    ]


def _hardest(
    sheet: Sheet, values: NDArray[np.float64], disagreement: NDArray[np.float64] | None = None
) -> list[Content]:
    """Those with the most disagreement, which is the value itself unless something else is given."""
    apart = values if disagreement is None else disagreement
    known = np.flatnonzero(np.isfinite(apart))
    order = known[np.argsort(-apart[known], kind="stable")][:HARDEST]
    return [
        {
            "case": sheet.origins[row].case,
            "id": sheet.origins[row].case_id,
            "position": sheet.origins[row].position,
            "value": _plain(values[row]),
        }
        for row in order
    ]


def _marks(sheet: Sheet, x: NDArray[np.float64], y: NDArray[np.float64]) -> list[list[Any]]:
    """[case, grader, x, y] of every value; of very many, evenly spread ones."""
    where = np.argwhere(np.isfinite(x) & np.isfinite(y))
    step = max(1, math.ceil(len(where) / MOST_MARKS))
    return [
        [sheet.origins[row].case, int(grader), _plain(x[row, grader]), _plain(y[row, grader])]
        for row, grader in where[::step].tolist()
    ]


def _rows(table: NDArray[np.float64]) -> list[list[float | None]]:
    return [[_plain(value) for value in row] for row in table.tolist()]


def _plain(value: float) -> float | None:
    return round(float(value), 6) if math.isfinite(value) else None
