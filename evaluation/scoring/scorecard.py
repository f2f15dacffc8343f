"""A candidate scored by a recipe: each metric by the rule, in the edition and with the parameters the recipe names."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.formats.fault import gettext_noop
from consensus.agreement.icc import Interval
from evaluation.metrics.evidence import Called, Evidence, Scored
from evaluation.metrics.registry import METRICS
from evaluation.metrics.threshold import called
from evaluation.scoring.note import Note
from evaluation.scoring.resampling import Question, answer, intervals
from protocols import Recipe
from protocols.scoring import Track
from protocols.scoring_names import EditionKey

ABOVE = "above"
"""The parameter that makes yes and no of scores."""
UNDEFINED = gettext_noop("%(metric)s is null: %(rule)s.")
LEFT_OUT = gettext_noop("ci of %(metric)s: %(count)s of %(total)s resamples are undefined, left out.")
DIFFERENCE = gettext_noop("%(where)s: %(text)s")


@dataclass(frozen=True)
class About:
    """What evidence is about: the targets, and the label that counts as positive if not the target's own."""

    kind: type[Evidence]
    targets: tuple[str, ...]
    positive: str | None = None


@dataclass(frozen=True)
class TrackFindings:
    """What was found of one track: its cases in order, evidence with one row for each of them, and the columns of the
    table of cases. `labels`: of each case by the reference, where a metric leaves some labels out."""

    track: str
    cases: Sequence[str]
    evidence: Mapping[About, Evidence]
    values: Mapping[str, Sequence[Any]]
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class Findings:
    """All that scoring needs of a submission and its reference.

    `names`: every case as it is shown, by what it is matched by, in the order of the table of cases. `units`: what a
    case belongs to and is drawn with, where that is not the case itself.
    """

    names: Mapping[str, str]
    tracks: Sequence[TrackFindings]
    units: Mapping[str, Hashable] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Scorecard:
    """Numbers may be NaN: undefined. `intervals` is empty where none were asked for."""

    edition: EditionKey
    metrics: Mapping[str, float]
    intervals: Mapping[str, Interval]
    cases: Sequence[Mapping[str, Any]]
    notes: Sequence[str]


Further = Callable[[Track, TrackFindings], tuple[dict[str, Question], list[str]]]
"""Questions that the recipe does not ask, and notes on them."""


def score(
    recipe: Recipe,
    edition: EditionKey,
    findings: Findings,
    *,
    resamples: int = 0,
    seed: int = 0,
    further: Further | None = None,
) -> Scorecard:
    """Every metric of the tracks that were found, and what is `further` asked; with resamples also their intervals."""
    metrics: dict[str, float] = {}
    bounds: dict[str, Interval] = {}
    notes = list(findings.notes)
    tracks = {found.track: found for found in findings.tracks}
    for track in recipe.scoring.tracks:
        if track.key not in tracks:
            continue
        questions = questions_of_track(track, edition, tracks[track.key])
        if further:
            more, remarks = further(track, tracks[track.key])
            questions |= more
            notes += remarks
        for key, question in questions.items():
            metrics[key] = answer(question)
            if np.isnan(metrics[key]):
                notes.append(Note(UNDEFINED, metric=key, rule=Note(question.metric.empty)))
        if resamples:
            units = [findings.units.get(case, case) for case in tracks[track.key].cases]
            for key, resampled in intervals(questions, units, resamples=resamples, seed=seed).items():
                bounds[key] = resampled.interval
                if resampled.undefined:
                    notes.append(Note(LEFT_OUT, metric=key, count=resampled.undefined, total=resamples))
    notes += [Note(DIFFERENCE, where=Note(known.where), text=Note(known.text)) for known in recipe.scoring.differences]
    return Scorecard(edition, metrics, bounds, _table(findings), notes)


def questions_of_track(track: Track, edition: EditionKey, found: TrackFindings) -> dict[str, Question]:
    """Metrics whose evidence was not given are not asked. Those that ask the same cases share one evidence."""
    questions: dict[str, Question] = {}
    asked: dict[Hashable, tuple[Evidence, NDArray[np.intp] | None]] = {}
    for metric in track.metrics:
        definition = METRICS[metric.rule(edition)]
        parameters = {parameter.key: parameter.value for parameter in metric.parameters}
        above = parameters.pop(ABOVE, None)
        about = About(definition.needs, metric.targets, metric.positive)
        whose = (about, metric.leaves_out, above)
        if whose not in asked:
            evidence = _evidence(about, above, found)
            if evidence is None:
                continue
            asked[whose] = without(evidence, metric.leaves_out, found.labels)
        evidence, cases = asked[whose]
        questions[metric.key] = Question(definition, evidence, cases, parameters)
    return questions


def _evidence(about: About, above: float | None, found: TrackFindings) -> Evidence | None:
    if above is None or about.kind is not Called:
        return found.evidence.get(about)
    scores = found.evidence.get(replace(about, kind=Scored))
    return called(scores, above=above) if isinstance(scores, Scored) else None


def without(
    evidence: Evidence, leaves_out: Sequence[str], labels: Sequence[str]
) -> tuple[Evidence, NDArray[np.intp] | None]:
    """Without the cases whose reference has one of these labels."""
    if not leaves_out:
        return evidence, None
    cases = np.flatnonzero(~np.isin(np.array(labels), leaves_out))
    return evidence.take(cases), cases


def _table(findings: Findings) -> list[dict[str, Any]]:
    """One line for each case with the values of every track; None where a track does not have the case."""
    columns = [column for found in findings.tracks for column in found.values]
    lines = {key: {"case": name, **dict.fromkeys(columns)} for key, name in findings.names.items()}
    for found in findings.tracks:
        for column, values in found.values.items():
            for case, value in zip(found.cases, values, strict=True):
                lines[case][column] = value
    return list(lines.values())
