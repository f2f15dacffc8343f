"""Metrics beyond a protocol's paper, of the evidence that is there; each with the example of its parameters."""

from annotator.formats.fault import gettext_noop
from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.registry import METRICS
from evaluation.scoring.note import Note
from evaluation.scoring.resampling import Question, answer
from evaluation.scoring.scorecard import About, TrackFindings, without
from protocols.scoring import Track
from protocols.scoring_names import MetricRule

BEYOND = tuple(metric for metric in METRICS.values() if metric.id not in set(MetricRule))


def key_beyond(metric: MetricDefinition, about: About) -> str:
    """The metric's id and what it is about: `hd95-pooled:cup`."""
    about_what = "+".join(about.targets) + (f"={about.positive}" if about.positive else "")
    return f"{metric.id}:{about_what}"


def questions_beyond(track: Track, found: TrackFindings) -> tuple[dict[str, Question], list[str]]:
    """What can be asked, with notes on parameters and on what cannot: scores outside 0 … 1 have no Brier score."""
    questions: dict[str, Question] = {}
    notes: list[str] = []
    for about, evidence in found.evidence.items():
        same = (one for one in track.metrics if (one.targets, one.positive) == (about.targets, about.positive))
        taken, cases = without(evidence, next((one.leaves_out for one in same), ()), found.labels)
        for metric in BEYOND:
            if metric.needs is not about.kind:
                continue
            key = key_beyond(metric, about)
            question = Question(metric, taken, cases, metric.parameters)
            try:
                answer(question)
            except ValueError as fault:
                notes.append(Note(gettext_noop("%(metric)s is not given: %(reason)s."), metric=key, reason=str(fault)))
                continue
            questions[key] = question
            if metric.parameters:
                told = ", ".join(f"{name} = {value:g}" for name, value in metric.parameters.items())
                notes.append(Note(gettext_noop("%(metric)s: %(parameters)s."), metric=key, parameters=told))
    return questions, notes
