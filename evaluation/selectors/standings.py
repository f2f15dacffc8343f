"""Who stands where in a phase, and over all weighted phases of a challenge."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.selectors.recipes import recipe_of
from evaluation.models import Challenge, Leaderboard, Phase, Scorecard, Submission
from evaluation.scoring.leading import best_entry, final_standing, standing_of, standing_over_parts
from evaluation.scoring.ranking import Standing
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
    phases: list[int | None]  # the rank in each phase that counts


@dataclass(frozen=True)
class Final:
    """The ranking over the phases that count, in the order of ranks."""

    phases: list[Phase]
    rows: list[FinalRow]


def final_of(challenge: Challenge, phases: Sequence[Phase]) -> Final | None:
    """Over the phases that have a weight, or over the parts that the recipe ranks together; None while one of them has
    no entry."""
    recipe, edition = recipe_of(challenge.study), EditionKey(challenge.edition)
    part_of = {known.key: known.part for known in recipe.scoring.phases}
    ranked_parts = {part for _metric, part in recipe.ranked_columns().values()}
    weighed = [phase for phase in phases if phase.weight]
    parts = [phase for phase in phases if part_of.get(phase.key) in ranked_parts - {None}]
    counting = weighed or (parts if len(parts) > 1 else [])
    counted = {phase.key: {one.team: one.card.metrics for one in counted_of(phase)} for phase in counting}
    if not counting or not all(counted.values()):
        return None
    teams = sorted({team for entries in counted.values() for team in entries})
    entries = {key: [own.get(team, {}) for team in teams] for key, own in counted.items()}
    if weighed:
        standing = final_standing(recipe, edition, entries, {phase.key: phase.weight for phase in weighed})
    else:
        standing = standing_over_parts(recipe, edition, {part_of[key]: own for key, own in entries.items()})
    if standing is None:
        return None
    board = standing.boards[standing.final]
    alone = [_alone(standing_of(recipe, edition, entries[phase.key]), len(teams)) for phase in counting]
    rows = [
        FinalRow(
            team,
            _rank(board.ranks[place]),
            None if board.ranks[place] == NOT_RANKED else int(board.units[place]) / board.denominator,
            [ranks[place] for ranks in alone],
        )
        for place, team in enumerate(teams)
    ]
    return Final(counting, sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.team)))


def _alone(standing: Standing | None, teams: int) -> list[int | None]:
    """The ranks in one phase by itself."""
    if standing is None:
        return [None] * teams
    return [_rank(rank) for rank in standing.boards[standing.final].ranks]


def _rank(rank: Any) -> int | None:
    return None if rank == NOT_RANKED else int(rank)
