"""Who stands where in a phase, and over all weighted phases of a challenge."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.selectors.recipes import recipe_of
from evaluation.models import Challenge, Leaderboard, Phase, Scorecard, Submission
from evaluation.scoring.leading import best_entry, final_standing
from evaluation.scoring.ranks import NOT_RANKED
from evaluation.selectors.results import present_cards
from protocols.scoring_names import EditionKey


@dataclass(frozen=True)
class Counted:
    """The submission of a team that is ranked, with its scorecard."""

    submission: Submission
    card: Scorecard

    @property
    def team(self) -> str:
        return self.submission.team.name


def counted_of(phase: Phase) -> list[Counted]:
    """By team: of those that were scored and not withdrawn the last, or the best; in the order of their names."""
    rows = Submission.objects.filter(phase=phase, withdrawn_at=None).select_related("team", "phase")
    rows = rows.order_by("team__name", "number")
    cards = present_cards(rows)
    by_team: dict[int, list[Counted]] = {}
    for row in rows:
        if row.pk in cards:
            by_team.setdefault(row.team_id, []).append(Counted(row, cards[row.pk]))
    return [_chosen(phase, entries) for entries in by_team.values()]


def _chosen(phase: Phase, entries: Sequence[Counted]) -> Counted:
    if phase.counts == Phase.Counts.LAST or len(entries) == 1:
        return entries[-1]
    recipe, edition = recipe_of(phase.challenge.study), EditionKey(phase.challenge.edition)
    return entries[best_entry(recipe, edition, [one.card.metrics for one in entries])]


def inputs_digest(entries: Sequence[Counted]) -> str:
    """Changes when other scorecards are ranked, and only then."""
    return hashlib.sha256("\n".join(sorted(one.card.public_id for one in entries)).encode()).hexdigest()


@dataclass(frozen=True)
class Board:
    """A phase's leaderboard; `is_present`: it is of the scorecards that count now, and not of earlier ones."""

    content: dict[str, Any]
    is_present: bool


def board_of(phase: Phase) -> Board | None:
    known = Leaderboard.objects.filter(phase=phase).order_by("-pk")
    present = known.filter(inputs_digest=inputs_digest(counted_of(phase))).first()
    shown = present or known.first()
    return None if shown is None else Board(shown.content, shown == present)


@dataclass(frozen=True)
class FinalRow:
    team: str
    rank: int | None
    score: float | None
    phases: list[int | None]  # the rank in each weighted phase


def final_of(challenge: Challenge, phases: Sequence[Phase]) -> list[FinalRow]:
    """Over the phases that have a weight; empty while one of them has no entry."""
    weighed = [phase for phase in phases if phase.weight]
    if not weighed:
        return []
    counted = {phase.key: {one.team: one.card.metrics for one in counted_of(phase)} for phase in weighed}
    if not all(counted.values()):
        return []
    teams = sorted({team for entries in counted.values() for team in entries})
    standing = final_standing(
        recipe_of(challenge.study),
        EditionKey(challenge.edition),
        {key: [entries.get(team, {}) for team in teams] for key, entries in counted.items()},
        {phase.key: phase.weight for phase in weighed},
    )
    if standing is None:
        return []
    board = standing.boards[standing.final]
    rows = [
        FinalRow(
            team,
            _rank(board.ranks[place]),
            None if board.ranks[place] == NOT_RANKED else int(board.units[place]) / board.denominator,
            [_rank(standing.positions[phase.key][place]) for phase in weighed],
        )
        for place, team in enumerate(teams)
    ]
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.team))


def _rank(rank: Any) -> int | None:
    return None if rank == NOT_RANKED else int(rank)
