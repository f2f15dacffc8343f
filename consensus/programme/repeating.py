"""Labels that a grader gave twice to the same photograph, the second time without knowing it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from consensus.agreement.kappa import cohen_kappa
from consensus.programme.rates import Rate

FEWEST = 30  # of fewer comparisons a kappa says little (McHugh, Biochem Med 2012;22:276–282)


@dataclass(frozen=True)
class SaidTwice:
    """What was said first and what was said again, photograph by photograph."""

    pairs: Sequence[tuple[str, str]] = ()

    @property
    def same(self) -> Rate:
        return Rate(sum(first == again for first, again in self.pairs), len(self.pairs))

    @property
    def kappa(self) -> float:
        """Cohen's, of the first and the second label; NaN with fewer pairs than `FEWEST`, and where only one label was
        ever given, so that chance alone agrees."""
        if len(self.pairs) < FEWEST:
            return math.nan
        words = sorted({label for pair in self.pairs for label in pair})
        table = np.zeros((len(words), len(words)))
        for first, again in self.pairs:
            table[words.index(first), words.index(again)] += 1
        return cohen_kappa(table)
