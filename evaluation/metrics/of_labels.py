"""Metrics of yes and no, and of numbers that speak for yes."""

from dataclasses import replace

from evaluation.metrics import calibration, roc, threshold
from evaluation.metrics.definition import ALWAYS, Law, MetricDefinition
from evaluation.metrics.evidence import Called, Scored
from evaluation.metrics.tally import share, sums
from protocols.scoring_names import Direction, MetricRule

ON_THE_CURVE = ALWAYS | {Law.IDENTITY, Law.RANKS_ONLY}
ONE_CLASS = "undefined without a positive or without a negative case in the reference"

auc = MetricDefinition(
    id=MetricRule.AUC,
    needs=Scored,
    summarise=roc.curve,
    value=roc.auc,
    direction=Direction.HIGHER,
    empty=ONE_CLASS,
    laws=ON_THE_CURVE,
)
sensitivity = MetricDefinition(
    id=MetricRule.SENSITIVITY,
    needs=Called,
    summarise=sums(threshold.confusion),
    value=threshold.sensitivity,
    direction=Direction.HIGHER,
    empty="undefined without a positive case in the reference",
    laws=ALWAYS | {Law.IDENTITY},
)
brier = MetricDefinition(
    id="brier",
    needs=Scored,
    summarise=sums(calibration.squared_error),
    value=share,
    direction=Direction.LOWER,
    empty="undefined without cases",
    laws=ALWAYS | {Law.IDENTITY},
)
LABEL_METRICS = (
    auc,
    replace(auc, id=MetricRule.PARTIAL_AUC, value=roc.partial_auc, parameters={"max_fpr": 0.1}),
    replace(auc, id=MetricRule.SENSITIVITY_AT_STEP, value=roc.sensitivity_at_step, parameters={"specificity": 0.85}),
    replace(
        auc, id=MetricRule.SENSITIVITY_AT_POLYLINE, value=roc.sensitivity_at_polyline, parameters={"specificity": 0.85}
    ),
    sensitivity,
    replace(
        sensitivity,
        id=MetricRule.SPECIFICITY,
        value=threshold.specificity,
        empty="undefined without a negative case in the reference",
    ),
    replace(
        sensitivity,
        id="accuracy",
        value=threshold.accuracy,
        empty="undefined without cases",
        laws=ALWAYS | {Law.IDENTITY, Law.SYMMETRY},
    ),
    replace(
        sensitivity,
        id=MetricRule.COHEN_KAPPA,
        value=threshold.kappa,
        low=-1.0,
        empty="undefined when both sides say the same of every case",
        laws=ALWAYS | {Law.IDENTITY, Law.SYMMETRY},
    ),
    brier,
    replace(
        brier,
        id="calibration-error-10-bins",
        summarise=sums(calibration.gaps),
        value=calibration.expected_error,
    ),
)
