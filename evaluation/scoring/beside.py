"""A grader's answers beside a reference, as evidence for the metrics by which models are scored.

What a model hands in as files a grader has said on a page: the same metrics are asked, of the same kinds of evidence.
Those that need a likelihood are left out, because a grader gives none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.geometry import runs
from annotator.geometry.compare import overlap
from annotator.geometry.runs import Toggles
from consensus.fusion.registry import EMPTY
from consensus.fusion.replies import UNDECIDED, Fused, Reply
from consensus.fusion.standing import VCDR_RULES
from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.evidence import Called, Evidence, Measures, Overlaps, Points
from evaluation.metrics.label_table import Labels
from evaluation.metrics.objects import ObjectSums, object_sums
from evaluation.metrics.registry import METRICS
from evaluation.scoring.scorecard import About
from protocols.names import Source
from protocols.recipe import Recipe
from protocols.scoring import Track
from protocols.scoring_names import EditionKey, MetricRule

NOWHERE = (np.nan, np.nan)
NEEDS_A_PLACE = frozenset({MetricRule.DISTANCE, MetricRule.DISTANCE_DETERMINABLE})
"""Metrics for which a model's missing point is an error. A grader who cannot determine a point has answered, though:
the case is left out and counted."""


@dataclass(frozen=True, eq=False)
class Beside:
    """One photograph as both sides answered it, by target; a target that a side did not answer is not there."""

    name: str
    subject: int
    width: int
    height: int
    reference: Mapping[str, Reply]
    candidate: Mapping[str, Reply]

    def of(self, target: str) -> tuple[Reply, Reply]:
        return self.reference[target], self.candidate[target]


def reply_to(fused: Fused) -> Reply | None:
    """A vote as an answer to compare with; None where the voters leave it open."""
    if fused.answer == UNDECIDED:
        return None
    return Reply(fused.answer, fused.masks, fused.point, fused.label, fused.signs)


def _overlaps(about: About, _metric: MetricDefinition, beside: Beside, _recipe: Recipe) -> Overlaps:
    (target,) = about.targets
    reference, candidate = (_area(reply) for reply in beside.of(target))
    return Overlaps.of([overlap(reference, candidate, beside.width, beside.height)])


def _measures(about: About, metric: MetricDefinition, beside: Beside, _recipe: Recipe) -> Measures:
    if metric.measure is None:
        raise ValueError(f"{metric.id} says not what it measures")
    rule = VCDR_RULES[metric.measure]
    cups, discs = (beside.of(target) for target in about.targets)
    sides = zip(cups, discs, strict=True)
    values = [rule(_area(cup), _area(disc), beside.width, beside.height) for cup, disc in sides]
    return Measures(*(np.array([value]) for value in values))


def _points(about: About, metric: MetricDefinition, beside: Beside, _recipe: Recipe) -> Points | None:
    (target,) = about.targets
    if metric.id in NEEDS_A_PLACE and not all(reply.point for reply in beside.of(target)):
        return None
    return Points(*(np.array([reply.point or NOWHERE], dtype=np.float64) for reply in beside.of(target)))


def _called(about: About, _metric: MetricDefinition, beside: Beside, recipe: Recipe) -> Called:
    (target,) = about.targets
    positive = about.positive or recipe.target(target).positive
    return Called(*(np.array([reply.label == positive]) for reply in beside.of(target)))


def _objects(about: About, _metric: MetricDefinition, beside: Beside, _recipe: Recipe) -> ObjectSums:
    (target,) = about.targets
    return object_sums(*(_numbered(reply.masks, beside.width, beside.height) for reply in beside.of(target)))


Row = Callable[[About, MetricDefinition, Beside, Recipe], Evidence | None]
ROWS: Mapping[type[Evidence], Row] = {
    Overlaps: _overlaps,
    Measures: _measures,
    Points: _points,
    Called: _called,
    ObjectSums: _objects,
}


def _area(reply: Reply) -> Toggles:
    return reply.masks[0] if reply.masks else EMPTY


def _numbered(objects: Sequence[Toggles], width: int, height: int) -> Labels:
    picture = np.zeros((height, width), dtype=np.int32)
    for number, toggles in enumerate(objects, start=1):
        picture[runs.decode(toggles, width, height)] = number
    return picture


def asked_of(track: Track, edition: EditionKey, recipe: Recipe) -> dict[About, MetricDefinition]:
    """The evidence that a track's metrics need and graders can give, of targets that they read; each with the first
    metric that asks for it."""
    read = {target.key for target in recipe.targets if target.source is Source.GRADED}
    found: dict[About, MetricDefinition] = {}
    for metric in track.metrics:
        definition = METRICS[metric.rule(edition)]
        if definition.needs in ROWS and read.issuperset(metric.targets):
            found.setdefault(About(definition.needs, metric.targets, metric.positive), definition)
    return found
