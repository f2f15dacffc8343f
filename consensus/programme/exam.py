"""An exam marked: a candidate's answers on images of known truth against the limits of a role.

Labels are judged as in `judging`; areas by Dice, points by distance in pixels. Who marks nothing where there is
something, or something where there is nothing, gets Dice 0, and for a point the diagonal of the picture; both empty is
Dice 1. Means get a bootstrap interval over the images, shares Wilson's. A limit on what the exam did not ask is not
met.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from annotator.geometry.compare import overlap
from annotator.geometry.runs import Toggles
from consensus.agreement.icc import Interval
from consensus.agreement.intervals import bootstrap
from consensus.fusion.registry import union
from consensus.fusion.replies import PRESENT, Reply
from consensus.programme.judging import RATES, Judged, tally
from protocols.names import Bound, Kind, Performance, UngradableRule
from protocols.reading import Limit
from protocols.targets import AREAS, Target

MEASURES_OF: Mapping[Kind, tuple[Performance, ...]] = {
    Kind.LABEL: RATES,
    Kind.POINT: (Performance.MEAN_DISTANCE_PX,),
    **dict.fromkeys(AREAS, (Performance.MEAN_DICE,)),
}
"""What a candidate can be measured by on a target; lines have no measure."""


@dataclass
class Sheet:
    """A candidate's answers to one target beside the truth."""

    target: Target
    judged: list[Judged] = field(default_factory=list)
    values: list[float] = field(default_factory=list)  # Dice or distance, image by image

    def add(self, truth: Reply, said: Reply, width: int, height: int) -> bool:
        """Whether the answer is right; an area or a point is wrong only where one of both has nothing."""
        if self.target.kind is Kind.LABEL:
            self.judged.append(Judged(truth.label or truth.answer, said.label or said.answer))
            return self.judged[-1].truth == self.judged[-1].said
        if self.target.kind is Kind.POINT:
            self.values.append(_distance(truth, said, width, height))
        else:
            self.values.append(_dice(truth, said, width, height))
        return (truth.answer == PRESENT) == (said.answer == PRESENT)


@dataclass(frozen=True)
class Marked:
    """How a limit was met. `value` NaN: the exam did not ask for it."""

    limit: Limit
    value: float
    interval: Interval
    images: int

    @property
    def met(self) -> bool:
        if math.isnan(self.value):
            return False
        return self.value >= self.limit.value if self.limit.bound is Bound.AT_LEAST else self.value <= self.limit.value


def marked(limits: Iterable[Limit], sheets: Mapping[str, Sheet], rule: UngradableRule) -> list[Marked]:
    return [_marked(limit, sheets.get(limit.target), rule) for limit in limits]


def passed(marks: Sequence[Marked]) -> bool:
    """All limits are met; without limits nobody passes."""
    return bool(marks) and all(one.met for one in marks)


def _marked(limit: Limit, sheet: Sheet | None, rule: UngradableRule) -> Marked:
    nothing = Marked(limit, math.nan, Interval(math.nan, math.nan), 0)
    if sheet is None:
        return nothing
    if limit.measure in RATES:
        rate = tally(sheet.judged, sheet.target, rule).rate(limit.measure)
        return Marked(limit, rate.value, rate.interval, rate.of)
    if not sheet.values:
        return nothing
    values = np.asarray(sheet.values)
    interval = bootstrap(lambda drawn: float(values[drawn].mean()), len(values)).interval
    return Marked(limit, float(values.mean()), interval, len(values))


def _dice(truth: Reply, said: Reply, width: int, height: int) -> float:
    both = overlap(_area(truth), _area(said), width, height).dice
    return 1.0 if math.isnan(both) else both


def _area(reply: Reply) -> Toggles:
    """Of objects all of them together."""
    return union(reply.masks)


def _distance(truth: Reply, said: Reply, width: int, height: int) -> float:
    if truth.point is None and said.point is None:
        return 0.0
    if truth.point is None or said.point is None:
        return math.hypot(width, height)
    return math.dist(truth.point, said.point)
