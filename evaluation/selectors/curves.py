"""What ROC curves are drawn from: how entries rank the cases of a phase, and where the graders' yes and no lie."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotator.models import Study
from annotator.selectors.recipes import recipe_of
from evaluation.metrics.evidence import Scored
from evaluation.models import Phase, Scorecard
from evaluation.scoring import kept
from evaluation.scoring.scorecard import Findings, questions_of_track
from evaluation.selectors.graders import latest_scores
from evaluation.selectors.standings import board_of, counted_of
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey

MOST = 8  # curves that can be told apart; the best ones

Points = Mapping[str, Mapping[str, Any]]
"""By the grader's letter: sensitivity and specificity, each with its interval."""


@dataclass(frozen=True)
class EntryCurves:
    """Of the entries that count in a phase, by track, the best first."""

    phase: Phase
    tracks: Mapping[str, list[tuple[str, Scored]]]


def ranked_cases(recipe: Recipe, edition: EditionKey, findings: Findings) -> dict[str, Scored]:
    """By track, for those that rank cases by a number and have both kinds of them."""
    found = {track.track: track for track in findings.tracks}
    ranked = {}
    for track in recipe.scoring.tracks:
        if track.key not in found:
            continue
        questions = questions_of_track(track, edition, found[track.key])
        scored = next((one.evidence for one in questions.values() if isinstance(one.evidence, Scored)), None)
        if scored is not None and scored.positive.any() and not scored.positive.all():
            ranked[track.key] = scored
    return ranked


def curves_of(phase: Phase) -> EntryCurves:
    recipe, edition = recipe_of(phase.challenge.study), EditionKey(phase.challenge.edition)
    board = board_of(phase)
    order = {entry["team"]: place for place, entry in enumerate(board.content["entries"])} if board else {}
    entries = sorted(counted_of(phase), key=lambda one: (order.get(one.team, len(order)), one.team))[:MOST]
    evidence = dict(Scorecard.objects.filter(pk__in=[one.card.pk for one in entries]).values_list("pk", "evidence"))
    tracks: dict[str, list[tuple[str, Scored]]] = {}
    for entry in entries:
        findings = kept.unpack(bytes(evidence[entry.card.pk]))
        for track, scored in ranked_cases(recipe, edition, findings).items():
            tracks.setdefault(track, []).append((entry.team, scored))
    return EntryCurves(phase, tracks)


def latest_curves(study: Study) -> EntryCurves | None:
    """Of the latest phase that has scored entries."""
    phases = Phase.objects.filter(challenge__study=study).select_related("challenge__study", "version").order_by("-pk")
    return next((curves for phase in phases if (curves := curves_of(phase)).tracks), None)


def grader_points(study: Study, track: str) -> Points:
    """Against the reference, as the graders were last scored; none where they do not say yes or no there."""
    scores = latest_scores(study)
    if scores is None:
        return {}
    rows = scores.content["against"]["reference"]["rows"]
    return {letter: row["points"][track] for letter, row in rows.items() if track in row["points"]}
