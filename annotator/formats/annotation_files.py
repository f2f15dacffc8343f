"""The formats in which annotations come from elsewhere: a name for the command, words for the page, and a reader."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotator.formats.fault import gettext_noop
from annotator.formats.marks import Reader
from annotator.formats.mask_folders import read_dark_mask_folders, read_mask_folders


@dataclass(frozen=True)
class AnnotationFormat:
    """`title` and `layout` are English sentences for the catalogue. `apart`: what a file says can be told without the
    others, so that several processes may read a part of them each. `graders`: whether the files can say whose an answer
    is."""

    name: str
    title: str
    layout: str
    read: Reader
    apart: bool = False
    graders: bool = False


_KNOWN = (
    AnnotationFormat(
        "masks",
        gettext_noop("Masks and label pictures (PNG, BMP, TIFF)"),
        gettext_noop("TARGET/NAME.png, or by grader GRADER/TARGET/NAME.png; the structure is white, or 1, on 0"),
        read_mask_folders,
        apart=True,
        graders=True,
    ),
    AnnotationFormat(
        "dark-masks",
        gettext_noop("Masks with a black structure (PNG, BMP, TIFF)"),
        gettext_noop("The same folders, but the structure is black, or 0, on white"),
        read_dark_mask_folders,
        apart=True,
        graders=True,
    ),
)
FORMATS: Mapping[str, AnnotationFormat] = {each.name: each for each in _KNOWN}
"""In the order in which they are offered. Names stand in rows and scripts, so they are never changed."""
