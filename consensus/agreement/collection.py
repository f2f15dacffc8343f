"""The answers of a study's graders as tables: images by graders, one table per target and measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles
from consensus.agreement.overlap import shared_by


@dataclass(frozen=True)
class Origin:
    """Where a row comes from."""

    case: int
    case_id: str
    position: int
    subject: int
    strata: Mapping[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class Sheet:
    """Rows of one target or measure, in the order in which they came."""

    graders: Sequence[str]
    origins: list[Origin] = field(default_factory=list)
    rows: list[NDArray[np.float64]] = field(default_factory=list)

    def add_areas(self, origin: Origin, marked: Mapping[str, Toggles], width: int, height: int) -> None:
        """Every reader's mask; one that is empty is an answer too."""
        readers = [grader for grader in self.graders if grader in marked]
        row = np.full((len(self.graders), len(self.graders)), np.nan)
        if readers:
            places = [self.graders.index(grader) for grader in readers]
            row[np.ix_(places, places)] = shared_by([marked[grader] for grader in readers], width, height)
        self._add(origin, row)

    def add_points(self, origin: Origin, points: Mapping[str, tuple[float, float] | None]) -> None:
        nowhere = (np.nan, np.nan)
        self._add(origin, np.array([points.get(grader) or nowhere for grader in self.graders], dtype=np.float64))

    def add_numbers(self, origin: Origin, values: Mapping[str, float]) -> None:
        self._add(origin, np.array([values.get(grader, np.nan) for grader in self.graders], dtype=np.float64))

    def _add(self, origin: Origin, row: NDArray[np.float64]) -> None:
        self.origins.append(origin)
        self.rows.append(row)

    @property
    def table(self) -> NDArray[np.float64]:
        return np.array(self.rows)

    @property
    def subjects(self) -> list[int]:
        return [origin.subject for origin in self.origins]

    def strata(self) -> dict[str, list[str]]:
        """Names of strata with the values that occur."""
        found: dict[str, set[str]] = {}
        for origin in self.origins:
            for name, value in origin.strata.items():
                found.setdefault(name, set()).add(value)
        return {name: sorted(values) for name, values in sorted(found.items())}

    def within(self, name: str, value: str) -> "Sheet":
        chosen = [row for row, origin in enumerate(self.origins) if origin.strata.get(name) == value]
        return Sheet(self.graders, [self.origins[row] for row in chosen], [self.rows[row] for row in chosen])
