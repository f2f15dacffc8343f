"""How far masks overlap: Dice, Jaccard, and whether a structure was found at all."""

import numpy as np

from evaluation.metrics.evidence import Numbers, Overlaps
from evaluation.metrics.tally import mean_of, mean_where, ratio


def dice(masks: Overlaps) -> Numbers:
    """2|R∩C| / (|R| + |C|) of each case; NaN where both masks are empty."""
    return ratio(2 * masks.shared_px, masks.reference_px + masks.candidate_px)


def jaccard(masks: Overlaps) -> Numbers:
    """|R∩C| / |R∪C| of each case; NaN where both masks are empty."""
    return ratio(masks.shared_px, masks.reference_px + masks.candidate_px - masks.shared_px)


def or_one(values: Numbers) -> Numbers:
    """The rule of REFUGE: two empty masks agree fully."""
    return np.where(np.isnan(values), 1.0, values)


def mean_dice(masks: Overlaps) -> tuple[Numbers, Numbers]:
    return mean_of(or_one(dice(masks)))


def mean_jaccard(masks: Overlaps) -> tuple[Numbers, Numbers]:
    return mean_of(or_one(jaccard(masks)))


def mean_dice_where_present(masks: Overlaps) -> tuple[Numbers, Numbers]:
    """Over the cases whose reference has the structure, as ADAM does."""
    return mean_where(dice(masks), masks.reference_px > 0)
