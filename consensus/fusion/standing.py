"""How far the graders of a case disagree, in numbers by which cases can be put in order."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotator.geometry import measure
from annotator.geometry.runs import Toggles, area
from consensus.fusion.replies import UNDECIDED, Fused, Row
from protocols.scoring_names import MeasureRule
from protocols.standard import Measure

FAR = 0.05  # of the picture's diagonal: points this far from the reference disagree as much as can be
VCDR_RULES = {
    MeasureRule.VCDR_EXTENT: measure.vcdr_extent,
    MeasureRule.VCDR_LONGEST_COLUMN: measure.vcdr_longest_column,
}


@dataclass(frozen=True)
class Standing:
    """None where a case has nothing of the kind."""

    gci: float | None = None
    distance_px: float | None = None
    label_split: float | None = None
    disagreement: float = 0.0  # 0: all alike, 1: as different as can be


def place_standing(fused: Fused, width: int, height: int) -> Standing:
    """Of one target on one image; `disagreement` is the largest of that on the area, the distance, and the share of
    graders who said something else than most."""
    numbers, said = fused.measures.numbers, fused.measures.counts
    total = sum(said.values())
    split = 1 - max(said.values()) / total if total else 0.0
    parts = [split]
    if "gci" in numbers:
        parts.append((1 - numbers["gci"]) * _pairs_with_a_mark(fused.measures.per_reply.get("area_px", ())))
    if "distance_px" in numbers:
        parts.append(min(1.0, numbers["distance_px"] / (FAR * math.hypot(width, height))))
    labelled = "share" in numbers or fused.answer == UNDECIDED
    return Standing(numbers.get("gci"), numbers.get("distance_px"), split if labelled else None, max(parts))


def _pairs_with_a_mark(areas: Row) -> float:
    """The share of the pairs of graders in which at least one marked something; the others agree that there is nothing.

    The index of conformity knows only the former: taken alone, one grader's invention would look as bad as seven
    graders who mark seven different places.
    """
    marked, graders = sum(bool(pixels) for pixels in areas), len(areas)
    if graders < 2:
        return 1.0
    return 1 - math.comb(graders - marked, 2) / math.comb(graders, 2)


def case_standing(places: Iterable[Standing], vcdr_spread: float | None) -> Standing:
    """The worst of its places."""
    known = list(places)
    worst = [place.disagreement for place in known] + ([min(1.0, vcdr_spread)] if vcdr_spread is not None else [])
    return Standing(
        gci=min((place.gci for place in known if place.gci is not None), default=None),
        distance_px=max((place.distance_px for place in known if place.distance_px is not None), default=None),
        label_split=max((place.label_split for place in known if place.label_split is not None), default=None),
        disagreement=max(worst, default=0.0),
    )


def ratios(
    wanted: Measure, marked: Mapping[str, Mapping[str, Toggles]], width: int, height: int
) -> dict[str, float] | None:
    """The cup-to-disc ratio of everybody who marked both; `marked[target][who]`. None where it is another measure."""
    if wanted.rule not in VCDR_RULES:
        return None
    cups, discs = (marked.get(key, {}) for key in wanted.targets)
    both = [who for who in cups if who in discs]
    return {who: VCDR_RULES[wanted.rule](cups[who], discs[who], width, height) for who in both}


def measures_fields(measures: Iterable[Measure]) -> bool:
    """Whether the field of view is needed at all; finding it means looking at the photograph."""
    return any(one.rule is MeasureRule.AREA_SHARE_OF_FIELD for one in measures)


def field_shares(
    wanted: Measure, marked: Mapping[str, Mapping[str, Toggles]], width: int, height: int, field_px: int | None
) -> dict[str, float] | None:
    """The share of the field of view that everybody's mark covers; nobody's where the field is not known. None where it
    is another measure."""
    if wanted.rule is not MeasureRule.AREA_SHARE_OF_FIELD:
        return None
    (key,) = wanted.targets
    if field_px is None:
        return {}
    return {
        who: measure.share_of_field(area(mask, width, height), field_px) for who, mask in marked.get(key, {}).items()
    }


def spread(values: Sequence[float]) -> float | None:
    return max(values) - min(values) if len(values) > 1 else None
