"""Drawing the parts of a split.

Units whose items have the same strata are interchangeable, so it is decided first how many units of each kind every
part gets, and then which: in an order that follows from the seed and the unit's own name alone, not from the order of
rows or a library's random numbers.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.formats.fault import Fault, gettext_noop
from consensus.splitting.ledger import Ledger
from consensus.splitting.plan import LEFT_OUT, Item, PartPlan, Stratum, sizes_of
from consensus.splitting.wishes import wishes


@dataclass(frozen=True, slots=True)
class Drawn:
    part_of: Mapping[str, str]  # by item; LEFT_OUT for those in no part
    asked: Mapping[str, int]  # items per part


@dataclass(frozen=True, slots=True)
class Kind:
    """Units that are alike: how many items of each stratum, and from which devices."""

    counts: tuple[tuple[Stratum, int], ...]
    devices: frozenset[str]


Units = Mapping[str, tuple[Kind, list[Item]]]


def draw(items: Sequence[Item], parts: Sequence[PartPlan], seed: int) -> Drawn:
    if len({item.name for item in items}) < len(items):
        raise ValueError("two items have the same name")
    sizes = sizes_of(parts, items)
    strata = sorted({item.stratum for item in items})
    units = _units(items, seed)
    kinds = {kind: at for at, kind in enumerate(sorted({kind for kind, _items in units.values()}, key=repr))}
    order = [kinds[kind] for kind, _items in units.values()]
    ledger = Ledger(
        _gives(list(kinds), strata, parts),
        wishes(items, parts, sizes, strata),
        _open_to(list(kinds), parts),
        np.bincount(order, minlength=len(kinds)),
    )
    part_of = _handed_out(units, kinds, ledger.settle(order), parts)
    return Drawn(part_of, {part.key: size for part, size in zip(parts, sizes, strict=True)})


def _units(items: Sequence[Item], seed: int) -> Units:
    """In the order of the draw: large units first, for these fit worst at the end; else by lot."""
    members: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.name):
        members.setdefault(item.unit, []).append(item)
    ordered = sorted(members, key=lambda unit: (-len(members[unit]), _lot(seed, unit)))
    return {unit: (_kind(members[unit]), members[unit]) for unit in ordered}


def _lot(seed: int, unit: str) -> bytes:
    return hashlib.sha256(f"{seed}:{unit}".encode()).digest()


def _kind(items: Sequence[Item]) -> Kind:
    counts = Counter(item.stratum for item in items)
    return Kind(tuple(sorted(counts.items())), frozenset(item.device for item in items))


def _gives(kinds: Sequence[Kind], strata: Sequence[Stratum], parts: Sequence[PartPlan]) -> NDArray[np.float64]:
    """Kind × part × stratum; a part may leave labels out."""
    place = {stratum: at for at, stratum in enumerate(strata)}
    gives = np.zeros((len(kinds), len(parts), len(strata)))
    for at, kind in enumerate(kinds):
        for stratum, count in kind.counts:
            gives[at, :, place[stratum]] = [count if part.keeps(stratum) else 0 for part in parts]
    return gives


def _open_to(kinds: Sequence[Kind], parts: Sequence[PartPlan]) -> NDArray[np.bool_]:
    """Kind × part, and last whether it may stay out: where sizes leave a rest, or no part takes its device."""
    _check_devices(kinds, parts)
    rest = parts[0].size is not None or sum(part.share or 0.0 for part in parts) < 1 - 1e-6
    fits = [[not part.device or part.device in kind.devices for part in parts] for kind in kinds]
    return np.array([[*row, rest or not any(row)] for row in fits], dtype=bool)


def _check_devices(kinds: Sequence[Kind], parts: Sequence[PartPlan]) -> None:
    asked = [part for part in parts if part.device]
    for kind in kinds if asked else ():
        if len(kind.devices) > 1:
            raise Fault(
                "two_devices",
                gettext_noop("The parts are of different devices, but a subject has images of %(devices)s."),
                {"devices": ", ".join(sorted(device or "?" for device in kind.devices))},
            )
    known = {device for kind in kinds for device in kind.devices}
    for part in asked:
        if part.device not in known:
            raise Fault(
                "unknown_device",
                gettext_noop("%(part)s: no image was taken with %(device)s."),
                {"part": part.key, "device": part.device},
            )


def _handed_out(
    units: Units, kinds: Mapping[Kind, int], many: NDArray[np.int64], parts: Sequence[PartPlan]
) -> dict[str, str]:
    left, found = many.copy(), dict[str, str]()
    for kind, members in units.values():
        row = left[kinds[kind]]
        at = int(np.flatnonzero(row)[0])
        row[at] -= 1
        for item in members:
            kept = at < len(parts) and parts[at].keeps(item.stratum)
            found[item.name] = parts[at].key if kept else LEFT_OUT
    return found
