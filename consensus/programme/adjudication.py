"""How disputes were settled: how many there were, whose label was taken, and how often nobody's."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

from consensus.programme.rates import Rate


@dataclass(frozen=True)
class Decided:
    """An adjudicator's label, and what each grader (membership) had said; `blind`: unless the adjudicator knew it
    although the recipe hides it; `shown`: the recipe shows it; `waited`: since the label was left open."""

    label: str
    said: Mapping[int, str]
    by: int
    blind: bool = True
    shown: bool = False
    waited_seconds: float | None = None

    @property
    def is_disputed(self) -> bool:
        """One label alone is not disputed: an eye's later photograph may have been reached by one grader only."""
        return len(set(self.said.values())) > 1

    @property
    def took_neither(self) -> bool:
        return self.label not in self.said.values()


@dataclass(frozen=True)
class ByAdjudicator:
    decisions: int
    not_blind: int
    labels_shown: int
    neither: Rate
    waited_seconds: float | None


@dataclass(frozen=True)
class Settling:
    """`pairs`: labels in dispute and the one that became final; `followed`: by grader, among that grader's disputes."""

    share: Rate
    neither: Rate
    pairs: Mapping[tuple[tuple[str, ...], str], int] = field(default_factory=dict)
    followed: Mapping[int, Rate] = field(default_factory=dict)
    adjudicators: Mapping[int, ByAdjudicator] = field(default_factory=dict)
    waited_seconds: float | None = None


def settling(finals: int, decided: Iterable[Decided]) -> Settling:
    """`finals`: photographs with a final label, however it came about."""
    rows = list(decided)
    disputed = [row for row in rows if row.is_disputed]
    followed: dict[int, Rate] = {}
    for row in disputed:
        for grader, said in row.said.items():
            followed[grader] = followed.get(grader, Rate()) + Rate(int(said == row.label), 1)
    by: dict[int, list[Decided]] = {}
    for row in rows:
        by.setdefault(row.by, []).append(row)
    return Settling(
        share=Rate(len(rows), finals),
        neither=_neither(rows),
        pairs=Counter((tuple(sorted(row.said.values())), row.label) for row in disputed),
        followed=followed,
        adjudicators={person: _of_one(mine) for person, mine in by.items()},
        waited_seconds=_usual_wait(rows),
    )


def _neither(rows: Iterable[Decided]) -> Rate:
    disputed = [row for row in rows if row.is_disputed]
    return Rate(sum(row.took_neither for row in disputed), len(disputed))


def _of_one(rows: list[Decided]) -> ByAdjudicator:
    return ByAdjudicator(
        decisions=len(rows),
        not_blind=sum(not row.blind for row in rows),
        labels_shown=sum(row.shown for row in rows),
        neither=_neither(rows),
        waited_seconds=_usual_wait(rows),
    )


def _usual_wait(rows: Iterable[Decided]) -> float | None:
    waited = [row.waited_seconds for row in rows if row.waited_seconds is not None]
    return median(waited) if waited else None
