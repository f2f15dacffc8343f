"""A contest as one JSON object and as tables to read."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.scoring.contest import Contest, MetricCompared
from evaluation.scoring.entries import Field
from evaluation.scoring.ranking import Leaderboard
from evaluation.scoring.ranks import NOT_RANKED, Ints


def as_object(field: Field, contest: Contest) -> dict[str, Any]:
    """Entries sorted by rank, those without one last; p by "a|b": that a is better than b."""
    taus = contest.stability.taus[np.isfinite(contest.stability.taus)]
    tau = np.percentile(taus, [2.5, 50, 97.5]).tolist() if len(taus) else [None] * 3
    ranks = contest.stability.ranks
    order = sorted(range(len(field.names)), key=lambda place: (ranks[place] == NOT_RANKED, ranks[place]))
    return {
        "n_cases": len(field.cases),
        "entries": [_entry(field, contest, place) for place in order],
        "kendall_tau": tau,
        "bands": _bands(field, contest.significance.bands(ranks)),
        "metrics": {key: _metric(field, metric) for key, metric in contest.metrics.items()},
    }


def _entry(field: Field, contest: Contest, place: int) -> dict[str, Any]:
    stability, final = contest.stability, contest.standing.boards[contest.standing.final]
    ranked = stability.ranks[place] != NOT_RANKED
    return {
        "team": field.names[place],
        "score": int(final.units[place]) / final.denominator if ranked else None,
        "rank": _rank(stability.ranks, place),
        "rank_interval": [_rank(stability.low, place), _rank(stability.high, place)],
        "share_first": float(stability.shares[place, 0]),
        "ranks": {key: _rank(ranks, place) for key, ranks in contest.standing.positions.items()},
        "tracks": {key: _rank(board.ranks, place) for key, board in _tracks(contest).items()},
        "metrics": {key: float(metric.values[place]) for key, metric in contest.metrics.items()},
        "ci": {
            key: [metric.intervals[place].low, metric.intervals[place].high] for key, metric in contest.metrics.items()
        },
    }


def _tracks(contest: Contest) -> Mapping[str, Leaderboard]:
    """The rankings below the final one, which is made last; none where a single track decides."""
    *below, last = contest.standing.boards
    final = contest.standing.final
    return {key: contest.standing.boards[key] for key in below} if last == final else {}


def _metric(field: Field, metric: MetricCompared) -> dict[str, Any]:
    p = metric.significance.p
    pairs = [(a, b) for a in range(len(p)) for b in range(len(p)) if a != b]
    answer: dict[str, Any] = {
        "test": metric.test.value,
        "p": {f"{field.names[a]}|{field.names[b]}": float(p[a, b]) for a, b in pairs},
        "difference": {
            f"{field.names[a]}|{field.names[b]}": [one.difference, one.interval.low, one.interval.high]
            for (a, b), one in metric.differences.items()
        },
        "bands": _bands(field, metric.significance.bands(metric.ranks)),
    }
    if metric.three_ways is not None:
        known = [name for name, value in zip(field.names, metric.values, strict=True) if np.isfinite(value)]
        ways = ("aggregate_then_rank", "rank_then_aggregate", "test_then_rank")
        found = {way: getattr(metric.three_ways, way).tolist() for way in ways}
        answer["ranks"] = {way: dict(zip(known, ranks, strict=True)) for way, ranks in found.items()}
    if metric.ensembles is not None:
        teams = [field.names[place] for place in metric.ensembles.order]
        joined = {"rule": metric.ensembles.rule.value, "teams": teams, "values": metric.ensembles.values.tolist()}
        answer["ensembles"] = joined
    return answer


def _bands(field: Field, bands: Sequence[tuple[int, ...]]) -> list[list[str]]:
    return [[field.names[place] for place in band] for band in bands]


def _rank(ranks: Ints, place: int) -> int | None:
    return None if ranks[place] == NOT_RANKED else int(ranks[place])


def as_rows(answer: Mapping[str, Any]) -> list[list[str]]:
    """The entries as a table to read: rank with its interval, score, and each metric with its interval."""
    metrics = list(answer["metrics"])
    rows = [["rank", "95 %", "team", "score", *metrics]]
    for entry in answer["entries"]:
        low, high = entry["rank_interval"]
        values = [_with_interval(entry["metrics"][key], *entry["ci"][key]) for key in metrics]
        rank, score = ("–", "–") if entry["rank"] is None else (str(entry["rank"]), f"{entry['score']:g}")
        rows.append([rank, "–" if low is None else f"{low}–{high}", entry["team"], score, *values])
    return rows


def _with_interval(value: float, low: float, high: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f} ({low:.4f}–{high:.4f})"
