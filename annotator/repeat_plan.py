"""Which cases a grader is shown again, and where among those not yet begun: arithmetic, without the database."""

import math
import random
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True)
class Again:
    """`slot`: the place among the waiting cases that the repeat takes; the number of them for the end of the list."""

    first: int
    slot: int


def shown_again(
    *,
    read: Sequence[int],
    ripe: AbstractSet[int],
    repeated: AbstractSet[int],
    waiting: Sequence[bool],
    share: float,
    gap: int,
    lots: random.Random,
    turn: float,
) -> list[Again]:
    """So many that, rounded by `turn` in [0, 1), `share` of what was read is shown again; each by lot.

    `read` are first readings in the order of their submission, `ripe` those whose days have passed, `repeated` those
    shown again already. `waiting` are the grader's cases not yet begun, in order; true: another may take the place.
    Between a case and its repeat lie at least `gap` others: those read since and those before its slot. What cannot be
    placed so is left for later.
    """
    wanted = math.floor(share * len(read) + turn) - len(repeated)
    slots = [place for place, may_move in enumerate(waiting) if may_move]
    free = [
        (first, max(0, gap - (len(read) - 1 - place)))
        for place, first in enumerate(read)
        if first in ripe and first not in repeated
    ]
    lots.shuffle(free)
    placed: list[Again] = []
    for first, ahead in free:
        if len(placed) >= wanted:
            break
        if ahead > len(waiting):
            continue
        later = [slot for slot in slots if slot >= ahead]
        slot = lots.choice(later) if later else len(waiting)
        if later:
            slots.remove(slot)
        placed.append(Again(first, slot))
    return placed
