"""Before and after, as small drawings over the photograph."""

from dataclasses import dataclass

import numpy as np
from django.urls import reverse
from skimage.measure import find_contours

from annotator.geometry import mask_text, runs
from annotator.geometry.row_runs import row_runs
from consensus.selectors.history import Version
from consensus.selectors.table import ReferenceShown

MOST_ROWS = 160  # of one drawing: enough for the eye, few enough for a page of many
MARGIN = 0.25


@dataclass(frozen=True)
class Picture:
    """SVG parts in pixels of the photograph; `box` is the part of it that is shown."""

    href: str
    width: int
    height: int
    box: str
    before: str
    after: str
    is_point: bool


def picture_of(version: Version) -> Picture | None:
    """None where there is nothing to see, as for a label."""
    width, height = version.image.width, version.image.height
    bounds = [_bounds(shown, width, height) for shown in (version.before, version.shown) if shown is not None]
    known = [bound for bound in bounds if bound is not None]
    if not known:
        return None
    left, top = min(bound[0] for bound in known), min(bound[1] for bound in known)
    right, bottom = max(bound[2] for bound in known), max(bound[3] for bound in known)
    side = max(right - left, bottom - top, min(width, height) / 12) * (1 + 2 * MARGIN)
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    step = max(1, round((bottom - top) / MOST_ROWS))
    return Picture(
        href=reverse("image_view", args=[version.image.public_id]),
        width=width,
        height=height,
        box=f"{middle_x - side / 2:.1f} {middle_y - side / 2:.1f} {side:.1f} {side:.1f}",
        before=_path(version.before, width, height, step, side) if version.before else "",
        after=_path(version.shown, width, height, step, side),
        is_point=_point(version.shown) is not None,
    )


def _bounds(shown: ReferenceShown, width: int, height: int) -> tuple[float, float, float, float] | None:
    point = _point(shown)
    if point is not None:
        return (*point, *point)
    line = _line(shown)
    if line:
        return min(x for x, _y in line), min(y for _x, y in line), max(x for x, _y in line), max(y for _x, y in line)
    boxes = []
    for text in shown.masks:
        found = row_runs(runs.unpack(mask_text.read(text, width, height)[0], width, height), width, height)
        if len(found.rows):
            edges = (found.first.min(), found.rows[0], found.last.max() + 1, found.rows[-1] + 1)
            boxes.append(tuple(float(edge) for edge in edges))
    if not boxes:
        return None
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def _point(shown: ReferenceShown) -> tuple[float, float] | None:
    geometry = (shown.content or {}).get("geometry") or {}
    return (float(geometry["x"]), float(geometry["y"])) if {"x", "y"} <= set(geometry) else None


def _line(shown: ReferenceShown) -> list[list[float]]:
    geometry = (shown.content or {}).get("geometry") or {}
    points: list[list[float]] = geometry.get("points", [])
    return points


def _path(shown: ReferenceShown, width: int, height: int, step: int, side: float) -> str:
    """Outlines of the masks, thinned for the eye, a cross at the point, or the line."""
    point = _point(shown)
    if point is not None:
        arm = side / 20
        x, y = point
        return f"M{x - arm:.1f} {y:.1f}h{2 * arm:.1f}M{x:.1f} {y - arm:.1f}v{2 * arm:.1f}"
    line = _line(shown)
    if line:
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
    lines: list[str] = []
    for text in shown.masks:
        mask = runs.decode(runs.unpack(mask_text.read(text, width, height)[0], width, height), width, height)
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        if len(rows):
            top, left = rows[0], columns[0]
            part = np.pad(mask[top : rows[-1] + 1, left : columns[-1] + 1], 1)
            for contour in find_contours(part.astype(np.float64), 0.5):
                places = np.add(contour[:: 2 * step], [top - 0.5, left - 0.5])
                lines.append("M" + "L".join(f"{x:.1f} {y:.1f}" for y, x in places) + "Z")
    return "".join(lines)
