"""What can be measured on the references of a photograph: the recipe's measures, and areas in pixels."""

from collections.abc import Callable, Sequence

from annotator.geometry.runs import area
from annotator.models import Image
from annotator.services.field_of_view import field_px
from consensus.exporting.record import AREAS, Record
from consensus.fusion.registry import union
from consensus.fusion.standing import field_shares, measures_fields, ratios
from consensus.selectors.exported import Exported
from protocols.recipe import Recipe
from protocols.scoring_names import MeasureRule

WHOLE = "whole"


def measure_columns(recipe: Recipe) -> list[str]:
    areas = [f"area_px:{target.key}" for target in recipe.targets if target.kind in AREAS]
    return [*(measure.key for measure in recipe.measures), *areas]


def measured(recipe: Recipe, exported: Sequence[Exported]) -> Callable[[Record], dict[str, float | None]]:
    """A function of the record; opening distances come with its answers."""
    images = {one.photograph.name: one.image for one in exported}
    sees_field = measures_fields(recipe.measures)

    def of_record(record: Record) -> dict[str, float | None]:
        image = images[record.photograph.name]
        return _values(recipe, record, image, field_px(image) if sees_field else None)

    return of_record


def _values(recipe: Recipe, record: Record, image: Image, seen: int | None) -> dict[str, float | None]:
    width, height = image.width, image.height
    marked = {one.target: {WHOLE: union(one.masks)} for one in record.agreed if one.masks}
    values: dict[str, float | None] = {}
    for measure in recipe.measures:
        if measure.rule is MeasureRule.AOD500:
            values[measure.key] = record.answers.measures.get(measure.targets[0]) if record.answers else None
            continue
        found = ratios(measure, marked, width, height)
        if found is None:
            found = field_shares(measure, marked, width, height, seen)
        values[measure.key] = (found or {}).get(WHOLE)
    for one in record.agreed:
        if one.is_area:
            values[f"area_px:{one.target}"] = area(marked[one.target][WHOLE], width, height) if one.masks else 0
    return values
