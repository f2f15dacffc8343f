"""Metrics of objects in label images: pooled over all images as the paper says, and per image as the code has it."""

import math
from dataclasses import replace

from evaluation.metrics import objects
from evaluation.metrics.definition import ALWAYS, Law, MetricDefinition
from evaluation.metrics.tally import share, sums
from protocols.scoring_names import Direction, MetricRule

f1 = MetricDefinition(
    id=MetricRule.OBJECT_F1_POOLED,
    needs=objects.ObjectSums,
    summarise=sums(objects.half_covered),
    value=objects.f1,
    direction=Direction.HIGHER,
    empty="both sides empty 1, one side empty 0, for the whole set",
    laws=ALWAYS | {Law.IDENTITY},
)
dice = replace(
    f1,
    id=MetricRule.OBJECT_DICE_POOLED,
    summarise=sums(objects.dice_sums),
    value=objects.object_dice,
    laws=ALWAYS | {Law.IDENTITY, Law.SYMMETRY},
)
hausdorff = replace(
    dice,
    id=MetricRule.OBJECT_HAUSDORFF_POOLED,
    summarise=sums(objects.hausdorff_sums),
    value=objects.object_hausdorff,
    direction=Direction.LOWER,
    high=math.inf,
    empty="an image with one side empty counts with its diagonal; neither side has objects: 0",
)
ari = replace(
    dice,
    id=MetricRule.ARI_POOLED,
    summarise=sums(objects.pairs_of_pixels),
    value=objects.rand_index,
    low=-1.0,
    empty="one object on either side, or every pixel its own: 1",
)
OBJECT_METRICS = (
    *(f1, dice, hausdorff, ari),
    replace(
        f1,
        id=MetricRule.OBJECT_F1_PER_IMAGE,
        summarise=sums(objects.mean_of_images(objects.more_covered, objects.f1)),
        value=share,
        empty="both sides of an image empty 1, one side empty 0",
    ),
    replace(
        dice,
        id=MetricRule.OBJECT_DICE_PER_IMAGE,
        summarise=sums(objects.mean_of_images(objects.dice_sums, objects.object_dice)),
        value=share,
        empty="both sides of an image empty 1, one side empty 0",
    ),
    replace(
        hausdorff,
        id=MetricRule.OBJECT_HAUSDORFF_PER_IMAGE,
        summarise=sums(objects.mean_of_images(objects.hausdorff_sums, objects.object_hausdorff)),
        value=share,
        empty="one side of an image empty: its diagonal; both: 0",
    ),
    replace(
        ari,
        id=MetricRule.ARI_PER_IMAGE,
        summarise=sums(objects.mean_of_images(objects.pairs_of_pixels, objects.rand_index)),
        value=share,
    ),
)
