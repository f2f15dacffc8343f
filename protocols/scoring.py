"""Vocabulary, fourth part: tracks, metrics, editions, ranking, phases and statistics."""

from dataclasses import dataclass
from typing import Annotated

from protocols.constraints import Count, Distinct, Filled, Key, LabelKey, Positive, Range, Share, Text
from protocols.errors import RecipeError, require_name
from protocols.scoring_names import (
    Analysis,
    BootstrapUnit,
    Combine,
    Counts,
    Direction,
    EditionKey,
    EnsembleRule,
    MetricRule,
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number a metric's rule needs."""

    key: Key
    value: Annotated[float, Range(-1e6, 1e6)]


@dataclass(frozen=True, slots=True)
class Metric:
    """A scored number; the key is the JSON key. ``published`` is given only where it differs from ``paper``.

    ``positive``: the label that counts as positive, if not the target's own; ``leaves_out``: reference labels whose
    images do not enter.
    """

    key: Key
    name: Text
    paper: MetricRule
    published: MetricRule | None = None
    direction: Direction = Direction.HIGHER
    parameters: Annotated[tuple[Parameter, ...], Distinct()] = ()
    unit: str = ""
    targets: Annotated[tuple[Key, ...], Distinct()] = ()
    positive: LabelKey | None = None
    leaves_out: Annotated[tuple[LabelKey, ...], Distinct()] = ()
    note: str = ""
    ours: tuple[Text, ...] = ()

    def rule(self, edition: EditionKey) -> MetricRule:
        """The rule this metric follows in an edition."""
        return self.published if edition is EditionKey.PUBLISHED and self.published else self.paper


@dataclass(frozen=True, slots=True)
class Track:
    """One of a protocol's scored tasks. ``case_values`` are the keys of the per-case table."""

    key: Key
    name: Text
    metrics: Annotated[tuple[Metric, ...], Filled(), Distinct()]
    case_values: Annotated[tuple[Key, ...], Distinct()] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Edition:
    key: EditionKey
    description: Text


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A place where paper, code and printed tables do not say the same; shown in the notes of every report."""

    where: Text
    text: Text

    @property
    def key(self) -> str:
        return self.where


@dataclass(frozen=True, slots=True)
class Term:
    """A column of the table of teams (its rank enters) or an earlier leaderboard (its rank or score enters).

    A column is a metric's key, or a metric's key and a part's ``column_suffix``: ``f1_a`` is ``f1`` on part A.
    """

    key: Key
    weight: Positive = 1.0


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: a score made of its terms; the lower score ranks first and equal scores share a rank.

    ``takes_scores``: terms that are leaderboards enter with their score instead of their rank. ``tie_break`` names the
    leaderboard or column whose better rank goes first on equal scores. ``listed``: its rank stands in the result.
    ``partial``: columns that a table lacks are left out; without it a table has all of the board's columns or none.
    """

    key: Key
    name: Text
    terms: Annotated[tuple[Term, ...], Filled(), Distinct()]
    combine: Combine = Combine.WEIGHTED_MEAN
    takes_scores: bool = False
    tie_break: Key | None = None
    listed: bool = True
    partial: bool = False

    def __post_init__(self) -> None:
        total = sum(term.weight for term in self.terms)
        if self.combine is Combine.WEIGHTED_MEAN and abs(total - 1) > 1e-9:
            raise RecipeError("terms", "weights must sum to 1, not %(total)s", {"total": round(total, 9)})


@dataclass(frozen=True, slots=True)
class PhaseWeight:
    """How much the rank position in one phase counts in the final score."""

    phase: Key
    weight: Share

    @property
    def key(self) -> str:
        return self.phase


@dataclass(frozen=True, slots=True)
class Ranking:
    """One way from a table of teams to a ranking. Boards are listed so that a board names only earlier ones.

    Ranks are standard competition ranks (1, 2, 2, 4). A track is a term of the final board. One without columns is left
    out and the weights are not rescaled; with the columns of one track only, that track's own score is the score. Over
    several phases the rank positions of the phases are averaged, for every board; so is the rank that breaks a tie.
    """

    key: Key
    editions: Annotated[tuple[EditionKey, ...], Filled(), Distinct()]
    boards: Annotated[tuple[Board, ...], Filled(), Distinct()]
    final: Key
    phases: Annotated[tuple[PhaseWeight, ...], Distinct()] = ()
    note: str = ""
    ours: tuple[Text, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table of teams: every term that is not a leaderboard, in order of appearance."""
        boards = {board.key for board in self.boards}
        named = [term.key for board in self.boards for term in board.terms if term.key not in boards]
        return tuple(dict.fromkeys(named))

    @property
    def final_board(self) -> Board:
        return next(board for board in self.boards if board.key == self.final)

    def __post_init__(self) -> None:
        total = sum(phase.weight for phase in self.phases)
        if self.phases and abs(total - 1) > 1e-9:
            raise RecipeError("phases", "weights must sum to 1, not %(total)s", {"total": round(total, 9)})
        boards = [board.key for board in self.boards]
        require_name("final", self.final, boards)
        for position, board in enumerate(self.boards):
            require_name(f"boards[{position}].tie_break", board.tie_break, [*boards[:position], *self.columns])
            for term_position, term in enumerate(board.terms):
                if term.key in boards[position:]:
                    raise RecipeError(f"boards[{position}].terms[{term_position}].key", "must name an earlier board")


@dataclass(frozen=True, slots=True)
class Phase:
    """A time window of a challenge. ``submissions`` None: the paper states no limit."""

    key: Key
    name: Text
    part: Key
    part_share: Share = 1.0
    images: Count | None = None
    submissions: Annotated[int, Range(1, 10_000)] | None = None
    counts: Counts = Counts.LAST
    hours: Positive | None = None
    shows_results: bool = False
    note: str = ""
    ours: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Intervals and comparisons. ``ensemble_sizes`` empty: every size from one to all entries."""

    resamples: Annotated[int, Range(1, 1_000_000)] = 1000
    seed: Annotated[int, Range(0, 2**32 - 1)] = 0
    unit: BootstrapUnit = BootstrapUnit.CASE
    analyses: Annotated[tuple[Analysis, ...], Distinct()] = ()
    strata: Annotated[tuple[Key, ...], Distinct()] = ()
    ensembles: Annotated[tuple[EnsembleRule, ...], Distinct()] = ()
    ensemble_sizes: Annotated[tuple[Annotated[int, Range(1, 1000)], ...], Distinct()] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """``case_suffixes``: an image is scored as several cases, named ``NAME:suffix``."""

    case_suffixes: Annotated[tuple[Key, ...], Distinct()] = ()
    tracks: Annotated[tuple[Track, ...], Filled(), Distinct()]
    editions: Annotated[tuple[Edition, ...], Filled(), Distinct()]
    differences: Annotated[tuple[KnownDifference, ...], Distinct()] = ()
    rankings: Annotated[tuple[Ranking, ...], Filled(), Distinct()]
    phases: Annotated[tuple[Phase, ...], Distinct()] = ()
    statistics: Statistics

    def __post_init__(self) -> None:
        metrics = [metric.key for track in self.tracks for metric in track.metrics]
        for position, track in enumerate(self.tracks):
            for metric_position, metric in enumerate(track.metrics):
                if metrics.count(metric.key) > 1:
                    field = f"tracks[{position}].metrics[{metric_position}].key"
                    raise RecipeError(field, "is used twice: %(name)s", {"name": metric.key})
        phases = [phase.key for phase in self.phases]
        for position, ranking in enumerate(self.rankings):
            for phase_position, weight in enumerate(ranking.phases):
                require_name(f"rankings[{position}].phases[{phase_position}].phase", weight.phase, phases)

    def rankings_in(self, edition: EditionKey) -> tuple[Ranking, ...]:
        return tuple(ranking for ranking in self.rankings if edition in ranking.editions)


PAPER = Edition(EditionKey.PAPER, "The formulas as printed.")
SAME_AS_PAPER = Edition(EditionKey.PUBLISHED, "Accepted; the same as the paper edition.")
BOTH_EDITIONS = tuple(EditionKey)
