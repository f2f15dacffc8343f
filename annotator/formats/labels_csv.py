"""Labels that graders gave: `image,grader,label[,role]`; `role` is grader or adjudicator, and grader where missing."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from annotator.formats.bad_table import bad_table
from annotator.formats.file_names import stem
from annotator.formats.table import read_rows

GRADER, ADJUDICATOR = "grader", "adjudicator"


@dataclass(frozen=True)
class GivenLabel:
    image: str
    grader: str
    label: str
    role: str = GRADER


@dataclass(frozen=True)
class FusedLabel:
    """`label` is empty while there is none."""

    image: str
    label: str
    status: str


def read_labels(data: bytes) -> list[GivenLabel]:
    """In the order of the table; an image bears the name of its first line."""
    labels = []
    images: dict[str, str] = {}
    seen: dict[tuple[str, str], int] = {}
    for row in read_rows(data, ("image", "grader", "label"), ("role",)):
        image, grader, role = row.text("image"), row.text("grader"), row.cells["role"].casefold() or GRADER
        if role not in (GRADER, ADJUDICATOR):
            allowed = f"{GRADER}, {ADJUDICATOR}"
            raise bad_table("bad_choice", row.line, value=row.cells["role"], column="role", allowed=allowed)
        first = seen.setdefault((stem(image), grader), row.line)
        if first != row.line:
            raise bad_table("repeated_reading", row.line, grader=grader, image=image, first=first)
        labels.append(GivenLabel(images.setdefault(stem(image), image), grader, row.text("label"), role))
    return labels


def write_labels(labels: Iterable[FusedLabel]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("image", "label", "status"))
    writer.writerows((label.image, label.label, label.status) for label in labels)
    return out.getvalue().encode()
