"""How often each case takes part in each resample of a bootstrap.

Units are drawn with replacement: cases, or subjects with all their cases. One draw serves every entry and every metric,
so that differences between entries are paired. Resamples come in blocks: memory does not grow with their number.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Numbers
from evaluation.metrics.tally import Counts

_NUMBERS_IN_A_BLOCK = 2**20


@dataclass(frozen=True, eq=False)
class Design:
    """`unit_of_case` numbers the unit of each case; units stand stratum by stratum, of which `sizes` are the sizes."""

    unit_of_case: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def cases(self) -> int:
        return len(self.unit_of_case)

    @property
    def units(self) -> int:
        return int(self.sizes.sum())


def plan_draws(
    cases: int, *, subjects: Sequence[Hashable] | None = None, strata: Sequence[Hashable] | None = None
) -> Design:
    """Cases are drawn, or `subjects` if they are named (one name a case), within `strata` if given (one a case).

    A subject whose cases lie in several strata forms a stratum with those that lie in the same ones, so that in every
    resample there are as many subjects of each kind as there were. Units are numbered in the order of their first case.
    """
    for kind_of_name, given in {"subjects": subjects, "strata": strata}.items():
        if given is not None and len(given) != cases:
            raise ValueError(f"{kind_of_name} has {len(given)} names for {cases} cases")
    if cases < 1:
        raise ValueError("there is no case to draw")
    names: Sequence[Hashable] = range(cases) if subjects is None else subjects
    held: dict[Hashable, set[Hashable]] = {}
    for case, name in enumerate(names):
        held.setdefault(name, set()).add(None if strata is None else strata[case])
    kinds: dict[frozenset[Hashable], list[Hashable]] = {}
    for name, kind in held.items():
        kinds.setdefault(frozenset(kind), []).append(name)
    number = {name: place for place, name in enumerate(name for units in kinds.values() for name in units)}
    sizes = [len(units) for units in kinds.values()]
    return Design(np.array([number[name] for name in names]), np.array(sizes))


def draw_counts(design: Design, resamples: int, seed: int) -> Iterator[Counts]:
    """Blocks of rows, one row a resample, one column a case.

    Without strata the units of a resample are `default_rng(seed).integers(0, n, n)`, one resample after another. With
    strata of sizes n₁, n₂ … a resample is n₁ numbers below n₁, then n₂ numbers below n₂ and so on, of the same stream.
    """
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}; it must be at least 1")
    rng = np.random.default_rng(seed)
    units = design.units
    starts = np.repeat(np.cumsum(design.sizes) - design.sizes, design.sizes)
    below = np.repeat(design.sizes, design.sizes) if len(design.sizes) > 1 else units
    rows = max(1, _NUMBERS_IN_A_BLOCK // max(units, design.cases))
    for first in range(0, resamples, rows):
        many = min(rows, resamples - first)
        drawn = rng.integers(0, below, (many, units))
        if len(design.sizes) > 1:
            drawn += starts
        drawn += units * np.arange(many)[:, None]
        counted = np.bincount(drawn.ravel(), minlength=many * units).reshape(many, units)
        yield counted[:, design.unit_of_case].astype(np.float64)


def resampled(statistic: Callable[[Counts], Numbers], design: Design, *, resamples: int, seed: int) -> Numbers:
    """The statistic of every resample, of one number a resample or of several; paired with any other of this seed."""
    return np.concatenate([statistic(counts) for counts in draw_counts(design, resamples, seed)])
