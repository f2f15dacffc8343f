"""What metrics are computed from: columns with one row for each case, reference and candidate beside each other.

A metric says which kind it needs; whoever reads files or references builds it once, and all metrics share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.compare import Overlap

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Base: every field is an array whose first axis is the cases."""

    def __post_init__(self) -> None:
        lengths = {field.name: len(getattr(self, field.name)) for field in fields(self)}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns of different lengths: {lengths}")

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The cases of several tables as one table."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def take(self, rows: NDArray[np.integer]) -> Self:
        """The same evidence of these cases only, in this order."""
        return type(self)(*(getattr(self, field.name)[rows] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class Overlaps(Evidence):
    """Masks of one structure: pixels of the reference, of the candidate, and of both."""

    reference_px: Numbers
    candidate_px: Numbers
    shared_px: Numbers

    @classmethod
    def of(cls, found: Sequence[Overlap]) -> Self:
        columns = [(one.reference_px, one.candidate_px, one.shared_px) for one in found]
        return cls(*np.array(columns, dtype=np.float64).reshape(-1, 3).T)


@dataclass(frozen=True, eq=False)
class Measures(Evidence):
    """One number taken of each side, such as a cup-to-disc ratio."""

    reference: Numbers
    candidate: Numbers


@dataclass(frozen=True, eq=False)
class Points(Evidence):
    """x and y of each side (cases × 2); NaN where the structure is not visible or cannot be determined."""

    reference: Numbers
    candidate: Numbers


@dataclass(frozen=True, eq=False)
class Openings(Evidence):
    """Angle opening distances, and which angles are closed by the reference; NaN where an angle takes no part."""

    reference: Numbers
    candidate: Numbers
    closed: Flags


@dataclass(frozen=True, eq=False)
class Scored(Evidence):
    """Which cases are positive by the reference, and the candidate's number: the higher, the more positive."""

    positive: Flags
    score: Numbers


@dataclass(frozen=True, eq=False)
class Called(Evidence):
    """Which cases are positive by the reference, and which the candidate calls positive."""

    positive: Flags
    called: Flags
