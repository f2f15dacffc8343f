"""Numbers that graders measured: `image,grader,value[,again]`; `again` is what the same grader measured when the image
came back, and empty where it did not."""

from dataclasses import dataclass

from annotator.formats.bad_table import bad_table
from annotator.formats.file_names import stem
from annotator.formats.table import read_rows


@dataclass(frozen=True)
class MeasuredNumber:
    image: str
    grader: str
    value: float
    again: float | None = None


def read_measures(data: bytes) -> list[MeasuredNumber]:
    """In the order of the table; an image bears the name of its first line."""
    measured = []
    images: dict[str, str] = {}
    seen: dict[tuple[str, str], int] = {}
    for row in read_rows(data, ("image", "grader", "value"), ("again",)):
        image, grader = row.text("image"), row.text("grader")
        first = seen.setdefault((stem(image), grader), row.line)
        if first != row.line:
            raise bad_table("repeated_reading", row.line, grader=grader, image=image, first=first)
        again = row.number("again") if row.cells["again"] else None
        measured.append(MeasuredNumber(images.setdefault(stem(image), image), grader, row.number("value"), again))
    return measured
