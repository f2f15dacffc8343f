"""Whether a structure that is there was found: F1 of the images, any pixel counts (ADAM)."""

from evaluation.metrics.evidence import Numbers, Overlaps
from evaluation.metrics.tally import ratio


def found_or_not(masks: Overlaps) -> tuple[Numbers, Numbers, Numbers]:
    """True positives, false positives and false negatives."""
    there, called = masks.reference_px > 0, masks.candidate_px > 0
    return (there & called).astype(float), (~there & called).astype(float), (there & ~called).astype(float)


def f1(totals: Numbers) -> Numbers:
    """2TP / (2TP + FP + FN); NaN when all three are 0."""
    true, extra, missed = totals.T
    return ratio(2 * true, 2 * true + extra + missed)
