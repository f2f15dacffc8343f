"""How far a measure of the candidate, such as the vertical cup-to-disc ratio, is from that of the reference."""

import numpy as np

from evaluation.metrics.evidence import Measures, Numbers
from evaluation.metrics.tally import mean_of


def mean_absolute_error(pairs: Measures) -> tuple[Numbers, Numbers]:
    """|candidate − reference|."""
    return mean_of(np.abs(pairs.candidate - pairs.reference))
