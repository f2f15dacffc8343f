"""Every grader against the vote of the others or against the reference, on the metrics by which models are scored."""

import csv
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import NotVisible
from annotator.formats.cells import safe_cell
from annotator.models import Job
from annotator.recipe_words import said
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from annotator.views.listing import chosen
from consensus.selectors.letters import graders_shown
from consensus.views.agreement_tables import interval, number
from evaluation.models import GraderScores
from evaluation.selectors.curves import EntryCurves, latest_curves
from evaluation.selectors.graders import latest_scores, scored_from, version_to_score_by
from evaluation.services.grader_scores import AGAINST, KIND, request_scores
from evaluation.views.roc import roc_panel
from protocols.recipe import Recipe
from protocols.scoring import Metric, Track

OTHERS, REFERENCE = AGAINST


@dataclass(frozen=True)
class Cell:
    value: str
    interval: str


@dataclass(frozen=True)
class GraderRow:
    letter: str
    name: str
    cases: int
    left_out: int
    cells: list[Cell]
    adjudicates: bool


@dataclass(frozen=True)
class TrackTable:
    """One track with the metrics that graders can be asked; `together` is all graders as one."""

    key: str
    name: str
    columns: list[str]
    rows: list[GraderRow]
    together: list[Cell]
    panel: Any  # where graders lie on a ROC, if they say yes or no


class GradersPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        scores = latest_scores(self.study)
        context = self.context(
            scores=scores,
            going_on=Job.objects.filter(study=self.study, kind=KIND, finished_at=None).first(),
            can_score=May.FUSE in access.rights(self.user, self.study),
        )
        if scores is not None:
            context |= self._shown(request, scores)
        return render(request, "evaluation/graders.html", context)

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        access.study_for(self.user, study_id, May.FUSE)
        job = request_scores(study=self.study, actor=self.user)
        messages.success(request, _("The graders are being scored."))
        return redirect("job", job.public_id)

    def _shown(self, request: HttpRequest, scores: GraderScores) -> dict[str, Any]:
        offered = [one for one in AGAINST if scores.content["against"][one]["together"]]
        against = chosen(request, "against", offered) or next(iter(offered), OTHERS)
        words = {OTHERS: _("Against the vote of the others"), REFERENCE: _("Against the reference")}
        reveal = May.SEE_ORIGINAL_NAMES in access.rights(self.user, self.study)
        names = {row.code: row.name or "" for row in graders_shown(self.study, reveal=reveal)}
        # Entries are scored against the reference, so their curves lie beside what graders reach against it.
        curves = latest_curves(self.study) if against == REFERENCE else None
        return {
            "against": against,
            "parts": [{"key": one, "label": words[one], "url": f"?against={one}"} for one in offered],
            "only_reference": offered == [REFERENCE],
            "stale": scores.inputs_digest != scored_from(self.study, version_to_score_by(self.study)),
            "tracks": track_tables(recipe_of(self.study), scores.content, against, names, curves),
            "curves": curves,
        }


class GradersTable(StudyView):
    """The scores as a CSV file, with every digit."""

    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        scores = latest_scores(self.study)
        against = request.GET.get("against", OTHERS)
        if scores is None or against not in AGAINST:
            raise NotVisible("not_found", _("There is no such table."))
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="graders-against-{against}.csv"'
        writer = csv.writer(answer)
        writer.writerow(["grader", "metric", "value", "low", "high"])
        part = scores.content["against"][against]
        rows = [(letter, part["rows"][letter]["metrics"]) for letter in scores.content["graders"]]
        for letter, metrics in [*rows, ("all", part["together"])]:
            for key, found in metrics.items():
                writer.writerow([safe_cell(letter), key, *found])
        return answer


def track_tables(
    recipe: Recipe, content: dict[str, Any], against: str, names: dict[str, str], curves: EntryCurves | None = None
) -> list[TrackTable]:
    part = content["against"][against]
    tables = [_table(track, content, part, names, curves) for track in recipe.scoring.tracks]
    return [table for table in tables if table.columns]


def _table(
    track: Track, content: dict[str, Any], part: dict[str, Any], names: dict[str, str], curves: EntryCurves | None
) -> TrackTable:
    metrics = [metric for metric in track.metrics if metric.key in part["together"]]
    rows = []
    points = {}
    for letter in content["graders"]:
        found = part["rows"].get(letter)
        if found is None or not found["cases"].get(track.key):
            continue
        cells = [_cell(metric, found["metrics"].get(metric.key)) for metric in metrics]
        counts = found["cases"][track.key], found["left_out"][track.key]
        rows.append(GraderRow(letter, names.get(letter, ""), *counts, cells, letter in content["adjudicators"]))
        if track.key in found["points"]:
            points[letter] = found["points"][track.key]
    together = [_cell(metric, part["together"].get(metric.key)) for metric in metrics]
    columns = [f"{said(metric.name)}, {metric.unit}" if metric.unit else said(metric.name) for metric in metrics]
    entered = curves.tracks.get(track.key, []) if curves else []
    panel = roc_panel(points, entered) if points else None
    return TrackTable(track.key, said(track.name), columns, rows, together, panel)


def _cell(metric: Metric, found: list[float | None] | None) -> Cell:
    value, low, high = found or (None, None, None)
    digits = 1 if metric.unit == "px" else 3
    return Cell(number(value, digits), interval(low, high, digits))
