"""Lines that a senior drew, and the scale of the pictures they lie on."""

from collections.abc import Sequence

from django.db.models import QuerySet

from annotator.geometry.opening import Scale
from annotator.models import Image
from consensus.fusion.openings import Point
from consensus.models import Reference
from protocols.names import Kind

Lines = dict[int, dict[str, list[Point]]]
"""By image (row number) and target."""


def drawn_lines() -> QuerySet[Reference]:
    """The latest version of each."""
    latest = Reference.objects.filter(kind=Kind.POLYLINE, following__isnull=True)
    return latest.filter(answer=Reference.Answer.PRESENT)


def lines_of(case_ids: Sequence[int], among: QuerySet[Reference] | None = None) -> Lines:
    """`among`: other lines than the latest."""
    drawn = drawn_lines() if among is None else among
    rows = drawn.filter(case__in=case_ids).values_list("image_id", "target__key", "geometry")
    found: Lines = {}
    for image, target, geometry in rows:
        found.setdefault(image, {})[target] = [(x, y) for x, y in geometry["points"]] if geometry else []
    return found


def scale_of(image: Image) -> Scale | None:
    if image.um_per_px_x is None or image.um_per_px_y is None:
        return None
    return Scale(image.um_per_px_x, image.um_per_px_y)
