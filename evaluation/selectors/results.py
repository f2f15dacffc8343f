"""Scorecards of submissions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from annotator.models.job import JobState
from evaluation.models import Phase, Scorecard, Submission
from protocols.recipe import Recipe
from protocols.scoring import Metric, Track

WITHDRAWN, SCORED, WAITING, FAILED = "withdrawn", "scored", "waiting", "failed"


def present_cards(submissions: Iterable[Submission]) -> dict[int, Scorecard]:
    """By submission: its scorecard of the version that its phase has now; without what fills whole pages."""
    cards = Scorecard.objects.filter(submission__in=list(submissions), version=F("submission__phase__version"))
    return {card.submission_id: card for card in cards.defer("cases", "evidence", "notes").order_by("pk")}


def present_card(submission: Submission) -> Scorecard | None:
    cards = Scorecard.objects.filter(submission=submission, version=submission.phase.version_id)
    return cards.select_related("version").order_by("-pk").first()


def lines_of_case(lines: Iterable[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The lines of a case in the table: one, or where a picture is several cases one for each of them."""
    return [line for line in lines if picture_of(line["case"]) == name]


def picture_of(case: str) -> str:
    """Whose picture it is: `NAME:left` and `NAME:right` are one."""
    return case.partition(":")[0]


def older_cards(submission: Submission, present: Scorecard | None) -> QuerySet[Scorecard]:
    rows = Scorecard.objects.filter(submission=submission).select_related("version").defer("cases", "evidence")
    return (rows.exclude(pk=present.pk) if present else rows).order_by("-pk")


def state_of(submission: Submission, card: Scorecard | None) -> str:
    if submission.withdrawn:
        return WITHDRAWN
    if card is not None:
        return SCORED
    ended = submission.job is not None and submission.job.state in (JobState.FAILED, JobState.CANCELLED)
    return FAILED if ended else WAITING


@dataclass(frozen=True)
class MetricRow:
    """A metric of the recipe with its value and interval; None where it is undefined."""

    track: Track
    metric: Metric
    value: float | None
    low: float | None
    high: float | None


def metric_rows(recipe: Recipe, card: Scorecard) -> list[MetricRow]:
    """In the recipe's order; of the tracks that were scored."""
    rows = []
    for track in recipe.scoring.tracks:
        for metric in track.metrics:
            if metric.key in card.metrics:
                low, high = card.intervals.get(metric.key) or (None, None)
                rows.append(MetricRow(track, metric, card.metrics[metric.key], low, high))
    return rows


def unscored_tracks(recipe: Recipe, card: Scorecard) -> list[Track]:
    return [track for track in recipe.scoring.tracks if not any(metric.key in card.metrics for metric in track.metrics)]


def submissions_of(phase: Phase) -> QuerySet[Submission]:
    return Submission.objects.filter(phase=phase).select_related("team", "job").order_by("pk")
