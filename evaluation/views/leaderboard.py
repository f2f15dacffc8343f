"""The leaderboard of a phase, to look at and to take away, and two of its entries side by side."""

import csv
import io
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator.formats.cells import safe_cell
from annotator.selectors.recipes import recipe_of
from annotator.views.listing import chosen
from consensus.charts import Panel
from evaluation.models import Phase
from evaluation.scoring.contest import PairTest
from evaluation.selectors.curves import curves_of, grader_points
from evaluation.selectors.standings import Board, board_of
from evaluation.views.base import ChallengeView, attachment
from evaluation.views.roc import roc_panel
from evaluation.views.words import interval, number
from protocols.scoring import Metric
from protocols.scoring_names import EditionKey


class BoardView(ChallengeView):
    def board(self, phase_id: str) -> tuple[Phase, Board | None]:
        phase = self.phase(phase_id)
        self.seat.require_results(phase)
        return phase, board_of(phase)

    def metrics(self, content: dict[str, Any]) -> list[Metric]:
        """Those that were scored, in the recipe's order."""
        known = content.get("metrics", {})
        tracks = recipe_of(self.study).scoring.tracks
        return [metric for track in tracks for metric in track.metrics if metric.key in known]

    def tracks(self, content: dict[str, Any]) -> dict[str, str]:
        """The names of the tracks that have a ranking of their own, by key."""
        known = [key for entry in content.get("entries", [])[:1] for key in entry.get("tracks", {})]
        rankings = recipe_of(self.study).scoring.rankings_in(EditionKey(self.challenge.edition))
        named = {board.key: _(board.name) for ranking in rankings for board in ranking.boards}
        return {key: named.get(key, key) for key in known}


class LeaderboardPage(BoardView):
    def get(self, request: HttpRequest, challenge_id: str, phase_id: str) -> HttpResponse:
        phase, board = self.board(phase_id)
        content = board.content if board else {}
        metrics = self.metrics(content)
        entries, tracks = content.get("entries", []), self.tracks(content)
        rows = [
            {
                **entry,
                "is_own": self.seat.team is not None and entry["team"] == self.seat.team.name,
                "submission": content["submissions"][entry["team"]],
                "shown_score": number(entry["score"]),
                "in_tracks": [entry["tracks"].get(key) for key in tracks],
                "cells": [
                    {
                        "value": number(entry["metrics"][metric.key]),
                        "interval": interval(*entry["ci"][metric.key]),
                        "rank": entry["ranks"].get(metric.key),
                    }
                    for metric in metrics
                ],
            }
            for entry in entries
        ]
        context = self.context(
            phase=phase,
            board=board,
            rows=rows,
            metrics=[_(metric.name) for metric in metrics],
            tracks=list(tracks.values()),
            bands=[band for band in content.get("bands", []) if len(band) > 1],
            teams=[entry["team"] for entry in entries],
            panels=self._panels(phase) if self.seat.oversees and entries else [],
        )
        return render(request, "evaluation/leaderboard.html", context)

    def _panels(self, phase: Phase) -> list[Panel]:
        """Curves of the best entries and graders' points, for those who see both."""
        found = curves_of(phase)
        return [
            roc_panel(grader_points(self.study, track.key), found.tracks[track.key], title=_(track.name))
            for track in recipe_of(self.study).scoring.tracks
            if track.key in found.tracks
        ]


class LeaderboardTable(BoardView):
    def get(self, request: HttpRequest, challenge_id: str, phase_id: str) -> HttpResponse:
        phase, board = self.board(phase_id)
        content = board.content if board else {}
        keys, tracks = [metric.key for metric in self.metrics(content)], list(self.tracks(content))
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        numbers = [f"{key}{end}" for key in keys for end in ("", "_low", "_high", "_rank")]
        named = [f"{key}_track_rank" for key in tracks]
        writer.writerow(["rank", "rank_low", "rank_high", "team", "score", *numbers, *named])
        for entry in content.get("entries", []):
            cells = [
                cell for key in keys for cell in (entry["metrics"][key], *entry["ci"][key], entry["ranks"].get(key))
            ]
            cells += [entry["tracks"].get(key) for key in tracks]
            row = [entry["rank"], *entry["rank_interval"], safe_cell(entry["team"]), entry["score"], *cells]
            writer.writerow(["" if cell is None else cell for cell in row])
        name = f"{self.challenge.name}-{phase.name}-leaderboard"
        return attachment(out.getvalue().encode(), media_type="text/csv; charset=utf-8", name=name, ending="csv")


class ComparePage(BoardView):
    """First minus second, from resamples in which both had the same cases."""

    def get(self, request: HttpRequest, challenge_id: str, phase_id: str) -> HttpResponse:
        phase, board = self.board(phase_id)
        content = board.content if board else {}
        entries = {entry["team"]: entry for entry in content.get("entries", [])}
        teams = list(entries)
        first = chosen(request, "first", teams) or next(iter(teams), "")
        second = chosen(request, "second", teams) or next((team for team in teams if team != first), "")
        rows = []
        if first and second and first != second:
            rows = [
                _row(metric, content["metrics"][metric.key], entries[first], entries[second])
                for metric in self.metrics(content)
            ]
        context = self.context(phase=phase, board=board, teams=teams, first=first, second=second, rows=rows)
        return render(request, "evaluation/compare.html", context)


Told = dict[str, Any]


def _row(metric: Metric, told: Told, first: Told, second: Told) -> Told:
    """One metric of both; p of the better one."""
    a, b = first["team"], second["team"]
    difference, low, high = told["difference"].get(f"{a}|{b}") or [None] * 3
    if difference is None and f"{b}|{a}" in told["difference"]:
        turned, below, above = told["difference"][f"{b}|{a}"]
        difference, low, high = -turned, -above, -below
    better, worse = told["p"].get(f"{a}|{b}"), told["p"].get(f"{b}|{a}")
    known = [p for p in (better, worse) if p is not None]
    least = min(known) if known else None
    return {
        "name": _(metric.name),
        "unit": metric.unit,
        "first": number(first["metrics"][metric.key]),
        "second": number(second["metrics"][metric.key]),
        "difference": number(difference),
        "interval": interval(low, high),
        "test": _test_words(told["test"]),
        "p": number(least),
        "winner": (a if least == better else b) if least is not None and least < 0.05 else "",
    }


def _test_words(test: str) -> str:
    return {
        PairTest.SIGNED_RANK.value: _("Wilcoxon signed-rank"),
        PairTest.DELONG.value: _("DeLong"),
        PairTest.BOOTSTRAP.value: _("Bootstrap"),
    }[test]
