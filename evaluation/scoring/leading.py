"""Which of one team's entries is its best, and a ranking over several phases, by the protocol's own rule."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaluation.scoring.ranking import Floats, Standing, over_phases, rank_entries, usable_columns
from evaluation.scoring.ranks import NOT_RANKED
from protocols.recipe import Recipe
from protocols.scoring import PhaseWeight, Ranking
from protocols.scoring_names import Direction, EditionKey

Metrics = Mapping[str, float | None]


def best_entry(recipe: Recipe, edition: EditionKey, entries: Sequence[Metrics]) -> int:
    """The place of the entry that the others would be ranked behind; of equals the last, and so if none is ranked."""
    found = standing_of(recipe, edition, entries)
    if found is None:
        return len(entries) - 1
    ranks = found.boards[found.final].ranks
    ranked = [place for place in range(len(entries)) if ranks[place] != NOT_RANKED]
    return max(ranked, key=lambda place: (-ranks[place], place), default=len(entries) - 1)


def standing_of(recipe: Recipe, edition: EditionKey, entries: Sequence[Metrics]) -> Standing | None:
    """Ranks by the first ranking of the edition that these metrics can fill; None where there is none."""
    fitting = _fitting(recipe, edition, [key for entry in entries for key in entry])
    if fitting is None:
        return None
    ranking, columns = fitting
    return rank_entries(ranking, _values(entries, columns), _rising(recipe, columns))


def final_standing(
    recipe: Recipe, edition: EditionKey, phases: Mapping[str, Sequence[Metrics]], weights: Mapping[str, float]
) -> Standing | None:
    """Over weighted phases, each ranked alone; entries stand in the same order in all, empty where they took no part.

    None where the edition does not weigh phases, or nothing that was scored in all of them is ranked.
    """
    shared = set.intersection(*({key for entry in entries for key in entry} for entries in phases.values()))
    fitting = _fitting(recipe, edition, sorted(shared))
    if fitting is None or not fitting[0].phases:
        return None
    ranking, columns = fitting
    weighed = replace(ranking, phases=tuple(PhaseWeight(phase, weight) for phase, weight in weights.items()))
    rising = _rising(recipe, columns)
    return over_phases(
        weighed, {phase: rank_entries(ranking, _values(entries, columns), rising) for phase, entries in phases.items()}
    )


def standing_over_parts(recipe: Recipe, edition: EditionKey, parts: Mapping[str, Sequence[Metrics]]) -> Standing | None:
    """Where the recipe ranks each part of the test data in columns of its own, as GlaS its parts A and B: all columns
    together. Entries stand in the same order in all parts, empty where they took no part. None where it does not."""
    named = {column: meant for column, meant in recipe.ranked_columns().items() if meant[1] in parts}
    rows = zip(*parts.values(), strict=True)
    entries = [
        {
            column: entry[metric]
            for part, entry in zip(parts, row, strict=True)
            for column, (metric, own) in named.items()
            if own == part and metric in entry
        }
        for row in rows
    ]
    return standing_of(recipe, edition, entries) if named else None


def _fitting(recipe: Recipe, edition: EditionKey, metrics: Sequence[str]) -> tuple[Ranking, list[str]] | None:
    for ranking in recipe.scoring.rankings_in(edition):
        if columns := usable_columns(ranking, metrics):
            return ranking, columns
    return None


def _values(entries: Sequence[Metrics], columns: Sequence[str]) -> dict[str, Floats]:
    def number(value: float | None) -> float:
        return np.nan if value is None else value

    return {column: np.array([number(entry.get(column)) for entry in entries]) for column in columns}


def _rising(recipe: Recipe, columns: Sequence[str]) -> list[str]:
    metrics = {metric.key: metric for track in recipe.scoring.tracks for metric in track.metrics}
    meant = recipe.ranked_columns()
    return [column for column in columns if metrics[meant[column][0]].direction is Direction.HIGHER]
