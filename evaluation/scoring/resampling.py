"""Intervals of metrics by drawing cases again.

Units (subjects, images or cases) are drawn with replacement; a case takes part as often as its unit was drawn. Metrics
get how often, not which: no case is copied, and what several metrics share is computed once for a block of resamples.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.intervals import Resampled, percentiles
from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.evidence import Evidence, Numbers
from evaluation.metrics.tally import Counts
from evaluation.scoring.drawing import draw_counts, plan_draws


@dataclass(frozen=True, eq=False)
class Question:
    """One metric asked of evidence; `cases`: which case of the list each row of the evidence is, None: one by one."""

    metric: MetricDefinition
    evidence: Evidence
    cases: NDArray[np.intp] | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)


def answer(question: Question) -> float:
    """The metric's value, every case taking part once; NaN where it is undefined."""
    summary = question.metric.summarise(question.evidence, np.ones((1, len(question.evidence))))
    return float(question.metric.value(summary, **question.parameters)[0])


def values(questions: Mapping[str, Question], counts: Counts) -> dict[str, Numbers]:
    """Each metric in each resample; `counts` (resamples × cases) says how often each case takes part."""
    shared: dict[Hashable, Any] = {}
    found = {}
    for key, question in questions.items():
        about = (id(question.evidence), question.metric.summarise)
        if about not in shared:
            taken = counts if question.cases is None else counts[:, question.cases]
            shared[about] = question.metric.summarise(question.evidence, taken)
        found[key] = question.metric.value(shared[about], **question.parameters)
    return found


def intervals(
    questions: Mapping[str, Question], units: Sequence[Hashable], *, resamples: int, seed: int
) -> dict[str, Resampled]:
    """95 % of the resampled values of each metric; `units`: for each case, whose it is."""
    design = plan_draws(len(units), subjects=units)
    blocks = [values(questions, counts) for counts in draw_counts(design, resamples, seed)]
    return {key: percentiles(np.concatenate([block[key] for block in blocks])) for key in questions}
