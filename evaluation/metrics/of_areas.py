"""Metrics of masks, and of measures taken of masks."""

import math
from dataclasses import replace

from evaluation.metrics import detection, measure_error, overlap
from evaluation.metrics.definition import ALWAYS, Law, MetricDefinition
from evaluation.metrics.evidence import Measures, Overlaps
from evaluation.metrics.tally import share, sums
from protocols.scoring_names import Direction, MeasureRule, MetricRule

ALIKE = ALWAYS | {Law.IDENTITY, Law.SYMMETRY}

dice = MetricDefinition(
    id=MetricRule.DICE,
    needs=Overlaps,
    summarise=sums(overlap.mean_dice),
    value=share,
    direction=Direction.HIGHER,
    empty="both masks empty 1, one empty 0; undefined without cases",
    laws=ALIKE,
)
vcdr_error = MetricDefinition(
    id=MetricRule.VCDR_ERROR_EXTENT,
    needs=Measures,
    summarise=sums(measure_error.mean_absolute_error),
    value=share,
    direction=Direction.LOWER,
    high=math.inf,
    empty="an empty disc has ratio 0; undefined without cases",
    laws=ALIKE,
    measure=MeasureRule.VCDR_EXTENT,
)
AREA_METRICS = (
    dice,
    replace(
        dice,
        id=MetricRule.DICE_WHERE_PRESENT,
        summarise=sums(overlap.mean_dice_where_present),
        empty="undefined when no reference has the structure",
        laws=ALWAYS | {Law.IDENTITY},
    ),
    replace(dice, id="jaccard-mean", summarise=sums(overlap.mean_jaccard)),
    replace(
        dice,
        id=MetricRule.DETECTION_F1,
        summarise=sums(detection.found_or_not),
        value=detection.f1,
        empty="undefined when neither side has the structure anywhere",
    ),
    vcdr_error,
    replace(vcdr_error, id=MetricRule.VCDR_ERROR_LONGEST_COLUMN, measure=MeasureRule.VCDR_LONGEST_COLUMN),
)
