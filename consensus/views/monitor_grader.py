"""One grader in the monitor: over time, with the alerts; and an alert is closed."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import NotVisible
from annotator.models import Membership, Role
from annotator.recipe_words import target_names, word
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from consensus.exam_words import marks_shown, measure_heads, rate_head, rate_shown
from consensus.programme.monitoring import WINDOW, Look
from consensus.selectors.alerts import alerts_of
from consensus.selectors.drawings import latest_drawings
from consensus.selectors.exam_rates import further_rates
from consensus.selectors.exams import result_of
from consensus.selectors.monitor_board import looks_of
from consensus.selectors.monitor_repeats import OwnRepeats, own_repeats
from consensus.selectors.monitoring import RECENT, Habits, habits, monitored_labels
from consensus.selectors.removals import removal_of
from consensus.services.watching import LONGEST_NOTE, close_alert
from consensus.views.monitor import MEASURES, PARTS, alert_words, as_csv, habit_row, numbers, rate_cell
from consensus.views.monitor_charts import points_of, rate_panel
from consensus.views.monitor_drawings import drawing_panels
from consensus.views.monitor_repeats import own_stats, repeats_part
from protocols.recipe import Recipe
from protocols.targets import Target


class GraderView(StudyView):
    may = May.MANAGE

    def member(self, member_id: str) -> Membership:
        graders = Membership.objects.filter(study=self.study, role=Role.GRADER).select_related("user")
        member = graders.filter(public_id=member_id).first()
        if member is None:
            raise NotVisible("not_found", _("There is no such grader in this study."))
        return member


class GraderMonitorPage(GraderView):
    def get(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        member, recipe = self.member(member_id), recipe_of(self.study)
        mine = alerts_of(self.study).filter(grader=member)
        labels, report = monitored_labels(recipe), latest_drawings(self.study)
        own = own_repeats(self.study, member).get(member.pk, OwnRepeats())
        context = self.context(
            member=member,
            removal=removal_of(member),
            parts=[over_time(recipe, target, looks_of(self.study, member, target)) for target in labels],
            drawn=drawing_panels(recipe, report, member) if report else [],
            alerts=[alert_words(recipe, alert) for alert in mine.filter(closed_at=None)],
            closed=[alert_words(recipe, alert) for alert in mine.exclude(closed_at=None)],
            habit=habit_row(member, habits(self.study, member).get(member.pk, Habits())),
            repeats=repeats_part(self.study, {member: own}),
            twice=own_stats(recipe, own),
            exam=_in_the_exam(member),
            window=WINDOW,
            recent=RECENT,
            longest=LONGEST_NOTE,
        )
        return render(request, "consensus/monitor_grader.html", context)


def _in_the_exam(member: Membership) -> list[tuple[str, dict[str, Any]]]:
    """On images of known truth, where no vote of anybody counts: what was measured, and how it came out."""
    result = result_of(member)
    if result is None:
        return []
    by_limits = list(zip(measure_heads(result.exam), marks_shown(result.exam, result), strict=True))
    return [*by_limits, *((rate_head(result.exam, one), rate_shown(one)) for one in further_rates(result))]


def over_time(recipe: Recipe, target: Target, looks: Sequence[Look]) -> dict[str, Any]:
    limits = {limit.measure: limit.value for limit in recipe.monitoring.limits if limit.target == target.key}
    panels = [rate_panel(looks, measure, limits.get(measure)) for measure in MEASURES]
    return {
        "key": target.key,
        "name": target_names(recipe)[target.key],
        "finals": looks[-1].finals if looks else 0,
        "panels": [panel for panel in panels if panel is not None],
        "tables": [
            {
                "measure": word(measure),
                "rows": [
                    {"finals": point.finals, "cells": [rate_cell(getattr(point, part)) for part in PARTS]}
                    for point in reversed(points_of(looks, measure))
                ],
            }
            for measure in MEASURES
        ],
    }


class GraderLooksTable(GraderView):
    """Every look as a CSV file."""

    def get(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        member, recipe = self.member(member_id), recipe_of(self.study)
        head = ["grader", "target", "final_labels", "measure", "over", "right", "of", "value", "low", "high"]
        rows: list[Sequence[Any]] = [
            [member.code, target.key, look.finals, measure.value, part, *numbers(getattr(look, part).rate(measure))]
            for target in monitored_labels(recipe)
            for look in looks_of(self.study, member, target)
            for measure in MEASURES
            for part in PARTS
        ]
        return as_csv(f"monitor-{member.code}.csv", [head, *rows])


class CloseAlert(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, alert_id: str) -> HttpResponse:
        alert = alerts_of(self.study).filter(public_id=alert_id).first()
        if alert is None:
            raise NotVisible("not_found", _("There is no such alert."))
        close_alert(alert=alert, actor=self.user, note=request.POST.get("note", ""))
        messages.success(
            request, _("The alert is closed. Only labels that become final from now on count for the next.")
        )
        after = request.POST.get("next", "")
        if url_has_allowed_host_and_scheme(after, allowed_hosts=None):
            return redirect(after)
        return redirect("monitor", study_id)
