"""Several entries asked the same questions, in the same resamples, so that they are compared case by case."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.metrics.evidence import Numbers
from evaluation.metrics.tally import share
from evaluation.scoring.drawing import Design, draw_counts, plan_draws
from evaluation.scoring.resampling import Question, answer, values
from evaluation.scoring.scorecard import Findings, questions_of_track
from protocols import Recipe
from protocols.scoring_names import EditionKey

Questions = Mapping[str, Question]


@dataclass(frozen=True, eq=False)
class Field:
    """What entries are asked; every question numbers its cases as `cases` does, of which `units` are drawn with."""

    names: tuple[str, ...]
    questions: tuple[Questions, ...]
    cases: tuple[str, ...]
    units: tuple[Hashable, ...]

    @property
    def keys(self) -> list[str]:
        """The metrics that anybody has, in order."""
        return list(dict.fromkeys(key for asked in self.questions for key in asked))

    def design(self) -> Design:
        return plan_draws(len(self.cases), subjects=self.units)


def enter(recipe: Recipe, edition: EditionKey, entries: Mapping[str, Findings]) -> Field:
    """Entries that were scored against one reference; one that lacks a track is not asked its metrics."""
    cases = list(dict.fromkeys(case for findings in entries.values() for case in findings.names))
    number = {case: place for place, case in enumerate(cases)}
    units = {case: unit for findings in entries.values() for case, unit in findings.units.items()}
    questions = [_questions(recipe, edition, findings, number) for findings in entries.values()]
    return Field(tuple(entries), tuple(questions), tuple(cases), tuple(units.get(case, case) for case in cases))


def values_of_entries(field: Sequence[Questions], keys: Sequence[str]) -> dict[str, Numbers]:
    """By metric, the value of each entry; NaN where it is undefined or not asked."""
    return {key: np.array([answer(asked[key]) if key in asked else np.nan for asked in field]) for key in keys}


def resample_entries(
    field: Sequence[Questions], keys: Sequence[str], design: Design, *, resamples: int, seed: int
) -> dict[str, Numbers]:
    """By metric, resamples × entries. All entries see the same draws, whatever the design says is drawn."""
    blocks: dict[str, list[Numbers]] = {key: [] for key in keys}
    for counts in draw_counts(design, resamples, seed):
        found = [values(asked, counts) for asked in field]
        unknown = np.full(len(counts), np.nan)
        for key in keys:
            blocks[key].append(np.stack([own.get(key, unknown) for own in found], axis=1))
    return {key: np.concatenate(own) for key, own in blocks.items()}


def values_by_case(question: Question) -> Numbers | None:
    """The metric of each row of its evidence alone, if it is the mean of these; None if it is no mean over cases."""
    if question.metric.value is not share:
        return None
    return values({"": replace(question, cases=None)}, np.eye(len(question.evidence)))[""]


def _questions(recipe: Recipe, edition: EditionKey, findings: Findings, number: Mapping[str, int]) -> Questions:
    tracks = {found.track: found for found in findings.tracks}
    asked: dict[str, Question] = {}
    for track in recipe.scoring.tracks:
        if track.key in tracks:
            places = np.array([number[case] for case in tracks[track.key].cases])
            for key, question in questions_of_track(track, edition, tracks[track.key]).items():
                own = places if question.cases is None else places[question.cases]
                asked[key] = replace(question, cases=own)
    return asked
