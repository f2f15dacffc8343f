"""How many items of each stratum every part should have."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from consensus.splitting.plan import Item, PartPlan, Stratum


def wishes(
    items: Sequence[Item], parts: Sequence[PartPlan], sizes: Sequence[int], strata: Sequence[Stratum]
) -> NDArray[np.float64]:
    """Part × stratum. Parts that want more of a label are served first; the others share what is left, each by the
    share that every stratum has among the items it can take."""
    wanted = np.zeros((len(parts), len(strata)))
    pool = _counts(items, strata, "")
    for one in sorted(range(len(parts)), key=lambda one: not parts[one].wanted):
        part = parts[one]
        there = _counts(items, strata, part.device) if part.device else pool
        eligible = np.where([part.keeps(stratum) for stratum in strata], there, 0.0)
        if part.wanted:
            wanted[one] = _with_more(part, sizes[one], eligible, strata)
            pool = pool - wanted[one]
        else:
            size = min(float(sizes[one]), eligible.sum()) if part.share is not None else float(sizes[one])
            wanted[one] = size * eligible / max(eligible.sum(), 1.0)
    return wanted


def _with_more(
    part: PartPlan, size: int, eligible: NDArray[np.float64], strata: Sequence[Stratum]
) -> NDArray[np.float64]:
    share, rest, left = np.zeros(len(strata)), np.ones(len(strata), dtype=bool), float(size)
    for label, about in part.wanted.items():
        of_label = np.array([label.of(stratum) for stratum in strata]) & rest
        there = eligible[of_label].sum()
        taken = min(float(about), there, left)
        share[of_label] = taken * eligible[of_label] / max(there, 1.0)
        rest &= ~of_label
        left -= taken
    others = np.where(rest, eligible, 0.0)
    share += left * others / max(others.sum(), 1.0)
    return share


def _counts(items: Sequence[Item], strata: Sequence[Stratum], device: str) -> NDArray[np.float64]:
    there = Counter(item.stratum for item in items if not device or item.device == device)
    return np.array([float(there[stratum]) for stratum in strata])
