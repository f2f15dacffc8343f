"""How many units of each kind every part gets: begun in proportion, corrected by moves and exchanges."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
SIZE_WEIGHT = 1000.0  # a case too many in a part is worse than any unevenness of strata that it could mend
MOST_STEPS = 5000


class Ledger:
    """`gives`, kind × part × stratum: what one unit adds to a part. `wanted`, part × stratum. `open_to`, kind × part.

    The last part stands for staying out of the split: nothing is wanted there and nothing counts.
    """

    def __init__(self, gives: Numbers, wanted: Numbers, open_to: NDArray[np.bool_], there: NDArray[np.int64]) -> None:
        out = np.zeros_like(gives[:, :1])
        self._gives = np.concatenate([gives, out], axis=1)
        self._wanted = np.concatenate([wanted, np.zeros_like(wanted[:1])])
        self._open_to, self._there = open_to, there
        self.many = self._in_proportion(gives.max(axis=1), wanted)
        self._gap = np.einsum("kp,kps->ps", self.many, self._gives) - self._wanted

    def settle(self, order: Sequence[int]) -> NDArray[np.int64]:
        """Units per kind and part. `order`: the kinds of all units as they were drawn."""
        for kind in order:
            if self.many[kind].sum() < self._there[kind]:
                dearer = _cost(self._gap + self._gives[kind]) - _cost(self._gap)
                self._add(kind, int(np.argmin(np.where(self._open_to[kind], dearer, np.inf))), 1)
        for _step in range(MOST_STEPS):
            if not (self._move() or self._exchange()):
                break
        return self.many

    def _in_proportion(self, full: Numbers, wanted: Numbers) -> NDArray[np.int64]:
        """The whole units of each kind's fair share, so that only remainders are left to place one by one."""
        of_all = full.T @ self._there
        chance = np.divide(wanted, of_all, out=np.zeros_like(wanted), where=of_all > 0)
        mean = np.where(self._open_to[:, :-1], full @ chance.T / full.sum(axis=1, keepdims=True), 0.0)
        mean /= np.maximum(mean.sum(axis=1, keepdims=True), 1.0)
        many = np.zeros(self._open_to.shape, dtype=np.int64)
        many[:, :-1] = np.floor(mean * self._there[:, None] + 1e-9)
        return many

    def _add(self, kind: int, part: int, units: int) -> None:
        self.many[kind, part] += units
        self._gap[part] += units * self._gives[kind, part]

    def _move(self) -> bool:
        """The one unit whose change of part helps most."""
        now = _cost(self._gap)
        more = np.where(self._open_to, _cost(self._gap + self._gives) - now, np.inf)
        fewer = np.where(self.many > 0, _cost(self._gap - self._gives) - now, np.inf)
        gain = fewer[:, :, None] + more[:, None, :]
        gain[:, range(gain.shape[1]), range(gain.shape[1])] = np.inf
        kind, source, goal = (int(at) for at in np.unravel_index(int(np.argmin(gain)), gain.shape))
        if gain[kind, source, goal] > -1e-6:
            return False
        self._add(kind, source, -1)
        self._add(kind, goal, 1)
        return True

    def _exchange(self) -> bool:
        """The two units of different parts whose exchange helps most."""
        best, found = -1e-6, None
        for one in range(self.many.shape[1]):
            for other in range(one + 1, self.many.shape[1]):
                mine = np.flatnonzero((self.many[:, one] > 0) & self._open_to[:, other])
                theirs = np.flatnonzero((self.many[:, other] > 0) & self._open_to[:, one])
                if not len(mine) or not len(theirs):
                    continue
                gain = self._gain(one, theirs, mine).T + self._gain(other, mine, theirs)
                at = int(np.argmin(gain))
                if gain.flat[at] < best:
                    row, column = divmod(at, len(theirs))
                    best, found = float(gain.flat[at]), (int(mine[row]), int(theirs[column]), one, other)
        if found is None:
            return False
        first, second, one, other = found
        for kind, source, goal in ((first, one, other), (second, other, one)):
            self._add(kind, source, -1)
            self._add(kind, goal, 1)
        return True

    def _gain(self, part: int, comes: NDArray[np.intp], goes: NDArray[np.intp]) -> Numbers:
        """What it costs this part to get one unit (rows) for another (columns)."""
        given = self._gives[comes, part][:, None, :] - self._gives[goes, part][None, :, :]
        change: Numbers = _cost(self._gap[part] + given) - _cost(self._gap[part])
        return change


def _cost(gap: Numbers) -> Numbers:
    """Of a part by its gaps (last axis: strata)."""
    cost: Numbers = np.abs(gap.sum(axis=-1)) * SIZE_WEIGHT + np.abs(gap).sum(axis=-1)
    return cost
