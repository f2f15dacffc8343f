"""The formats of an export in words: for whom each is, and what lies where in the archive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from protocols.names import Kind
from protocols.recipe import Recipe

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class FormatWords:
    name: "_StrPromise"
    description: "_StrPromise"


FORMATS: "Mapping[str, FormatWords]" = {
    "layout": FormatWords(
        _("The protocol's own files"),
        _("To score submissions with “manage.py score” or the challenge's own evaluator, or to give away a challenge."),
    ),
    "masks": FormatWords(
        _("Masks as PNG"),
        _("To train models: one picture of one bit per target and image; objects as numbered label pictures."),
    ),
    "tables": FormatWords(
        _("Tables as CSV"),
        _("For statistics: points, ellipses, labels, signs, lines and measures, and how each reference came about."),
    ),
    "coco": FormatWords(
        _("COCO"),
        _("For detection and segmentation tools: areas as run lengths (exact) and as polygons, points as key points."),
    ),
    "nifti": FormatWords(
        _("NIfTI"),
        _("For ITK-SNAP, 3D Slicer, SimpleITK and nibabel: one label map (.nii.gz) per target and image."),
    ),
    "dicom-seg": FormatWords(
        _("DICOM SEG"),
        _("For hospital archives and DICOM viewers: one segmentation object per image, with coded structures."),
    ),
    "readings": FormatWords(
        _("Every single reading"),
        _("To study graders: who said what, by letter, what was left out and why, and what adjudicators followed."),
    ),
    "votes": FormatWords(
        _("Vote maps"),
        _("To train with uncertainty: how many graders marked each pixel."),
    ),
    "staple": FormatWords(
        _("STAPLE posteriors"),
        _("The probability of each pixel as STAPLE estimates it from the readings, and the graders' rates."),
    ),
    "bmp": FormatWords(_("Masks as BMP"), _("The same masks for tools that read only BMP.")),
    "images": FormatWords(
        _("The images themselves"),
        _("As they are shown here: full resolution, upright, without any metadata. Without them the archive is small."),
    ),
}


def offered(recipe: Recipe) -> dict[str, FormatWords]:
    """Those that have something to hold in a study of this recipe."""
    areas = any(target.kind in (Kind.ELLIPSE, Kind.MASK, Kind.OBJECTS) for target in recipe.targets)
    drawn = areas or any(target.kind is Kind.POINT for target in recipe.targets)
    voted = any(target.kind in (Kind.ELLIPSE, Kind.MASK) for target in recipe.targets)
    needed = {
        "masks": areas,
        "bmp": areas,
        "coco": drawn,
        "nifti": areas,
        "dicom-seg": areas,
        "votes": areas,
        "staple": voted,
    }
    return {key: words for key, words in FORMATS.items() if needed.get(key, True)}


FORMAT_FOLDERS: "Mapping[str, Sequence[tuple[str, _StrPromise]]]" = {
    "layout": [("layout/", _("the protocol's own files; with a split, a folder for each part"))],
    "masks": [("masks/TARGET/", _("masks as PNG of one bit, white inside; objects as numbers"))],
    "tables": [
        ("tables/", _("points, ellipses, lines, labels, signs and measures of the references")),
        ("decisions/", _("how each reference came about, which readings were left out of it, and why")),
    ],
    "coco": [("coco/", _("references as COCO files, with run lengths and with polygons"))],
    "nifti": [("nifti/TARGET/", _("label maps as NIfTI, and what their labels are called"))],
    "dicom-seg": [("dicom-seg/", _("DICOM segmentation objects, one per image; numbered objects as label maps"))],
    "readings": [
        ("readings/", _("every reading by the letter of its grader; folders and tables fit the commands on files")),
        ("decisions/", _("how each reference came about, which readings were left out of it, and why")),
    ],
    "votes": [("votes/TARGET/", _("pictures whose values are the numbers of graders who marked a pixel"))],
    "staple": [("staple/TARGET/", _("pictures of 16 bits: the probability of STAPLE, times 65535"))],
    "bmp": [("bmp/TARGET/", _("masks as BMP of 8 bits, 255 inside; objects as numbers"))],
    "images": [("images/", _("the images"))],
}
