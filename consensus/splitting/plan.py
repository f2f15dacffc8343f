"""What is divided, and how it was asked to be divided."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.formats.fault import Fault, gettext_noop

Stratum = tuple[str, ...]  # one value for each variable that the split is balanced by
LEFT_OUT = ""  # the part of what belongs to none


@dataclass(frozen=True, slots=True)
class Item:
    """A case. All items of one unit (a subject, or the case itself) go to the same part."""

    name: str
    unit: str
    stratum: Stratum = ()
    device: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """One value of one variable, by the variable's place in the strata."""

    variable: int
    value: str

    def of(self, stratum: Stratum) -> bool:
        return stratum[self.variable] == self.value


@dataclass(frozen=True, slots=True)
class PartPlan:
    """A size in items, or a share of all of them; ``wanted`` asks for more or fewer of a label than chance gives."""

    key: str
    size: int | None = None
    share: float | None = None
    device: str = ""  # empty: any
    leaves_out: tuple[Label, ...] = ()
    wanted: Mapping[Label, int] = field(default_factory=dict)

    def keeps(self, stratum: Stratum) -> bool:
        return not any(label.of(stratum) for label in self.leaves_out)


def sizes_of(parts: Sequence[PartPlan], items: Sequence[Item]) -> list[int]:
    """How many items each part is to have: what is left of a share after rounding goes to the largest remainders.

    Where every part is of one device, the parts of a device share out what was taken with it.
    """
    _check(parts, len(items))
    if parts[0].size is not None:
        return [part.size or 0 for part in parts]
    exact = _amounts(parts, items)
    sizes = [int(amount + 1e-9) for amount in exact]
    by_remainder = sorted(range(len(parts)), key=lambda one: (sizes[one] - exact[one], one))
    for one in by_remainder[: round(sum(exact)) - sum(sizes)]:
        sizes[one] += 1
    return sizes


def _amounts(parts: Sequence[PartPlan], items: Sequence[Item]) -> list[float]:
    if not all(part.device for part in parts):
        return [(part.share or 0.0) * len(items) for part in parts]
    there = Counter(item.device for item in items)
    together: dict[str, float] = defaultdict(float)
    for part in parts:
        together[part.device] += part.share or 0.0
    return [(part.share or 0.0) / together[part.device] * there[part.device] for part in parts]


def _check(parts: Sequence[PartPlan], total: int) -> None:
    if len(parts) < 2:
        raise Fault("too_few_parts", gettext_noop("A split needs at least two parts."))
    if len({part.key for part in parts}) < len(parts):
        raise Fault("part_twice", gettext_noop("Two parts have the same name."))
    if not total:
        raise Fault("nothing_to_split", gettext_noop("There is no case to split."))
    by_size = [part.size is not None for part in parts]
    if len(set(by_size)) > 1 or any((part.size is None) == (part.share is None) for part in parts):
        raise Fault("sizes_or_shares", gettext_noop("Give every part a number of cases, or every part a share."))
    asked = sum(part.size or 0 for part in parts)
    if asked > total:
        raise Fault(
            "more_than_there_are",
            gettext_noop("The parts ask for %(asked)s cases together; there are %(total)s."),
            {"asked": asked, "total": total},
        )
    shares = sum(part.share or 0.0 for part in parts)
    if shares > 1 + 1e-6:
        raise Fault("more_than_all", gettext_noop("The shares add up to %(sum)s %%."), {"sum": round(100 * shares, 2)})
    for part in parts:
        if (part.size is not None and part.size < 1) or (part.share is not None and not 0 < part.share < 1):
            raise Fault(
                "bad_amount",
                gettext_noop("%(part)s: give a number of cases, or a share between 0 and 100 %%."),
                {"part": part.key},
            )
