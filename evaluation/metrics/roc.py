"""The receiver operating characteristic: areas under it and sensitivities on it.

Every threshold counts; cases with equal scores pass together, so ties count half in the area. All is counted in whole
numbers of cases, and a specificity is compared as a fraction: no rounding decides which point counts.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evaluation.metrics.evidence import Flags, Numbers, Scored
from evaluation.metrics.tally import Counts, ratio


@dataclass(frozen=True, eq=False)
class Curve:
    """True and false positives (resamples × points) at the corners of the curve, from the origin to everybody."""

    true: Numbers
    false: Numbers

    @property
    def positives(self) -> Numbers:
        return self.true[:, -1]

    @property
    def negatives(self) -> Numbers:
        return self.false[:, -1]

    @cached_property
    def areas(self) -> Numbers:
        """Under each step of the curve, in pairs of cases."""
        return np.diff(self.false, axis=1) * (self.true[:, 1:] + self.true[:, :-1]) / 2


def curve(cases: Scored, counts: Counts) -> Curve:
    """Cases by falling score; how often those of each step take part, added up from the origin."""
    positives, negatives = _steps(cases)
    drawn = np.ascontiguousarray(counts.T)
    return Curve(_added_up(positives @ drawn), _added_up(negatives @ drawn))


@lru_cache(maxsize=8)
def _steps(cases: Scored) -> tuple[csr_array, csr_array]:
    """Which cases belong to each step of the curve (steps × cases), the positive and the negative ones.

    Equal scores make one step. Steps of one class alone that follow one another lie on one straight line, whichever
    cases are drawn, and are taken together: area, height and the best point within a limit are the same.
    """
    order = np.argsort(-cases.score, kind="stable")
    score, positive = cases.score[order], cases.positive[order]
    begins = np.flatnonzero(np.append(True, score[1:] != score[:-1])[: len(score)])
    if not len(begins):
        return csr_array((0, 0)), csr_array((0, 0))
    size = np.diff(np.append(begins, len(score)))
    share = np.add.reduceat(positive.astype(np.float64), begins) / size
    goes_on = (share[1:] == share[:-1]) & np.isin(share[1:], (0.0, 1.0))
    step = np.repeat(np.append(0, np.cumsum(~goes_on)), size)
    shape = (int(step[-1]) + 1, len(score))

    def of(which: Flags) -> csr_array:
        return csr_array((np.ones(int(which.sum())), (step[which], order[which])), shape=shape)

    return of(positive), of(~positive)


def _added_up(steps: Numbers) -> Numbers:
    """From steps × resamples to resamples × points, beginning with the origin."""
    points = np.zeros((len(steps) + 1, steps.shape[1]))
    np.cumsum(steps, axis=0, out=points[1:])
    return points.T


def auc(roc: Curve) -> Numbers:
    """Area under the curve, ties half; NaN without a positive or without a negative case."""
    return ratio(roc.areas.sum(axis=1), roc.positives * roc.negatives)


def sensitivity_at_step(roc: Curve, *, specificity: float) -> Numbers:
    """The largest sensitivity among the points with at least this specificity; 0 when only the origin qualifies."""
    last = _last_within(roc, 1 - _exact(specificity))
    return _defined(roc, ratio(_at(roc.true, last), roc.positives))


def sensitivity_at_polyline(roc: Curve, *, specificity: float) -> Numbers:
    """The curve, its points joined by straight lines, at this specificity; its upper end where it is vertical there."""
    allowed = 1 - _exact(specificity)
    return _defined(roc, ratio(_height(roc, allowed, _last_within(roc, allowed)), roc.positives))


def partial_auc(roc: Curve, *, max_fpr: float) -> Numbers:
    """Area up to a false-positive rate f, the curve joined by straight lines, made to run from ½ (chance) to 1.

    ½ · (1 + (A − f²/2) / (f − f²/2)) (McClish, Med Decis Making 1989;9:190–195).
    """
    allowed = _exact(max_fpr)
    last = _last_within(roc, allowed)
    before = np.hstack((np.zeros((len(roc.areas), 1)), np.cumsum(roc.areas, axis=1)))
    beyond = float(allowed) * roc.negatives - _at(roc.false, last)
    trapezium = beyond * (_at(roc.true, last) + _height(roc, allowed, last)) / 2
    area = ratio(_at(before, last) + trapezium, roc.positives * roc.negatives)
    chance = max_fpr**2 / 2
    return _defined(roc, (1 + (area - chance) / (max_fpr - chance)) / 2)


def _exact(share: float) -> Fraction:
    """0.85 as 17/20, not as the binary number next to it."""
    return Fraction(str(share))


def _last_within(roc: Curve, allowed: Fraction) -> NDArray[np.intp]:
    """The last point whose false positives are at most the allowed share of the negatives."""
    limit = allowed.numerator * roc.negatives
    places: NDArray[np.intp] = (allowed.denominator * roc.false <= limit[:, None]).sum(axis=1) - 1
    return places


def _height(roc: Curve, allowed: Fraction, last: NDArray[np.intp]) -> Numbers:
    """True positives where the joined curve reaches the allowed share of the negatives."""
    following = np.minimum(last + 1, roc.true.shape[1] - 1)
    beyond = float(allowed) * roc.negatives - _at(roc.false, last)
    run = _at(roc.false, following) - _at(roc.false, last)
    rise = _at(roc.true, following) - _at(roc.true, last)
    return _at(roc.true, last) + rise * np.nan_to_num(ratio(beyond, run))


def _at(values: Numbers, places: NDArray[np.intp]) -> Numbers:
    chosen: Numbers = np.take_along_axis(values, places[:, None], axis=1)[:, 0]
    return chosen


def _defined(roc: Curve, values: Numbers) -> Numbers:
    return np.where((roc.positives > 0) & (roc.negatives > 0), values, np.nan)
