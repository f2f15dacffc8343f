"""A split as people ask for it, and as it is kept: variables by name, parts in order."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from consensus.splitting.plan import Item, Label, PartPlan
from protocols.recipe import Recipe
from protocols.scoring_names import SplitUnit
from protocols.standard import Part

ROUNDED = 0.005  # what people leave away when they write shares down


@dataclass(frozen=True, slots=True)
class AskedPart:
    """`leaves_out`: variable and value. `wanted`: variable, value and about how many."""

    key: str
    name: str
    size: int | None = None
    share: float | None = None
    device: str = ""
    leaves_out: tuple[tuple[str, str], ...] = ()
    wanted: tuple[tuple[str, str, int], ...] = ()

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """The variables and values that are spoken of."""
        return (*self.leaves_out, *((variable, value) for variable, value, _about in self.wanted))


@dataclass(frozen=True, slots=True)
class Asked:
    unit: SplitUnit
    parts: tuple[AskedPart, ...]
    stratify_by: tuple[str, ...] = ()
    seed: int = 0

    @property
    def variables(self) -> tuple[str, ...]:
        """All that the draw must know of a case."""
        return tuple(dict.fromkeys((*self.stratify_by, *(one for part in self.parts for one, _value in part.named))))

    def item(self, name: str, subject: str, device: str, values: Mapping[str, str]) -> Item:
        stratum = tuple(values.get(variable, "") for variable in self.variables)
        return Item(name, subject if self.unit is SplitUnit.SUBJECT else name, stratum, device)

    def plans(self) -> list[PartPlan]:
        place = {variable: at for at, variable in enumerate(self.variables)}
        return [
            PartPlan(
                part.key,
                part.size,
                part.share,
                part.device,
                tuple(Label(place[variable], value) for variable, value in part.leaves_out),
                {Label(place[variable], value): about for variable, value, about in part.wanted},
            )
            for part in self.parts
        ]

    def as_data(self) -> dict[str, Any]:
        return asdict(self) | {"unit": self.unit.value}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Asked":
        parts = tuple(
            AskedPart(
                **{
                    **part,
                    "leaves_out": tuple((variable, value) for variable, value in part["leaves_out"]),
                    "wanted": tuple((variable, value, about) for variable, value, about in part["wanted"]),
                }
            )
            for part in data["parts"]
        )
        return cls(SplitUnit(data["unit"]), parts, tuple(data["stratify_by"]), data["seed"])


def made_whole(parts: Iterable[AskedPart]) -> tuple[AskedPart, ...]:
    """Three times 33.3 % means all: shares that nearly add up to one are stretched to it."""
    known = tuple(parts)
    total = sum(part.share or 0.0 for part in known)
    if any(part.share is None for part in known) or abs(total - 1) > ROUNDED:
        return known
    return tuple(replace(part, share=(part.share or 0.0) / total) for part in known)


def as_published(
    recipe: Recipe, total: int, devices: Collection[str], labels: Collection[tuple[str, str]] | None = None
) -> Asked:
    """The recipe's own split: its sizes where the study has as many cases as the paper, else the same shares. Cameras
    part the cases only where the study has the paper's cameras, and nothing is asked of labels that no case has;
    `labels`: variable and value, as they occur."""
    split = recipe.split
    by_size = sum(part.images for part in split.parts) == total
    by_device = split.by_device and all(part.device in devices for part in split.parts)
    parts = tuple(
        AskedPart(
            part.key,
            part.name,
            size=part.images if by_size else None,
            share=None if by_size else part.share,
            device=part.device if by_device else "",
            leaves_out=tuple(
                (asking, label)
                for asking, label in ((_asking(recipe, label), label) for label in part.leaves_out)
                if labels is None or (asking, label) in labels
            ),
            wanted=tuple(
                (one.target, one.label, _scaled(one.about_images, part, total))
                for one in part.oversample
                if labels is None or (one.target, one.label) in labels
            ),
        )
        for part in split.parts
    )
    return Asked(split.unit, parts, split.stratify_by, split.seed)


def _scaled(about: int, part: Part, total: int) -> int:
    """As large a share of the part as in the paper."""
    return round(about * part.share * total / part.images)


def _asking(recipe: Recipe, label: str) -> str:
    return next(target.key for target in recipe.targets if any(option.key == label for option in target.options))
