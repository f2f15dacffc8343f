"""Evidence from a table on both sides, by the columns that the recipe names."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from annotator.formats.case_table import CaseLine
from evaluation.files.case_files import CaseTable
from evaluation.metrics.evidence import Points, Scored
from protocols.scoring_names import ColumnRole
from protocols.standard import Column, File

Both = tuple[CaseTable, CaseTable]
Place = tuple[float, float]
NOWHERE = (math.nan, math.nan)


def column(file: File, role: ColumnRole, target: str) -> Column:
    return next(one for one in file.columns if one.role is role and one.target == target)


def point(file: File, target: str) -> Callable[[CaseLine], Place]:
    """Reads x and y of a line; nowhere where both say that the point is not determined."""
    x, y = column(file, ColumnRole.X, target), column(file, ColumnRole.Y, target)

    def read(line: CaseLine) -> Place:
        place = line.number(x.name), line.number(y.name)
        return NOWHERE if place == (x.undetermined, y.undetermined) else place

    return read


def points(both: Both, file: File, target: str, cases: Sequence[str]) -> Points:
    read = point(file, target)
    return Points(*(np.array(side.column(read, cases), dtype=np.float64).reshape(-1, 2) for side in both))


def likelihoods(both: Both, file: File, target: str, cases: Sequence[str]) -> Scored:
    """0 or 1 in the reference, any finite number in the submission."""
    name = column(file, ColumnRole.LIKELIHOOD, target).name
    reference, submission = both

    def label(line: CaseLine) -> bool:
        if line.number(name) not in (0, 1):
            raise line.bad_choice(name, ("0", "1"))
        return line.number(name) == 1

    scores = submission.column(lambda line: line.number(name), cases)
    return Scored(np.array(reference.column(label, cases)), np.array(scores))
