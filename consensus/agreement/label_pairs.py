"""What every two graders called the same cases, and their kappas."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.figures import Table, mean_known
from consensus.agreement.kappa import Weights, cohen_kappas

NOBODY = -1


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """One entry for each case that two graders have both labelled: the case, and the cell of its pair's table."""

    graders: int
    labels: int
    cases: int
    of_case: NDArray[np.int64]
    cell: NDArray[np.int64]

    def kappas(self, weights: Weights, rows: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Cohen's kappa of every pair, of all cases or of some, each as often as it is named."""
        times = None if rows is None else np.bincount(rows, minlength=self.cases)[self.of_case]
        cells = self._pairs * self.labels**2
        tables = np.bincount(self.cell, weights=times, minlength=cells).astype(np.float64)
        return cohen_kappas(tables.reshape(self._pairs, self.labels, self.labels), weights)

    def mean_kappa(self, weights: Weights, rows: NDArray[np.int64] | None = None) -> float:
        """The mean of the pairs' kappas (Light, Psychol Bull 1971;76:365–377); pairs without one are left out."""
        return mean_known(self.kappas(weights, rows))

    def square(self, weights: Weights) -> Table:
        """Graders by graders, NaN on the diagonal."""
        found = np.full((self.graders, self.graders), np.nan)
        first, second = np.triu_indices(self.graders, k=1)
        found[first, second] = found[second, first] = self.kappas(weights)
        return found

    @property
    def _pairs(self) -> int:
        return self.graders * (self.graders - 1) // 2


def label_pairs(given: NDArray[np.int64], labels: int) -> LabelPairs:
    """Of n × k numbers of labels, −1 where a grader has given none."""
    cases, cells = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for pair, (first, second) in enumerate(combinations(range(given.shape[1]), 2)):
        both = np.flatnonzero((given[:, first] != NOBODY) & (given[:, second] != NOBODY))
        cases.append(both)
        cells.append((pair * labels + given[both, first]) * labels + given[both, second])
    return LabelPairs(given.shape[1], labels, len(given), np.concatenate(cases), np.concatenate(cells))
