"""Whether likelihoods mean what they say."""

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Numbers, Scored
from evaluation.metrics.tally import mean_of, ratio

BINS = 10


def squared_error(cases: Scored) -> tuple[Numbers, Numbers]:
    """Brier's score: the mean of (likelihood − outcome)² (Mon Weather Rev 1950;78:1–3)."""
    return mean_of((_likelihood(cases) - cases.positive) ** 2)


def gaps(cases: Scored) -> list[NDArray[np.float64]]:
    """Outcome − likelihood, by ten bins of equal width; a bin holds its lower end, the last one both ends."""
    likelihood = _likelihood(cases)
    place = np.minimum((likelihood * BINS).astype(np.int64), BINS - 1)
    gap = cases.positive - likelihood
    return [*(np.where(place == one, gap, 0.0) for one in range(BINS)), np.ones(len(cases))]


def expected_error(totals: Numbers) -> Numbers:
    """Σ over bins of |Σ outcome − Σ likelihood| / n; above 0 even for a perfect forecast of few cases."""
    return ratio(np.abs(totals[:, :-1]).sum(axis=1), totals[:, -1])


def _likelihood(cases: Scored) -> Numbers:
    if len(cases) and not (cases.score.min() >= 0 and cases.score.max() <= 1):
        raise ValueError("score is no likelihood: it leaves 0 … 1")
    return cases.score
