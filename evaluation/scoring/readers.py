"""Graders as entries: every grader scored like a model, and all of them together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from consensus.agreement.icc import Interval
from consensus.agreement.intervals import percentiles, wilson
from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.evidence import Called, Evidence, Numbers
from evaluation.scoring.beside import ROWS, Beside, asked_of
from evaluation.scoring.drawing import draw_counts, plan_draws
from evaluation.scoring.resampling import Question, values
from evaluation.scoring.scorecard import About, Findings, TrackFindings, questions_of_track
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey


@dataclass(eq=False)
class TrackRows:
    """What one grader's photographs give to one track; `left_out` counts those that cannot be compared: the other side
    is open, or one of both has no place to measure from."""

    asked: Mapping[About, MetricDefinition]
    cases: list[str] = field(default_factory=list)
    rows: dict[About, list[Evidence]] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    left_out: int = 0


@dataclass(frozen=True)
class OperatingPoint:
    """Where a grader's yes and no lie on a ROC; both intervals are Wilson's."""

    sensitivity: float
    sensitivity_interval: Interval
    specificity: float
    specificity_interval: Interval
    positives: int
    negatives: int


class ReaderRows:
    """One grader's answers, photograph after photograph; of masks only a few numbers are kept."""

    def __init__(self, recipe: Recipe, edition: EditionKey) -> None:
        self.recipe, self.edition = recipe, edition
        asked = {track.key: asked_of(track, edition, recipe) for track in recipe.scoring.tracks}
        self.tracks = {key: TrackRows(found) for key, found in asked.items() if found}
        self.names: dict[str, str] = {}
        self.units: dict[str, int] = {}

    def add(self, beside: Beside) -> None:
        for rows in self.tracks.values():
            for suffix, place in self._parts():
                self._add(rows, beside, suffix, place)

    def _parts(self) -> Sequence[tuple[str, int | None]]:
        """A picture that is scored as several cases gives each of them one of a metric's targets."""
        suffixes = self.recipe.scoring.case_suffixes
        return [(f":{suffix}", place) for place, suffix in enumerate(suffixes)] or [("", None)]

    def _add(self, rows: TrackRows, beside: Beside, suffix: str, place: int | None) -> None:
        parts = {about: _part(about, place) for about in rows.asked}
        targets = {target for part in parts.values() for target in part.targets}
        if not targets <= beside.candidate.keys():
            return
        if not targets <= beside.reference.keys():
            rows.left_out += 1
            return
        found = {
            about: ROWS[about.kind](parts[about], metric, beside, self.recipe) for about, metric in rows.asked.items()
        }
        known = {about: row for about, row in found.items() if row is not None}
        if len(known) < len(found):
            rows.left_out += 1
            return
        case = beside.name + suffix
        self.names[case], self.units[case] = case, beside.subject
        rows.cases.append(case)
        rows.labels.append(next((beside.reference[one].label for one in sorted(targets)), ""))
        for about, row in known.items():
            rows.rows.setdefault(about, []).append(row)

    def findings(self) -> Findings:
        tracks = [
            TrackFindings(key, rows.cases, _joined(rows.rows), {}, rows.labels)
            for key, rows in self.tracks.items()
            if rows.cases
        ]
        return Findings(self.names, tracks, self.units)

    def operating_points(self) -> dict[str, OperatingPoint]:
        """By track, where yes and no are said of the cases that its metrics ask about."""
        found = {}
        for track in self.findings().tracks:
            known = next(one for one in self.recipe.scoring.tracks if one.key == track.track)
            asked = questions_of_track(known, self.edition, track).values()
            said = next((question.evidence for question in asked if isinstance(question.evidence, Called)), None)
            if said is not None:
                found[track.track] = operating_point(said)
        return found


def operating_point(said: Called) -> OperatingPoint:
    """Sensitivity and specificity; NaN without positives or without negatives."""
    positives, negatives = int(said.positive.sum()), int((~said.positive).sum())
    hits, rejections = int((said.positive & said.called).sum()), int((~said.positive & ~said.called).sum())
    return OperatingPoint(
        hits / positives if positives else np.nan,
        wilson(hits, positives),
        rejections / negatives if negatives else np.nan,
        wilson(rejections, negatives),
        positives,
        negatives,
    )


@dataclass(frozen=True)
class Together:
    """All graders as one entry: every photograph weighs the same, however many have read it."""

    metrics: Mapping[str, float]
    intervals: Mapping[str, Interval]


def together(readers: Sequence[ReaderRows], *, resamples: int, seed: int) -> Together:
    """Intervals by drawing subjects; a photograph that k graders have read counts 1/k with each."""
    metrics: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    if not readers:
        return Together(metrics, intervals)
    units = {case: unit for reader in readers for case, unit in reader.units.items()}
    findings = [reader.findings() for reader in readers]
    recipe, edition = readers[0].recipe, readers[0].edition
    for track in recipe.scoring.tracks:
        parts = [found for one in findings for found in one.tracks if found.track == track.key]
        if not parts:
            continue
        whole = _whole(parts)
        questions = questions_of_track(track, edition, whole)
        read = Counter(whole.cases)
        weights = np.array([1 / read[case] for case in whole.cases])
        metrics |= {key: float(value[0]) for key, value in values(questions, weights[None, :]).items()}
        if resamples:
            intervals |= _intervals(questions, [units[case] for case in whole.cases], weights, resamples, seed)
    return Together(metrics, intervals)


def _intervals(
    questions: Mapping[str, Question], units: Sequence[int], weights: Numbers, resamples: int, seed: int
) -> dict[str, Interval]:
    design = plan_draws(len(units), subjects=units)
    blocks = [values(questions, counts * weights) for counts in draw_counts(design, resamples, seed)]
    return {key: percentiles(np.concatenate([block[key] for block in blocks])).interval for key in questions}


def _whole(parts: Sequence[TrackFindings]) -> TrackFindings:
    return TrackFindings(
        parts[0].track,
        [case for part in parts for case in part.cases],
        {about: _of_kind(about, [part.evidence[about] for part in parts]) for about in parts[0].evidence},
        {},
        [label for part in parts for label in part.labels],
    )


def _joined(rows: Mapping[About, Sequence[Evidence]]) -> dict[About, Evidence]:
    return {about: _of_kind(about, found) for about, found in rows.items()}


def _of_kind(about: About, parts: Sequence[Evidence]) -> Evidence:
    return about.kind.joined(parts)


def _part(about: About, place: int | None) -> About:
    return about if place is None else replace(about, targets=(about.targets[place],))
