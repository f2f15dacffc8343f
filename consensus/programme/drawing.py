"""A grader's drawings beside the vote of the others on the same image: overlap, distance and bias.

The others' vote is made by the recipe's own rule with its rule for ties, without the grader's answer. Areas: Dice and
how much more or less is marked, as a share of the vote's area. Points: distance and its two components, to the right
and down. Where nobody marks anything an area says nothing; where somebody does, two empty areas agree (Dice 1).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from annotator.geometry.compare import overlap
from annotator.geometry.runs import Toggles
from consensus.agreement.icc import Interval
from consensus.fusion.registry import fuse, is_fused, knows, union
from consensus.fusion.replies import UNDECIDED, Fused, Reply
from protocols.names import Bound, Kind, Performance
from protocols.reading import Limit, Monitoring
from protocols.targets import AREAS, Target


@dataclass(frozen=True)
class Beside:
    """One drawing beside the others' vote. `value` is Dice, or the distance in pixels."""

    value: float
    share: float | None = None  # of an area: (own − vote) / vote; None where the vote is empty
    dx: float | None = None  # of a point, in pixels
    dy: float | None = None


def is_drawn(target: Target) -> bool:
    """Whether drawings of the target can be set beside a vote."""
    return (target.kind in AREAS or target.kind is Kind.POINT) and is_fused(target) and knows(target)


def measure_of(target: Target) -> Performance:
    return Performance.MEAN_DISTANCE_PX if target.kind is Kind.POINT else Performance.MEAN_DICE


def beside_others(
    target: Target, replies: Mapping[str, Reply], voters: Sequence[str], width: int, height: int
) -> dict[str, Beside]:
    """By grader; nobody where there is no vote of others, or nothing to measure. `voters` may vote about others: not
    those whose answer a senior has left out, who are compared all the same."""
    if target.kind in AREAS and not any(len(_area(reply.masks)) for reply in replies.values()):
        return {}
    found = {}
    for grader, reply in replies.items():
        others = [replies[one] for one in voters if one != grader]
        vote = fuse(target, others, width, height) if others else Fused(answer=UNDECIDED)
        beside = _beside(target, reply, vote, width, height) if vote.answer != UNDECIDED else None
        if beside is not None:
            found[grader] = beside
    return found


def _beside(target: Target, reply: Reply, vote: Fused, width: int, height: int) -> Beside | None:
    if target.kind is Kind.POINT:
        if reply.point is None or vote.point is None:
            return None
        dx, dy = reply.point[0] - vote.point[0], reply.point[1] - vote.point[1]
        return Beside(math.hypot(dx, dy), dx=dx, dy=dy)
    both = overlap(_area(vote.masks), _area(reply.masks), width, height)
    share = (both.candidate_px - both.reference_px) / both.reference_px if both.reference_px else None
    return Beside(1.0 if math.isnan(both.dice) else both.dice, share=share)


def _area(masks: Sequence[Toggles]) -> Toggles:
    return masks[0] if len(masks) == 1 else union(masks)


@dataclass(frozen=True)
class Mean:
    """Of `of` drawings; NaN when there are none, and without an interval when there is one."""

    value: float
    of: int
    spread: float  # standard error

    @property
    def interval(self) -> Interval:
        """95 %, two-sided, Student's."""
        half = self._quantile(0.975) * self.spread
        return Interval(self.value - half, self.value + half)

    def bound(self, confidence: float, side: Bound) -> float:
        """One-sided: not above it (for a limit that must be reached), or not below it, with this confidence."""
        half = self._quantile(confidence) * self.spread
        return self.value + half if side is Bound.AT_LEAST else self.value - half

    def _quantile(self, confidence: float) -> float:
        return float(stdtrit(self.of - 1, confidence)) if self.of > 1 else math.nan


def mean_of(values: Sequence[float]) -> Mean:
    count = len(values)
    if not count:
        return Mean(math.nan, 0, math.nan)
    spread = float(np.std(values, ddof=1)) / math.sqrt(count) if count > 1 else math.nan
    return Mean(float(np.mean(values)), count, spread)


@dataclass(frozen=True)
class MeanCrossing:
    limit: Limit
    look: int
    mean: Mean
    bound: float


def first_mean_crossing(values: Sequence[float], limit: Limit, monitoring: Monitoring) -> MeanCrossing | None:
    """The first look, every `look_every` drawings and from `min_positives` of them on, at which the one-sided bound of
    the mean lies beyond the limit. Dice must be reached; a distance must not be passed."""
    side = Bound.AT_MOST if limit.measure is Performance.MEAN_DISTANCE_PX else Bound.AT_LEAST
    for look in range(monitoring.look_every, len(values) + 1, monitoring.look_every):
        if look < max(2, monitoring.min_positives):
            continue
        mean = mean_of(values[:look])
        bound = mean.bound(monitoring.confidence, side)
        if bound < limit.value if side is Bound.AT_LEAST else bound > limit.value:
            return MeanCrossing(limit, look, mean, bound)
    return None
