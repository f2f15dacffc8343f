"""Points that graders marked: `image,grader,x,y[,visible]`.

`visible` is 1 or 0, and 1 where the column is missing; a point that is not visible needs no coordinates. Coordinates
are taken and written as they stand: nothing is shifted by half a pixel.
"""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from annotator.formats.bad_table import bad_table
from annotator.formats.file_names import stem
from annotator.formats.table import Row, read_rows


@dataclass(frozen=True)
class MarkedPoint:
    """`at` is None when the grader called the structure not visible."""

    image: str
    grader: str
    at: tuple[float, float] | None


@dataclass(frozen=True)
class FusedPoint:
    """`at` is None when the structure is not visible; `n` counts the readings behind it."""

    image: str
    at: tuple[float, float] | None
    n: int


def read_points(data: bytes) -> list[MarkedPoint]:
    """In the order of the table; an image bears the name of its first line."""
    points = []
    images: dict[str, str] = {}
    seen: dict[tuple[str, str], int] = {}
    for row in read_rows(data, ("image", "grader", "x", "y"), ("visible",)):
        image, grader = row.text("image"), row.text("grader")
        first = seen.setdefault((stem(image), grader), row.line)
        if first != row.line:
            raise bad_table("repeated_reading", row.line, grader=grader, image=image, first=first)
        points.append(MarkedPoint(images.setdefault(stem(image), image), grader, _place(row)))
    return points


def write_points(points: Iterable[FusedPoint]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("image", "x", "y", "n"))
    for point in points:
        x, y = ("", "") if point.at is None else map(repr, point.at)
        writer.writerow((point.image, x, y, point.n))
    return out.getvalue().encode()


def _place(row: Row) -> tuple[float, float] | None:
    visible = row.cells["visible"] or "1"
    if visible not in ("0", "1"):
        raise bad_table("bad_choice", row.line, value=visible, column="visible", allowed="0, 1")
    return (row.number("x"), row.number("y")) if visible == "1" else None
