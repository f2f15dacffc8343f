"""Any metrics of several entries in the same resamples, so that entries are compared case by case."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.metrics.evidence import Numbers
from evaluation.scoring.drawing import Design, draw_counts
from evaluation.scoring.resampling import Question, answer, values


def values_of_entries(entries: Sequence[Mapping[str, Question]]) -> dict[str, Numbers]:
    """By metric, the value of each entry; every entry is asked the same questions of its own evidence."""
    return {key: np.array([answer(questions[key]) for questions in entries]) for key in entries[0]}


def resample_entries(
    entries: Sequence[Mapping[str, Question]], design: Design, *, resamples: int, seed: int
) -> dict[str, Numbers]:
    """By metric, resamples × entries. All entries see the same draws, whatever the design says is drawn."""
    blocks = [[values(questions, counts) for questions in entries] for counts in draw_counts(design, resamples, seed)]
    return {
        key: np.concatenate([np.stack([of_entry[key] for of_entry in block], axis=1) for block in blocks])
        for key in entries[0]
    }
