"""One grader's labels against what they should have been, as sensitivity, specificity and accuracy.

Calling a gradable image ungradable counts as a miss where the final label is the positive one, as a false alarm where
it is another (AIROGS), or is left out, as the recipe says. An image whose final label is "ungradable" counts for
accuracy alone: it has neither a positive nor a negative finding.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from consensus.programme.rates import Rate
from protocols.names import Performance, UngradableRule
from protocols.targets import Target

RATES = (Performance.ACCURACY, Performance.SENSITIVITY, Performance.SPECIFICITY)


@dataclass(frozen=True)
class Judged:
    """What a grader said, and what was right."""

    truth: str
    said: str


@dataclass(frozen=True)
class Tally:
    """By measure; only those of `RATES`."""

    rates: dict[Performance, Rate] = field(default_factory=dict)

    def rate(self, measure: Performance) -> Rate:
        return self.rates.get(measure, Rate())

    @property
    def positives(self) -> int:
        return self.rate(Performance.SENSITIVITY).of

    @property
    def negatives(self) -> int:
        return self.rate(Performance.SPECIFICITY).of


def counted(judged: Judged, target: Target, rule: UngradableRule) -> dict[Performance, Rate]:
    """What one answer adds. It is right about a positive when it says so, about a negative when it says anything else
    that is not "ungradable"."""
    if judged.said == target.ungradable != judged.truth and rule is UngradableRule.LEFT_OUT:
        return {}
    adds = {Performance.ACCURACY: Rate(int(judged.said == judged.truth), 1)}
    if judged.truth == target.positive:
        adds[Performance.SENSITIVITY] = Rate(int(judged.said == target.positive), 1)
    elif judged.truth != target.ungradable:
        wrong = judged.said in (target.positive, target.ungradable)
        adds[Performance.SPECIFICITY] = Rate(int(not wrong), 1)
    return adds


def tally(judged: Iterable[Judged], target: Target, rule: UngradableRule) -> Tally:
    rates: dict[Performance, Rate] = {}
    for one in judged:
        for measure, rate in counted(one, target, rule).items():
            rates[measure] = rates.get(measure, Rate()) + rate
    return Tally(rates)
