"""One submission: what came of it, its cases from the worst on, and the report to take away."""

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.selectors.recipes import recipe_of
from annotator.views.listing import chosen
from consensus.charts import Panel
from evaluation.access import Seat
from evaluation.files.report import as_case_table
from evaluation.models import Scorecard, Submission
from evaluation.scoring import kept, note
from evaluation.selectors.curves import Points, grader_points
from evaluation.selectors.results import metric_rows, older_cards, picture_of, present_card, unscored_tracks
from evaluation.services.submitting import withdraw
from evaluation.views.base import ChallengeView, attachment
from evaluation.views.case_table import CaseColumn, case_columns, lines_shown, sorted_cases
from evaluation.views.entry_charts import box_panels, roc_panels
from evaluation.views.words import interval, number, submission_state
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey

ON_A_PAGE = 25


class SubmissionPage(ChallengeView):
    def get(self, request: HttpRequest, challenge_id: str, submission_id: str) -> HttpResponse:
        submission = self.submission(submission_id)
        card = present_card(submission)
        waits = card is None and submission.job is not None and not submission.job.finished
        context = self.context(
            submission=submission,
            state=submission_state(self.seat, submission, card),
            shows=self.seat.sees_results(submission.phase),
            job=submission.job if waits and self.seat.sees_results(submission.phase) else None,
            job_url=reverse("api_submission_job", args=[challenge_id, submission_id]),
            may_withdraw=self.seat.team is not None
            and not submission.withdrawn
            and timezone.now() < submission.phase.closes_at,
        )
        if card is not None and self.seat.sees_results(submission.phase):
            context |= self._result(request, submission, card)
        return render(request, "evaluation/submission.html", context)

    def _result(self, request: HttpRequest, submission: Submission, card: Scorecard) -> dict[str, Any]:
        recipe = recipe_of(self.study)
        context: dict[str, Any] = {
            "card": card,
            **told_metrics(recipe, card),
            "older": list(older_cards(submission, card)),
        }
        if self.seat.sees_cases(submission.phase):
            columns = case_columns(recipe, card)
            key = chosen(request, "sort", [column.key for column in columns]) or columns[0].key if columns else ""
            page = page_of_cases(request, sorted_cases(lines_shown(card), columns, key))
            context |= {
                "columns": columns,
                "sorted_by": key,
                "page": page,
                "lines": [
                    [line["case"], picture_of(line["case"]), [number(line.get(column.key)) for column in columns]]
                    for line in page
                ],
                "notes": told_notes(card),
                "panels": charts_of(self.seat, recipe, submission, card, columns),
            }
        return context


def charts_of(
    seat: Seat, recipe: Recipe, submission: Submission, card: Scorecard, columns: Sequence[CaseColumn]
) -> list[Panel]:
    """For those who see single cases; graders' points for those who see readings."""

    def graders(track: str) -> Points:
        return grader_points(seat.challenge.study, track) if seat.oversees else {}

    findings = kept.unpack(bytes(card.evidence))
    edition, team = EditionKey(card.edition), submission.team.name
    curves = roc_panels(recipe, edition, findings, team=team, graders=graders)
    return [*curves, *box_panels(lines_shown(card), columns)]


def told_notes(card: Scorecard) -> list[str]:
    """In the reader's language."""
    return [str(note.said(note.restored(one), _)) for one in card.notes]


def told_metrics(recipe: Recipe, card: Scorecard) -> dict[str, Any]:
    """Metrics by track, as pages and reports show them."""
    rows = metric_rows(recipe, card)
    return {
        "tracks": [
            {
                "name": _(track.name),
                "rows": [
                    {
                        "name": _(row.metric.name),
                        "key": row.metric.key,
                        "unit": row.metric.unit,
                        "value": number(row.value),
                        "interval": interval(row.low, row.high),
                        "better": _("higher is better") if row.metric.direction == "higher" else _("lower is better"),
                    }
                    for row in rows
                    if row.track.key == track.key
                ],
            }
            for track in recipe.scoring.tracks
            if any(row.track.key == track.key for row in rows)
        ],
        "unscored": [_(track.name) for track in unscored_tracks(recipe, card)],
        "differences": [(_(known.where), _(known.text)) for known in recipe.scoring.differences],
    }


def page_of_cases(request: HttpRequest, lines: list[Mapping[str, Any]]) -> "Page[Mapping[str, Any]]":
    return Paginator(lines, ON_A_PAGE).get_page(request.GET.get("page"))


class CardView(ChallengeView):
    """What is taken away of a scored submission."""

    def card(self, submission: Submission) -> Scorecard:
        self.seat.require_results(submission.phase)
        card = present_card(submission)
        if card is None:
            raise Conflict("not_scored", _("This submission is not scored yet."))
        return card

    def name(self, submission: Submission, what: str) -> str:
        return f"{submission.team.name}-{submission.phase.name}-{submission.number}-{what}"


class SubmissionCases(CardView):
    def get(self, request: HttpRequest, challenge_id: str, submission_id: str) -> HttpResponse:
        submission = self.submission(submission_id)
        card = self.card(submission)
        self.seat.require_cases(submission.phase)
        name = self.name(submission, "cases")
        return attachment(
            as_case_table(card.cases).encode(), media_type="text/csv; charset=utf-8", name=name, ending="csv"
        )


class SubmissionReport(CardView):
    """One file that needs no other. It is only ever saved: a browser must not show it as a page of this site."""

    def get(self, request: HttpRequest, challenge_id: str, submission_id: str) -> HttpResponse:
        submission = self.submission(submission_id)
        card = self.card(submission)
        recipe = recipe_of(self.study)
        sees_cases = self.seat.sees_cases(submission.phase)
        columns = case_columns(recipe, card) if sees_cases else []
        lines = sorted_cases(lines_shown(card), columns, columns[0].key) if columns else []
        context = self.context(
            submission=submission,
            card=card,
            recipe=recipe,
            columns=columns,
            lines=[[line["case"], [number(line.get(column.key)) for column in columns]] for line in lines],
            notes=told_notes(card) if sees_cases else [],
            panels=charts_of(self.seat, recipe, submission, card, columns) if sees_cases else [],
            style=_style(),
            **told_metrics(recipe, card),
        )
        text = render_to_string("evaluation/report.html", context)
        name = self.name(submission, "report")
        return attachment(text.encode(), media_type="application/octet-stream", name=name, ending="html")


@cache
def _style() -> str:
    """The report's style sheet as an address that needs no server."""
    folder = settings.BASE_DIR / "static" / "styles"
    sheet = b"".join((folder / name).read_bytes() for name in ("tokens.css", "agreement.css", "report.css"))
    return "data:text/css;base64," + base64.b64encode(sheet).decode()


class SubmissionWithdraw(ChallengeView):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, challenge_id: str, submission_id: str) -> HttpResponse:
        self.seat.require_team()
        submission = withdraw(submission=self.submission(submission_id), actor=self.user)
        messages.success(request, _("Submission %(number)s was withdrawn.") % {"number": submission.number})
        return redirect("challenge", challenge_id)
