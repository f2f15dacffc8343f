"""Photographs of a study by the names that their files had."""

from annotator.formats.file_names import stem
from annotator.models import CaseImage, Study


def photographs_of(study: Study) -> list[CaseImage]:
    """In the order of cases, with case and image."""
    rows = CaseImage.objects.filter(case__study=study).select_related("case", "image")
    return list(rows.order_by("case__number", "position"))


def photographs_by_name(study: Study) -> dict[str, list[CaseImage]]:
    """By the stem of the original name; more than one where names repeat."""
    found: dict[str, list[CaseImage]] = {}
    for row in photographs_of(study):
        found.setdefault(stem(row.image.original_name), []).append(row)
    return found
