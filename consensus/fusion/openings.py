"""Angle opening distances of several spurs over one pair of lines."""

from collections.abc import Mapping, Sequence

from annotator.geometry.opening import Scale, opening_distance_mm
from protocols.scoring_names import MeasureRule
from protocols.standard import Measure

Point = tuple[float, float]


def openings(
    wanted: Measure,
    spurs: Mapping[str, Mapping[str, Point]],
    lines: Mapping[str, Sequence[Point]],
    width: int,
    scale: Scale | None,
) -> dict[str, float]:
    """In mm, of everybody who placed the spur; `spurs[target][who]`. Nothing where it is another measure, the lines are
    not drawn, or the size of a pixel is not known."""
    if wanted.rule is not MeasureRule.AOD500 or scale is None:
        return {}
    spur, cornea, iris = wanted.targets
    if cornea not in lines or iris not in lines:
        return {}
    found = {
        who: opening_distance_mm(point, lines[cornea], lines[iris], towards_x=width / 2, scale=scale)
        for who, point in spurs.get(spur, {}).items()
    }
    return {who: distance for who, distance in found.items() if distance is not None}
