"""The formats in which annotations come from elsewhere: a name for the command, words for the page, and a reader."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from annotator.formats.coco_marks import read_coco_marks
from annotator.formats.contour_marks import read_contour_marks
from annotator.formats.csv_marks import read_csv_marks, read_exported_readings, read_pixel_csv_marks
from annotator.formats.cvat_marks import read_cvat_marks
from annotator.formats.fault import gettext_noop
from annotator.formats.label_studio_marks import read_label_studio_marks
from annotator.formats.labelme_marks import read_labelme_marks
from annotator.formats.layout_marks import read_layout
from annotator.formats.marks import Reader
from annotator.formats.mask_folders import below, mask_files, read_dark_mask_folders, read_mask_folders
from annotator.formats.tree import FileTree
from annotator.formats.via_marks import read_via_marks


@dataclass(frozen=True)
class AnnotationFormat:
    """`title` and `layout` are English sentences for the catalogue. `apart`: where what a file says can be told without
    the others, so that several processes may read a part of them each, the files that are looked at. `graders`: whether
    the files can say whose an answer is."""

    name: str
    title: str
    layout: str
    read: Reader
    apart: Callable[[FileTree], list[tuple[str, str]]] | None = None
    graders: bool = False


_KNOWN = (
    AnnotationFormat(
        "layout",
        gettext_noop("The protocol's own files"),
        gettext_noop("The tables and pictures of its challenge; as the folder layout/ of an export"),
        read_layout,
    ),
    AnnotationFormat(
        "masks",
        gettext_noop("Masks and label pictures (PNG, BMP, TIFF)"),
        gettext_noop("TARGET/NAME.png, or by grader GRADER/TARGET/NAME.png; the structure is white, or 1, on 0"),
        read_mask_folders,
        apart=mask_files,
        graders=True,
    ),
    AnnotationFormat(
        "dark-masks",
        gettext_noop("Masks with a black structure (PNG, BMP, TIFF)"),
        gettext_noop("The same folders, but the structure is black, or 0, on white"),
        read_dark_mask_folders,
        apart=mask_files,
        graders=True,
    ),
    AnnotationFormat(
        "tables",
        gettext_noop("Tables of points, ellipses, lines or labels (CSV)"),
        gettext_noop("image, target, grader and x, y or cx, cy, a, b, theta_deg or label; as tables/ of an export"),
        read_csv_marks,
        graders=True,
    ),
    AnnotationFormat(
        "pixel-tables",
        gettext_noop("The same tables with coordinates that name pixels"),
        gettext_noop("The first pixel is 0, 0; half a pixel is added"),
        read_pixel_csv_marks,
        graders=True,
    ),
    AnnotationFormat(
        "readings",
        gettext_noop("Readings of an exported archive"),
        gettext_noop("The folder readings/ of an export, with tables and pictures by the letters of graders"),
        read_exported_readings,
        graders=True,
    ),
    AnnotationFormat(
        "coco",
        gettext_noop("COCO (polygons, run lengths, key points)"),
        gettext_noop("JSON with images, annotations and categories; a category is called like a target"),
        read_coco_marks,
    ),
    AnnotationFormat(
        "contours",
        gettext_noop("Contours as text (x y per line, as in PAPILA)"),
        gettext_noop("PHOTOGRAPH_TARGET_GRADER.txt, such as RET002OD_disc_exp1.txt; coordinates name pixels"),
        read_contour_marks,
        apart=below,
        graders=True,
    ),
    AnnotationFormat(
        "cvat",
        gettext_noop("CVAT for images 1.1 (XML)"),
        gettext_noop(
            "annotations.xml with masks, ellipses, polygons, points, lines and tags; a label is called like a target"
        ),
        read_cvat_marks,
    ),
    AnnotationFormat(
        "label-studio",
        gettext_noop("Label Studio (JSON)"),
        gettext_noop(
            "The JSON export with ellipses, brush strokes, polygons, key points and choices of each annotator"
        ),
        read_label_studio_marks,
        graders=True,
    ),
    AnnotationFormat(
        "via",
        gettext_noop("VGG Image Annotator 2 and 3 (JSON, CSV)"),
        gettext_noop("A project, or exported JSON or CSV; an attribute of each region names its target"),
        read_via_marks,
    ),
    AnnotationFormat(
        "labelme",
        gettext_noop("LabelMe (JSON)"),
        gettext_noop("A JSON file for each photograph; a label is called like a target"),
        read_labelme_marks,
        apart=below,
    ),
)
FORMATS: Mapping[str, AnnotationFormat] = {each.name: each for each in _KNOWN}
"""In the order in which they are offered. Names stand in rows and scripts, so they are never changed."""
