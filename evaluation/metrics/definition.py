"""What the registry knows of a metric."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from evaluation.metrics.evidence import Evidence, Numbers
from evaluation.metrics.tally import Counts
from protocols.scoring_names import Direction, MeasureRule


class Law(StrEnum):
    """What must hold for a metric whatever the cases are; tested over the whole registry."""

    RANGE = "every value lies between low and high, or is undefined"
    PERMUTATION = "the order of the cases does not matter"
    REPETITION = "a case that takes part twice counts as two equal cases"
    IDENTITY = "a candidate equal to the reference has the best value"
    SYMMETRY = "reference and candidate can be exchanged"
    RANKS_ONLY = "only the order of the scores matters"


ALWAYS = frozenset({Law.RANGE, Law.PERMUTATION, Law.REPETITION})


@dataclass(frozen=True, kw_only=True)
class MetricDefinition:
    """A metric is computed in two steps, so that several share the heavy first one.

    `summarise(evidence, counts)` looks at the cases, of which each takes part `counts` (resamples × cases) times;
    `value(summary, **parameters)` gives one number for each resample, NaN where the metric is undefined. `empty` says
    when that is, or what stands for it. `measure`: what of the masks is compared, for a metric of `Measures`.
    """

    id: str
    needs: type[Evidence]
    summarise: Callable[[Any, Counts], Any]
    value: Callable[..., Numbers]
    direction: Direction
    low: float = 0.0
    high: float = 1.0
    empty: str
    laws: frozenset[Law]
    parameters: Mapping[str, float] = field(default_factory=dict)
    """Names of the numbers that `value` takes, each with an example; a recipe gives its own."""
    measure: MeasureRule | None = None

    @property
    def best(self) -> float:
        return self.high if self.direction is Direction.HIGHER else self.low
