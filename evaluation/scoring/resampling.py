"""Intervals of metrics by drawing cases again.

Units (subjects, images or cases) are drawn with replacement; a case takes part as often as its unit was drawn. Metrics
get how often, not which: no case is copied, and what several metrics share is computed once for a block of resamples.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consensus.agreement.intervals import Resampled, draws, percentiles
from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.evidence import Evidence, Numbers
from evaluation.metrics.tally import Counts

BLOCK = 32  # resamples at a time: what they need stays in the processor's cache


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
    number = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    unit_of_case = np.array([number[unit] for unit in units], dtype=np.intp)
    one_each = len(number) == len(units)
    blocks = []
    for drawn in _blocks(len(number), resamples, seed):
        blocks.append(values(questions, drawn if one_each else drawn[:, unit_of_case]))
    return {key: percentiles(np.concatenate([block[key] for block in blocks])) for key in questions}


def _blocks(units: int, resamples: int, seed: int) -> Iterator[Counts]:
    """How often each unit was drawn, for some resamples at a time."""
    drawn = draws(units, resamples, seed)
    while block := [np.bincount(one, minlength=units) for one in islice(drawn, BLOCK)]:
        yield np.array(block, dtype=np.float64)
