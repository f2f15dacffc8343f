"""A share of right answers and how sure it is."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from consensus.agreement.icc import Interval
from consensus.agreement.intervals import wilson


@dataclass(frozen=True)
class Rate:
    right: int = 0
    of: int = 0

    @property
    def value(self) -> float:
        """NaN when nothing was judged."""
        return self.right / self.of if self.of else math.nan

    @property
    def interval(self) -> Interval:
        """95 %, two-sided, Wilson's."""
        return wilson(self.right, self.of)

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(self.right + other.right, self.of + other.of)


def upper_bound(rate: Rate, confidence: float) -> float:
    """The one-sided upper bound by Wilson's score (1927): the largest share that a one-sided test at 1 − `confidence`
    would not reject. 1 when nothing was judged."""
    if not 0.5 <= confidence < 1:
        raise ValueError(f"confidence is {confidence}, not between 0.5 and 1")
    if not rate.of:
        return 1.0
    square = NormalDist().inv_cdf(confidence) ** 2 / rate.of
    middle = (rate.value + square / 2) / (1 + square)
    half = math.sqrt(rate.value * (1 - rate.value) * square + square**2 / 4) / (1 + square)
    return 1.0 if rate.right == rate.of else middle + half
