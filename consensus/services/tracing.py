"""The surfaces of a chamber angle are traced in its picture, as a proposal to the senior; nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.errors import DomainError
from annotator.geometry.polyline import apart_px
from annotator.imaging.brightness import brightness
from annotator.imaging.pipeline import SERVED
from annotator.imaging.tracing.angle import TracedAngle, trace_angle
from annotator.imaging.tracing.untraceable import Reason, UntraceableError
from annotator.models import Case, Image
from annotator.selectors.recipes import recipe_of
from annotator.services.renditions import open_rendition
from consensus.selectors.inputs import Place, inputs_of
from consensus.selectors.lines import scale_of
from protocols.names import Region
from protocols.recipe import Recipe
from protocols.scoring_names import MeasureRule
from protocols.standard import Measure

Point = tuple[float, float]
REMEMBERED = 64  # angles; a senior who accepts has just traced them
WORDS = {
    Reason.SMALL: gettext_lazy("The picture is too small to be traced."),
    Reason.OUTSIDE: gettext_lazy("The spur does not lie in its half of the picture."),
    Reason.FLAT: gettext_lazy("Tissue and chamber cannot be told apart in this picture."),
    Reason.CHAMBER: gettext_lazy("No chamber is seen behind the cornea."),
    Reason.SPUR: gettext_lazy("The spur does not lie at the back of the cornea."),
    Reason.SURFACE: gettext_lazy("The surfaces cannot be followed from the chamber to the spur."),
}


@dataclass(frozen=True)
class TracedLine:
    target: str
    points: Sequence[Point]


def trace_case(*, case: Case, position: int, measure: str, spur: Point) -> list[TracedLine]:
    """Cornea and iris of the angle that a measure of the protocol is taken from."""
    recipe = recipe_of(case.study)
    asked = next((one for one in _openings(recipe) if one.key == measure), None)
    if asked is None:
        message = _("The protocol has no such measure of an angle.")
        raise DomainError("unknown_measure", message, field="measure")
    (inputs,) = inputs_of(case.study, [case.pk])
    place = inputs.place(position, asked.targets[1])
    if place is None:
        raise DomainError("unknown_target", _("The case has no such image or target."), field="position")
    return traced_lines(place, asked, spur)


def traced_lines(place: Place, measure: Measure, spur: Point) -> list[TracedLine]:
    image = place.image
    if _is_in_other_half(place, spur):
        raise _untraceable(Reason.OUTSIDE)
    try:
        found = _traced(image.sha256, image.frame, spur, _aspect(image))
    except UntraceableError as fault:
        raise _untraceable(fault.reason) from None
    _spur, cornea, iris = measure.targets
    return [TracedLine(cornea, found.cornea), TracedLine(iris, found.iris)]


def origin_of(place: Place, recipe: Recipe, line: Sequence[Sequence[float]], traced_from: Point) -> dict[str, Any]:
    """What a line has of the tracing from this spur: how many of its vertices are the tracing's, and how far they lie
    apart at most. Empty where nothing of it is left: then it was drawn."""
    measure = next((one for one in _openings(recipe) if place.row.key in one.targets[1:]), None)
    if measure is None:
        return {}
    traced = next(one.points for one in traced_lines(place, measure, traced_from) if one.target == place.row.key)
    known = set(traced)
    kept = sum((float(x), float(y)) in known for x, y in line)
    if not kept:
        return {}
    x, y = traced_from
    told: dict[str, Any] = {"traced_from": {"x": x, "y": y}, "vertices": len(line), "traced_vertices": kept}
    return told | {"off_tracing_px": round(apart_px(line, traced), 3)}


def _openings(recipe: Recipe) -> list[Measure]:
    return [measure for measure in recipe.measures if measure.rule is MeasureRule.AOD500]


def _is_in_other_half(place: Place, spur: Point) -> bool:
    middle = place.image.width / 2
    return (place.asked.region is Region.LEFT and spur[0] > middle) or (
        place.asked.region is Region.RIGHT and spur[0] < middle
    )


def _aspect(image: Image) -> float:
    scale = scale_of(image)
    return 1.0 if scale is None else scale.y_um / scale.x_um


@lru_cache(maxsize=REMEMBERED)
def _traced(sha256: str, frame: int, spur: Point, aspect: float) -> TracedAngle:
    with open_rendition(name=SERVED, sha256=sha256, frame=frame) as file:
        grey = brightness(file.read())
    return trace_angle(grey, spur, towards_x=grey.shape[1] / 2, aspect=aspect)


def _untraceable(reason: Reason) -> DomainError:
    return DomainError("untraceable", str(WORDS[reason]))
