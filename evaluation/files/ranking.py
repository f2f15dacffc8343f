"""A table of teams, as it stands in a file, made into a ranking by a protocol's rule."""

from dataclasses import dataclass

import numpy as np

from annotator.formats.teams_csv import TeamTable
from evaluation.scoring.ranking import Standing, choose_ranking, over_phases, rank_entries
from evaluation.scoring.ranks import NOT_RANKED, Ints
from protocols.recipe import Recipe
from protocols.scoring import Ranking
from protocols.scoring_names import Direction, EditionKey


@dataclass(frozen=True)
class RankedTeam:
    """`score` and `rank` are None for a team that lacks a track or a phase."""

    team: str
    score: float | None
    rank: int | None
    ranks: dict[str, int | None]


def rank_table(table: TeamTable, recipe: Recipe, edition: EditionKey) -> list[RankedTeam]:
    """Sorted by rank; teams of equal rank keep the order of the table, teams without a rank come last.

    ValueError says which columns or phases do not make a ranking.
    """
    ranking = choose_ranking(recipe.scoring.rankings_in(edition), table.columns)
    teams = list(dict.fromkeys(row.team for row in table.rows))
    phases = list(dict.fromkeys(row.phase for row in table.rows))
    if phases == [None]:
        standing = _standing(table, None, teams, ranking, recipe)
        listed = [board.key for board in ranking.boards if board.listed and board.key in standing.boards]
    else:
        for weight in ranking.phases:
            if weight.phase not in phases:
                raise ValueError(f"the phase “{weight.phase}” has no line")
        standing = over_phases(
            ranking,
            {weight.phase: _standing(table, weight.phase, teams, ranking, recipe) for weight in ranking.phases},
        )
        listed = []
    shown = standing.positions | {key: standing.boards[key].ranks for key in listed}
    ranked = [_ranked(team, place, standing, shown) for place, team in enumerate(teams)]
    return sorted(ranked, key=lambda one: (one.rank is None, one.rank or 0))


def _standing(table: TeamTable, phase: str | None, teams: list[str], ranking: Ranking, recipe: Recipe) -> Standing:
    """One phase alone; a team that is not in it has no value anywhere."""
    given = {row.team: row.values for row in table.rows if row.phase == phase}
    values = {
        column: np.array([_number(given.get(team, {}).get(column)) for team in teams]) for column in table.columns
    }
    metrics = {metric.key: metric for track in recipe.scoring.tracks for metric in track.metrics}
    meant = recipe.ranked_columns()
    higher = {column for column in table.columns if metrics[meant[column][0]].direction is Direction.HIGHER}
    return rank_entries(ranking, values, higher)


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _ranked(team: str, place: int, standing: Standing, shown: dict[str, Ints]) -> RankedTeam:
    final = standing.boards[standing.final]
    rank = _rank(final.ranks, place)
    score = None if rank is None else int(final.units[place]) / final.denominator
    return RankedTeam(team, score, rank, {key: _rank(ranks, place) for key, ranks in shown.items()})


def _rank(ranks: Ints, place: int) -> int | None:
    return None if ranks[place] == NOT_RANKED else int(ranks[place])
