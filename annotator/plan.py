"""Who reads what: the arithmetic of assignment, without the database."""

import heapq
import random
from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby


def every_grader(
    cases: Sequence[int], graders: Sequence[int], held: Mapping[int, AbstractSet[int]]
) -> dict[int, list[int]]:
    """Every grader reads every case; `held` says which graders a case already has. Grader → new cases."""
    return {grader: [case for case in cases if grader not in held.get(case, frozenset())] for grader in graders}


def k_per_case(
    cases: Sequence[int],
    graders: Sequence[int],
    k: int,
    held: Mapping[int, AbstractSet[int]],
    lost: Mapping[int, AbstractSet[int]],
    load: Mapping[int, int],
    seed: int,
) -> dict[int, list[int]]:
    """Each case gets graders until it has k of them, always those with the least to do; equal loads are drawn by lot.

    `held` says which graders a case has, `lost` from which it was taken away: these do not get it again. Loads of
    graders who began equal differ by at most one in the end. Grader → new cases.
    """
    if not 1 <= k <= len(graders):
        raise ValueError(f"k is {k}, but there are {len(graders)} graders")
    lots = random.Random(seed)  # noqa: S311 - an order to be made again, not a secret
    order = list(cases)
    lots.shuffle(order)
    plan: dict[int, list[int]] = {grader: [] for grader in graders}
    heap = [(load.get(grader, 0), lots.random(), grader) for grader in graders]
    heapq.heapify(heap)
    for case in order:
        have = held.get(case, frozenset())
        barred = have | lost.get(case, frozenset())
        passed_over = []
        for _ in range(max(0, k - len(have))):
            while heap and heap[0][2] in barred:
                passed_over.append(heapq.heappop(heap))
            if not heap:
                break
            busy, _lot, grader = heapq.heappop(heap)
            plan[grader].append(case)
            passed_over.append((busy + 1, lots.random(), grader))
        for entry in passed_over:
            heapq.heappush(heap, entry)
    return plan


def own_order(
    cases: Sequence[int],
    grader: int,
    seed: int,
    begun: int,
    priority: Mapping[int, int],
    subjects: Mapping[int, int] | None = None,
    last_subject: int | None = None,
) -> list[int]:
    """The grader's own random order, urgent cases first. `begun` tells a later extension's order from the first.

    With `subjects` (case → subject) no two cases of one subject stand in a row, as far as the cases allow it;
    `last_subject` is the one that the grader's list ends with so far.
    """
    lots = random.Random(f"{seed}:{grader}:{begun}")  # noqa: S311 - see above
    shuffled = sorted(cases)
    lots.shuffle(shuffled)
    shuffled.sort(key=lambda case: -priority.get(case, 0))
    if subjects is None:
        return shuffled
    order: list[int] = []
    for _urgency, band in groupby(shuffled, key=lambda case: priority.get(case, 0)):
        before = subjects[order[-1]] if order else last_subject
        order += _apart(list(band), subjects, before, lots)
    return order


def _apart(order: list[int], subjects: Mapping[int, int], before: int | None, lots: random.Random) -> list[int]:
    """A case that follows one of its own subject waits until another has been placed between them; those for which
    none is left are put by lot into gaps between cases of other subjects."""
    placed: list[int] = []
    waiting: deque[int] = deque()  # always of one subject, that of the case placed last
    last = before
    for case in order:
        if subjects[case] == last:
            waiting.append(case)
            continue
        placed.append(case)
        last = subjects[case]
        if waiting:
            placed.append(waiting.popleft())
            last = subjects[placed[-1]]
    return _put_between(placed, list(waiting), subjects, before, lots)


def _put_between(
    placed: list[int], left: list[int], subjects: Mapping[int, int], before: int | None, lots: random.Random
) -> list[int]:
    if not left:
        return placed
    subject = subjects[left[0]]
    neighbours = [before, *(subjects[case] for case in placed)]
    gaps = [place for place in range(len(placed)) if subject not in neighbours[place : place + 2]]
    chosen = set(lots.sample(gaps, min(len(gaps), len(left))))
    spread: list[int] = []
    for place, case in enumerate(placed):
        spread += [left.pop(), case] if place in chosen else [case]
    return spread + left
