"""The monitor: how every grader stands against the final labels, and the alerts. For organisers alone."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.formats.cells import safe_cell
from annotator.models import Job, Membership
from annotator.recipe_words import target_names, word
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from consensus.models import Alert
from consensus.programme.judging import Tally
from consensus.programme.monitoring import WINDOW
from consensus.programme.rates import Rate
from consensus.selectors.agreement import is_read
from consensus.selectors.alerts import alerts_of, open_alerts
from consensus.selectors.drawings import drawings_digest, drawn_targets, latest_drawings
from consensus.selectors.monitor_board import GraderStanding, board_of
from consensus.selectors.monitoring import RECENT, Habits, monitored_labels
from consensus.services.drawings import KIND, request_drawings
from consensus.services.watching import LONGEST_NOTE
from consensus.views.agreement_tables import interval, number
from consensus.views.monitor_drawings import drawing_tables
from consensus.views.monitor_repeats import repeat_lines, repeats_part
from protocols.names import Performance
from protocols.recipe import Recipe
from protocols.targets import Target

MEASURES = (Performance.SENSITIVITY, Performance.SPECIFICITY)
MOST_CLOSED = 50
PARTS = ("total", "window", "independent")


@dataclass(frozen=True)
class RateCell:
    value: str
    interval: str
    counts: str
    below: bool = False


class MonitorPage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        recipe, board = recipe_of(self.study), board_of(self.study)
        closed = alerts_of(self.study).exclude(closed_at=None)
        context = self.context(
            tables=[label_table(recipe, target, board) for target in monitored_labels(recipe)],
            habits=[habit_row(row.member, row.habits) for row in board],
            repeats=repeats_part(self.study, {row.member: row.repeats for row in board}),
            alerts=[alert_words(recipe, alert) for alert in open_alerts(self.study)],
            closed=[alert_words(recipe, alert) for alert in closed[:MOST_CLOSED]],
            **self._drawings(recipe, [row.member for row in board]),
            monitoring=recipe.monitoring,
            confidence=f"{100 * recipe.monitoring.confidence:g}",
            window=WINDOW,
            recent=RECENT,
            longest=LONGEST_NOTE,
        )
        return render(request, "consensus/monitor.html", context)

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        job = request_drawings(study=self.study, actor=self.user)
        messages.success(request, _("The drawings are being compared."))
        return redirect("job", job.public_id)

    def _drawings(self, recipe: Recipe, members: Sequence[Membership]) -> dict[str, Any]:
        if not drawn_targets(recipe):
            return {}
        report = latest_drawings(self.study)
        return {
            "report": report,
            "drawings": drawing_tables(recipe, report, members) if report else [],
            "stale": report is not None and report.inputs_digest != drawings_digest(self.study),
            "going_on": Job.objects.filter(study=self.study, kind=KIND, finished_at=None).first(),
            "can_compare": is_read(self.study),
        }


def label_table(recipe: Recipe, target: Target, board: Sequence[GraderStanding]) -> dict[str, Any]:
    """One row for each grader, with six rates: two measures, each in all, lately, and without the own vote."""
    return {
        "key": target.key,
        "name": target_names(recipe)[target.key],
        "limits": [
            _limit_words(limit.measure, limit.value) for limit in recipe.monitoring.limits if limit.target == target.key
        ],
        "measures": [word(measure) for measure in MEASURES],
        "rows": [
            {
                "member": row.member,
                "finals": row.looks[target.key].finals,
                "alerts": len(row.alerts),
                "cells": [
                    rate_cell(
                        _rate(row, target, part, measure),
                        below=part == "total" and row.is_below(recipe, target.key, measure),
                    )
                    for measure in MEASURES
                    for part in PARTS
                ],
            }
            for row in board
        ],
    }


def _rate(row: GraderStanding, target: Target, part: str, measure: Performance) -> Rate:
    tally: Tally = getattr(row.looks[target.key], part)
    return tally.rate(measure)


def _limit_words(measure: Performance, value: float) -> str:
    return _("%(measure)s at least %(value)s") % {"measure": word(measure), "value": f"{value:.2f}"}


def rate_cell(rate: Rate, *, below: bool = False) -> RateCell:
    if not rate.of:
        return RateCell("–", "", "")
    counts = _("%(right)s of %(of)s") % {"right": f"{rate.right:,}", "of": f"{rate.of:,}"}
    return RateCell(number(rate.value, 2), interval(rate.interval.low, rate.interval.high, 2), counts, below)


def habit_row(member: Membership, habits: Habits) -> dict[str, Any]:
    share = habits.unseen_share
    return {
        "member": member,
        "readings": habits.readings,
        "usual": duration(habits.active_ms),
        "recent": duration(habits.recent_ms),
        "share": f"{100 * share:.1f} %" if share is not None else "–",
        "unseen": habits.unseen,
        "answers": habits.answers,
    }


def duration(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "–"
    seconds = round(milliseconds / 1000)
    if seconds < 60:
        return _("%(seconds)s s") % {"seconds": seconds}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": seconds // 60, "seconds": f"{seconds % 60:02d}"}


def alert_words(recipe: Recipe, alert: Alert) -> dict[str, Any]:
    """An alert in a sentence, with the numbers that it was raised by."""
    digits = 1 if alert.measure == Performance.MEAN_DISTANCE_PX else 3
    values = {
        "measure": word(Performance(alert.measure)),
        "target": target_names(recipe).get(alert.target, alert.target),
        "rate": number(alert.rate, digits),
        "of": f"{alert.of:,}",
        "bound": number(alert.bound, digits),
        "sure": f"{100 * recipe.monitoring.confidence:g}",
        "limit": number(alert.limit, digits),
        "look": f"{alert.look:,}",
    }
    words = _(
        "%(target)s: %(measure)s %(rate)s over %(of)s cases, with %(sure)s %% certainty not above %(bound)s; "
        "the limit is %(limit)s."
    )
    if alert.measure == Performance.MEAN_DISTANCE_PX:
        words = _(
            "%(target)s: %(measure)s %(rate)s over %(of)s cases, with %(sure)s %% certainty not below %(bound)s; "
            "the limit is %(limit)s."
        )
    return {"alert": alert, "member": alert.grader, "words": words % values, "look": values["look"]}


class MonitorTable(StudyView):
    """The table as a CSV file, with every digit."""

    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        recipe, board = recipe_of(self.study), board_of(self.study)
        head = ["grader", "target", "measure", "over", "right", "of", "value", "low", "high"]
        rows: list[Sequence[Any]] = [
            [row.member.code, target.key, measure.value, part, *numbers(_rate(row, target, part, measure))]
            for row in board
            for target in monitored_labels(recipe)
            for measure in MEASURES
            for part in PARTS
        ]
        twice = [line for row in board for line in repeat_lines(row.member, row.repeats)]
        return as_csv("monitor.csv", [head, *rows, *twice])


def numbers(rate: Rate) -> list[Any]:
    if not rate.of:
        return [0, 0, "", "", ""]
    return [rate.right, rate.of, rate.value, rate.interval.low, rate.interval.high]


def as_csv(name: str, rows: Iterable[Sequence[Any]]) -> HttpResponse:
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    writer = csv.writer(answer)
    for row in rows:
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return answer
