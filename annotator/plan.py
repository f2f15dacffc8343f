"""Who reads what: the arithmetic of assignment, without the database."""

import heapq
import random
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet


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


def own_order(cases: Sequence[int], grader: int, seed: int, begun: int, priority: Mapping[int, int]) -> list[int]:
    """The grader's own random order, urgent cases first. `begun` tells a later extension's order from the first."""
    order = sorted(cases)
    random.Random(f"{seed}:{grader}:{begun}").shuffle(order)  # noqa: S311 - see above
    return sorted(order, key=lambda case: -priority.get(case, 0))
