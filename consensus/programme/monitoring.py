"""Watching a grader while final labels arrive, and saying when a limit is crossed with enough cases to mean it.

Looks are taken every so many final labels. At a look a limit is crossed when there are enough positives (sensitivity)
or negatives (specificity) and the one-sided upper bound of the rate lies below the limit. Many looks are many chances
of a false alarm; how many in fact is simulated in the tests and stated in the documentation.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from consensus.programme.judging import Judged, Tally, counted
from consensus.programme.rates import Rate, upper_bound
from protocols.names import Performance
from protocols.reading import Limit, Monitoring
from protocols.targets import Target

WINDOW = 100  # final labels


class Settled(StrEnum):
    """How the final label came about. An agreed one contains the grader's own vote, which flatters the grader."""

    AGREED = "agreed"
    OTHERS = "others"  # agreed by others alone: the grader's reading was left out or set aside
    ADJUDICATED = "adjudicated"
    KNOWN = "known"  # an exam, or the clinic


@dataclass(frozen=True)
class Final:
    """A final label and what the grader had said of that photograph."""

    judged: Judged
    settled: Settled


@dataclass(frozen=True)
class Look:
    """How a grader stands after so many final labels: in all, over the latest `window`, and over those alone in which
    the grader's own vote has no part."""

    finals: int
    total: Tally
    window: Tally
    independent: Tally


@dataclass(frozen=True)
class Crossing:
    """A limit was crossed at a look."""

    limit: Limit
    look: Look
    bound: float

    @property
    def rate(self) -> Rate:
        return self.look.total.rate(self.limit.measure)


class _Running:
    """Rates that answers enter and leave."""

    def __init__(self) -> None:
        self._counts: dict[Performance, list[int]] = {}

    def add(self, adds: dict[Performance, Rate], sign: int = 1) -> None:
        for measure, rate in adds.items():
            count = self._counts.setdefault(measure, [0, 0])
            count[0] += sign * rate.right
            count[1] += sign * rate.of

    def tally(self) -> Tally:
        return Tally({measure: Rate(*count) for measure, count in self._counts.items()})


def looks(finals: Sequence[Final], target: Target, monitoring: Monitoring, window: int = WINDOW) -> Iterator[Look]:
    """One look after every `look_every` final labels, and a last one at the end."""
    if window < 1:
        raise ValueError(f"window is {window}, not at least 1")
    total, recent, independent = _Running(), _Running(), _Running()
    within: deque[dict[Performance, Rate]] = deque()
    for number, final in enumerate(finals, start=1):
        adds = counted(final.judged, target, monitoring.ungradable)
        total.add(adds)
        recent.add(adds)
        within.append(adds)
        if len(within) > window:
            recent.add(within.popleft(), -1)
        if final.settled is not Settled.AGREED:
            independent.add(adds)
        if number % monitoring.look_every == 0 or number == len(finals):
            yield Look(number, total.tally(), recent.tally(), independent.tally())


def standing(finals: Sequence[Final], target: Target, monitoring: Monitoring, window: int = WINDOW) -> Look:
    """How a grader stands now."""
    nothing = Look(0, Tally(), Tally(), Tally())
    return next(iter(deque(looks(finals, target, monitoring, window), maxlen=1)), nothing)


def crossed(look: Look, monitoring: Monitoring, target: str) -> list[Crossing]:
    """The limits that are crossed beyond doubt at this look."""
    found = []
    for limit in monitoring.limits:
        if limit.target != target or not _enough(look.total, limit.measure, monitoring):
            continue
        bound = upper_bound(look.total.rate(limit.measure), monitoring.confidence)
        if bound < limit.value:
            found.append(Crossing(limit, look, bound))
    return found


def _enough(seen: Tally, measure: Performance, monitoring: Monitoring) -> bool:
    positives, negatives = seen.positives >= monitoring.min_positives, seen.negatives >= monitoring.min_negatives
    if measure is Performance.SENSITIVITY:
        return positives
    if measure is Performance.SPECIFICITY:
        return negatives
    return measure is Performance.ACCURACY and positives and negatives


def first_crossings(finals: Sequence[Final], target: Target, monitoring: Monitoring) -> list[Crossing]:
    """Of each limit the first look at which it was crossed, in the order of the looks."""
    found: dict[str, Crossing] = {}
    for look in looks(finals, target, monitoring):
        if look.finals % monitoring.look_every == 0:
            for crossing in crossed(look, monitoring, target.key):
                found.setdefault(crossing.limit.key, crossing)
    return list(found.values())
