"""From a table of entries to a ranking, by the rule that a recipe states (protocols/scoring.py).

A score made of ranks is kept as a whole number of parts of a common denominator. So 0.4·1 + 0.6·3 and 0.4·4 + 0.6·1
are equal, and a thousand resampled tables are ranked as exactly as one: every array may have leading axes before the
axis of entries.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from evaluation.scoring.ranks import NOT_RANKED, Bools, Ints, competition_ranks, ranks_with_tie_break
from protocols.scoring import Board, Ranking
from protocols.scoring_names import Combine

Floats = NDArray[np.float64]
FINEST_WEIGHT = 10**9


@dataclass(frozen=True)
class Leaderboard:
    """`units / denominator` is the score; where the rank is NOT_RANKED it means nothing."""

    units: Ints
    denominator: int
    ranks: Ints


@dataclass(frozen=True)
class Standing:
    """`positions`: the ranks by column, or by phase; `final`: the key of the board that decides."""

    positions: dict[str, Ints]
    boards: dict[str, Leaderboard]
    final: str


def choose_ranking(rankings: Iterable[Ranking], columns: Collection[str]) -> Ranking:
    """The one that can use exactly these columns of a table; ValueError says what is wrong with them."""
    fitting = [ranking for ranking in rankings if set(columns) <= set(ranking.columns)]
    if not columns:
        raise ValueError("no column of a metric is there")
    if not fitting:
        raise ValueError(f"the columns {', '.join(columns)} are not ranked together")
    lacking = [_lacking(ranking, columns) for ranking in fitting]
    complete = [ranking for ranking, missing in zip(fitting, lacking, strict=True) if not missing]
    if not complete:
        missing = min(lacking, key=len)
        raise ValueError(f"the column “{missing[0]}” is missing beside {', '.join(columns)}")
    return complete[0]


def usable_columns(ranking: Ranking, metrics: Collection[str]) -> list[str]:
    """The columns that can be filled from these metrics, without those of boards that would stay incomplete."""
    there = [column for column in ranking.columns if column in metrics]
    in_part = {
        term.key
        for board in ranking.boards
        if not board.partial and any(term.key in ranking.columns and term.key not in metrics for term in board.terms)
        for term in board.terms
    }
    return [column for column in there if column not in in_part]


def rank_entries(ranking: Ranking, values: Mapping[str, Floats], higher: Collection[str]) -> Standing:
    """Ranks of every column and board. NaN is an empty cell; `higher` names the columns where more is better.

    An entry that lacks a value is not ranked in the whole track, and none of its values there counts for others.
    """
    columns = {
        column: competition_ranks(-values[column] if column in higher else values[column], taking_part)
        for column, taking_part in _taking_part(ranking, values).items()
    }
    boards: dict[str, Leaderboard] = {}
    for board in ranking.boards:
        terms = [
            (_weight(board, term.weight), *_entering(board, boards[term.key]))
            if term.key in boards
            else (_weight(board, term.weight), columns[term.key], 1, columns[term.key] != NOT_RANKED)
            for term in board.terms
            if term.key in boards or term.key in columns
        ]
        if terms:
            positions = columns | {key: made.ranks for key, made in boards.items()}
            boards[board.key] = _leaderboard(terms, positions.get(board.tie_break or ""))
    return Standing(columns, boards, _deciding(ranking, boards))


def over_phases(ranking: Ranking, phases: Mapping[str, Standing]) -> Standing:
    """Every board over all phases: the weighted mean of the rank positions; so is the rank that breaks a tie."""
    weights = {phase.phase: _exact(phase.weight) for phase in ranking.phases}
    boards = {board.key: board for board in ranking.boards}
    first = next(iter(phases.values()))

    def combined(key: str, breaking: Ints | None) -> Leaderboard:
        ranks = {phase: _positions(phases[phase], key) for phase in weights}
        return _leaderboard([(weights[name], own, 1, own != NOT_RANKED) for name, own in ranks.items()], breaking)

    def tie_break(board: Board) -> Ints | None:
        known = board.tie_break if board.tie_break in {*first.boards, *first.positions} else None
        return None if known is None else combined(known, None).ranks

    made = {key: combined(key, tie_break(boards[key])) for key in first.boards}
    positions = {phase: standing.boards[standing.final].ranks for phase, standing in phases.items()}
    return Standing(positions, made, first.final)


def _positions(standing: Standing, key: str) -> Ints:
    return standing.boards[key].ranks if key in standing.boards else standing.positions[key]


def _lacking(ranking: Ranking, columns: Collection[str]) -> list[str]:
    """Columns without which the boards that have some of theirs cannot be made."""
    known = {column: column in columns for column in ranking.columns}
    lacking: list[str] = []
    for board in ranking.boards:
        own = [term.key for term in board.terms if term.key in known]
        if not board.partial and any(known[column] for column in own):
            lacking += [column for column in own if not known[column]]
    return lacking


def _taking_part(ranking: Ranking, values: Mapping[str, Floats]) -> dict[str, Bools]:
    """By column, who has every value of the column's track."""
    given = {column: np.isfinite(values[column]) for column in ranking.columns if column in values}
    complete = dict(given)
    for track in _tracks(ranking):
        own = [column for column in track if column in given]
        for column in own:
            complete[column] = complete[column] & np.logical_and.reduce([given[other] for other in own])
    return complete


def _tracks(ranking: Ranking) -> list[tuple[str, ...]]:
    """The columns below each board that the final one names, and the columns that it names itself as one track."""
    below: dict[str, tuple[str, ...]] = {}
    for board in ranking.boards:
        below[board.key] = tuple(column for term in board.terms for column in below.get(term.key, (term.key,)))
    terms = [term.key for term in ranking.final_board.terms]
    return [tuple(key for key in terms if key not in below), *(below[key] for key in terms if key in below)]


def _deciding(ranking: Ranking, boards: Mapping[str, Leaderboard]) -> str:
    """With one track only the track's own board, else the final one."""
    terms = [term.key for term in ranking.final_board.terms]
    tracks = [key for key in terms if key in boards]
    return tracks[0] if len(tracks) == 1 and not set(terms) & set(ranking.columns) else ranking.final


_Entering = tuple[Fraction, Ints, int, Bools]


def _entering(board: Board, term: Leaderboard) -> tuple[Ints, int, Bools]:
    ranked = term.ranks != NOT_RANKED
    return (term.units, term.denominator, ranked) if board.takes_scores else (term.ranks, 1, ranked)


def _leaderboard(terms: Sequence[_Entering], breaking: Ints | None) -> Leaderboard:
    """Σ weight · value over the terms, each value a whole number of parts of its own denominator."""
    denominator = math.lcm(*(weight.denominator * parts for weight, _, parts, _ in terms))
    entries = terms[0][1].shape[-1]
    if denominator * entries * len(terms) >= 2**62:
        raise ValueError("the weights of the ranking have too many decimals to compare scores exactly")
    units = sum(
        (values * int(weight * denominator / parts) for weight, values, parts, _ in terms),
        start=np.zeros(terms[0][1].shape, np.int64),
    )
    ranks = competition_ranks(units, np.logical_and.reduce([ranked for *_, ranked in terms]))
    return Leaderboard(units, denominator, ranks if breaking is None else ranks_with_tie_break(ranks, breaking))


def _weight(board: Board, weight: float) -> Fraction:
    return Fraction(1) if board.combine is Combine.SUM else _exact(weight)


def _exact(weight: float) -> Fraction:
    """The decimal number that was meant, with nine decimals at most."""
    return Fraction(round(weight * FINEST_WEIGHT), FINEST_WEIGHT)
