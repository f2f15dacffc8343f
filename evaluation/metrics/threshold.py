"""Yes or no against yes or no: sensitivity, specificity, accuracy, Cohen's kappa."""

from consensus.agreement.kappa import cohen_kappas
from evaluation.metrics.evidence import Called, Numbers, Scored
from evaluation.metrics.tally import ratio


def called(cases: Scored, *, above: float) -> Called:
    """Positive is a score above the threshold, not one on it."""
    return Called(cases.positive, cases.score > above)


def confusion(cases: Called) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """True positives, false negatives, false positives, true negatives."""
    positive, yes = cases.positive, cases.called
    parts = (positive & yes, positive & ~yes, ~positive & yes, ~positive & ~yes)
    true, missed, extra, right = (part.astype(float) for part in parts)
    return true, missed, extra, right


def sensitivity(totals: Numbers) -> Numbers:
    """TP / (TP + FN); NaN without a positive case."""
    true, missed, _extra, _right = totals.T
    return ratio(true, true + missed)


def specificity(totals: Numbers) -> Numbers:
    """TN / (TN + FP); NaN without a negative case."""
    _true, _missed, extra, right = totals.T
    return ratio(right, right + extra)


def accuracy(totals: Numbers) -> Numbers:
    """(TP + TN) / all; NaN without a case."""
    true, missed, extra, right = totals.T
    return ratio(true + right, true + missed + extra + right)


def kappa(totals: Numbers) -> Numbers:
    """Cohen's kappa of reference and candidate; NaN when both are constant and equal."""
    return cohen_kappas(totals.reshape(-1, 2, 2))
