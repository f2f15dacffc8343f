"""Metrics of points, and of distances measured from them."""

import math
from dataclasses import replace

from evaluation.metrics import aod_error, distance
from evaluation.metrics.definition import ALWAYS, Law, MetricDefinition
from evaluation.metrics.evidence import Openings, Points
from evaluation.metrics.tally import share, sums
from protocols.scoring_names import Direction, MetricRule

mean_distance = MetricDefinition(
    id=MetricRule.DISTANCE,
    needs=Points,
    summarise=sums(distance.mean_distance),
    value=share,
    direction=Direction.LOWER,
    high=math.inf,
    empty="undefined without cases",
    laws=ALWAYS | {Law.IDENTITY, Law.SYMMETRY},
)
POINT_METRICS = (
    mean_distance,
    replace(
        mean_distance,
        id=MetricRule.DISTANCE_ZERO_POINT,
        summarise=sums(distance.mean_distance_at_zero),
        empty="a point that is not visible is (0, 0); undefined without cases",
    ),
    replace(
        mean_distance,
        id=MetricRule.DISTANCE_VISIBLE,
        summarise=sums(distance.mean_distance_where_both),
        empty="undefined when no case has the point visible on both sides",
    ),
    replace(
        mean_distance,
        id=MetricRule.DISTANCE_DETERMINABLE,
        summarise=sums(distance.mean_distance_where_determinable),
        empty="undefined when no point is determinable in the reference",
        laws=ALWAYS | {Law.IDENTITY},
    ),
    replace(
        mean_distance,
        id=MetricRule.VISIBILITY_ACCURACY,
        summarise=sums(distance.visibility),
        direction=Direction.HIGHER,
        high=1.0,
    ),
    replace(
        mean_distance,
        id=MetricRule.AOD_PENALTY,
        needs=Openings,
        summarise=sums(aod_error.by_direction),
        value=aod_error.mean_penalty,
        empty="undefined when no angle has a distance in the reference",
        laws=ALWAYS | {Law.IDENTITY},
        parameters={"milder": 0.2, "harder": 0.8},
    ),
)
