"""A label on which graders differ goes round among them, one at a time, until they agree or have been heard enough.

As in the round-robin adjudication of diabetic retinopathy by Schaekermann et al. (Transl Vis Sci Technol 2019;8(6):40):
whoever's turn it is sees what the others say and why, and keeps or changes the own label.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

_ROUNDING = 1e-9


class Outcome(StrEnum):
    AGREED = "agreed"
    QUORUM = "quorum"
    PASSED_ON = "passed_on"


@dataclass(frozen=True)
class Talk:
    """`said` by place: what each stands for now; `label`: the one that was agreed; `turn`: the place that is asked
    next, in which `round`, both as if it went on."""

    said: tuple[str, ...]
    outcome: Outcome | None
    label: str
    turn: int
    round: int


def talk(first: Sequence[str], statements: Sequence[str], *, rounds: int, quorum: float) -> Talk:
    """`first` are the labels that the graders came with, by place; the statements are made in the order of the places,
    round after round.

    It ends when all say the same, after whichever statement; when a round is complete and at least `quorum` of them,
    and more than half, say the same; and after `rounds` rounds without either.
    """
    if len(first) < 2:
        raise ValueError("first holds fewer than two labels: nobody to discuss with")
    said = list(first)
    for number, label in enumerate(statements):
        said[number % len(first)] = label
    usual, count = Counter(said).most_common(1)[0]
    outcome = _outcome(len(first), len(statements), count, rounds, quorum)
    agreed = usual if outcome in (Outcome.AGREED, Outcome.QUORUM) else ""
    return Talk(tuple(said), outcome, agreed, len(statements) % len(first), len(statements) // len(first) + 1)


def _outcome(graders: int, statements: int, count: int, rounds: int, quorum: float) -> Outcome | None:
    if statements and count == graders:
        return Outcome.AGREED
    if not statements or statements % graders:
        return None
    if count >= quorum * graders - _ROUNDING and 2 * count > graders:
        return Outcome.QUORUM
    return Outcome.PASSED_ON if statements >= rounds * graders else None
