"""Areas as DICOM Segmentation objects: one segment for each structure (BINARY, structures may overlap), or one for each
object (LABELMAP, objects do not).

A picture that did not come as DICOM has no place in a patient. Where the size of its pixels is known, the object has a
frame of reference of its own, in which the picture lies flat with its corner at the origin, x to the left and y to the
back, as ITK places plain pictures; its thickness of 1 mm makes an area's volume in mm³ its area in mm². Where the size
is not known, nothing about space is claimed: DICOM knows no unit but the millimetre.

Nothing in a file depends on when it is written: instants and identifiers are given.
"""

import hashlib
import io
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from annotator.formats.label_colours import label_colour
from annotator.geometry.ellipse import Mask

if TYPE_CHECKING:
    from highdicom.seg import SegmentDescription
    from pydicom.dataset import Dataset

PRIVATE_SCHEME = "99QUORUM"
LONGEST_TEXT = 64
_SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7"
_UTF_8 = "ISO_IR 192"
_FLAT = (1, 0, 0, 0, 1, 0)
_ONE_AT_A_TIME = threading.Lock()
"""The first object loads the standard's tables, a hundred megabytes: two threads at once would load them twice."""


@dataclass(frozen=True)
class Code:
    value: str
    meaning: str
    scheme: str = "SCT"


@dataclass(frozen=True)
class Segment:
    """`category` and `kind`: what sort of thing it is, and which; `remark`: how it came about."""

    label: str
    category: Code
    kind: Code
    remark: str = ""


@dataclass(frozen=True)
class Origin:
    """Whose picture, and who says so. `side`: R, L or nothing; `made_at` is aware of its zone."""

    patient: str
    side: str
    mm_per_px: tuple[float, float] | None
    picture_uid: str
    picture_series_uid: str
    visit_uid: str  # the Study Instance UID; a study is something else in this house
    series_uid: str
    uid: str
    made_at: datetime
    title: str
    software: str


def uid_of(*told: str) -> str:
    """A UID that follows from these words (2.25: an UUID as a number)."""
    digest = hashlib.sha256("\0".join(told).encode()).digest()
    return f"2.25.{uuid.UUID(bytes=digest[:16], version=5).int}"


def write_segments(masks: Sequence[Mask], segments: Sequence[Segment], origin: Origin) -> bytes:
    """One frame for each mask, also for an empty one: that nothing is there is said by nobody else."""
    frames = np.concatenate([mask.ravel() for mask in masks])  # frames follow one another bit by bit
    found = _object("BINARY", np.zeros((1, 1, 1, len(masks)), np.uint8), segments, origin)
    found.SegmentsOverlap = "YES" if _overlap(masks) else "NO"
    return _written(found, masks[0].shape, np.packbits(frames, bitorder="little").tobytes(), segments, origin)


def write_label_map(
    labels: NDArray[np.uint8] | NDArray[np.uint16], segments: Sequence[Segment], origin: Origin
) -> bytes:
    """Segment 1 is where the label is 1, and so on; of 16 bits where there are more than 255 segments."""
    kind = np.uint16 if len(segments) > 0xFF else np.uint8
    if labels.max(initial=0) > len(segments):
        raise ValueError(f"labels go up to {labels.max()}, and {len(segments)} segments are described")
    found = _object("LABELMAP", np.zeros((1, 1, 1), kind), segments, origin)
    content = labels.astype(np.dtype(kind).newbyteorder("<"), copy=False).tobytes()
    return _written(found, labels.shape, content, segments, origin)


def _overlap(masks: Sequence[Mask]) -> bool:
    seen = np.zeros_like(masks[0])
    for mask in masks:
        if (seen & mask).any():
            return True
        seen |= mask
    return False


def _object(way: str, pixel: NDArray[Any], segments: Sequence[Segment], origin: Origin) -> "Dataset":
    """Of a picture of one pixel, with everything but the pixels: highdicom looks at each of them several times, which
    takes four times as long as all the rest."""
    # Loaded when the first file is written: the server itself never needs it.
    from highdicom.seg import Segmentation

    with _ONE_AT_A_TIME:
        return Segmentation(
            source_images=[_picture(origin)],
            pixel_array=pixel,
            segmentation_type=way,
            segment_descriptions=[_described(number, one) for number, one in enumerate(segments, start=1)],
            series_instance_uid=origin.series_uid,
            series_number=1,
            sop_instance_uid=origin.uid,
            instance_number=1,
            manufacturer="Quorum",
            manufacturer_model_name="Quorum",
            software_versions=origin.software,
            device_serial_number=origin.software,
            content_label="REFERENCE",
            content_description=_line(origin.title),
            omit_empty_frames=False,
        )


def _written(
    found: "Dataset", shape: tuple[int, ...], content: bytes, segments: Sequence[Segment], origin: Origin
) -> bytes:
    found.Rows, found.Columns = shape
    found["PixelData"].value = content + bytes(len(content) % 2)
    _settle(found, segments, origin)
    out = io.BytesIO()
    found.save_as(out)
    return out.getvalue()


def _picture(origin: Origin) -> "Dataset":
    """What must be known of the picture that is referred to; its size does not go into the object."""
    from pydicom.dataset import Dataset

    told = Dataset()
    told.SpecificCharacterSet = _UTF_8
    told.SOPClassUID, told.SOPInstanceUID = _SECONDARY_CAPTURE, origin.picture_uid
    told.StudyInstanceUID, told.SeriesInstanceUID = origin.visit_uid, origin.picture_series_uid
    told.PatientID, told.Modality = _line(origin.patient), "OT"
    for unknown in ("PatientName", "PatientBirthDate", "PatientSex", "AccessionNumber", "StudyID"):
        setattr(told, unknown, None)
    told.StudyDate = told.StudyTime = None
    told.Rows = told.Columns = 1
    if origin.mm_per_px is not None:
        across, down = origin.mm_per_px
        told.FrameOfReferenceUID, told.PositionReferenceIndicator = uid_of(origin.picture_uid, "frame"), None
        told.ImagePositionPatient, told.ImageOrientationPatient = [0, 0, 0], list(_FLAT)
        told.PixelSpacing, told.SliceThickness = [down, across], 1
    return told


def _described(number: int, one: Segment) -> "SegmentDescription":
    from highdicom.color import CIELabColor
    from highdicom.seg import SegmentDescription
    from highdicom.sr.coding import CodedConcept

    described = SegmentDescription(
        segment_number=number,
        segment_label=_line(one.label),
        segmented_property_category=CodedConcept(one.category.value, one.category.scheme, one.category.meaning),
        segmented_property_type=CodedConcept(one.kind.value, one.kind.scheme, one.kind.meaning),
        algorithm_type="MANUAL",
        display_color=CIELabColor.from_rgb(*label_colour(number)),
    )
    if one.remark:
        described.SegmentDescription = one.remark
    return described


def _settle(found: "Dataset", segments: Sequence[Segment], origin: Origin) -> None:
    """In place of the clock and of chance; and that nobody's identity is in it."""
    from pydicom.dataset import Dataset

    moment = origin.made_at.astimezone(UTC)
    day, time = f"{moment:%Y%m%d}", f"{moment:%H%M%S.%f}"
    found.TimezoneOffsetFromUTC = "+0000"
    found.InstanceCreationDate = found.ContentDate = found.SeriesDate = day
    found.InstanceCreationTime = found.ContentTime = found.SeriesTime = time
    for equipment in found.ContributingEquipmentSequence:
        equipment.ContributionDateTime = day + time
    dimensions = uid_of(origin.uid, "dimensions")
    for one in (*found.DimensionOrganizationSequence, *found.DimensionIndexSequence):
        one.DimensionOrganizationUID = dimensions
    found.ContentCreatorName = None  # must be there, and need not be known
    found.SeriesDescription = _line(origin.title)
    if origin.side:
        found.Laterality = origin.side
    found.PatientIdentityRemoved = "YES"
    found.DeidentificationMethod = "Made from the study's pseudonyms alone"
    if any(PRIVATE_SCHEME in (one.category.scheme, one.kind.scheme) for one in segments):
        scheme = Dataset()
        scheme.CodingSchemeDesignator, scheme.CodingSchemeName = PRIVATE_SCHEME, "Names of targets in Quorum"
        found.CodingSchemeIdentificationSequence = [scheme]


def _line(text: str) -> str:
    """As a value of its own: a backslash would make two of it."""
    return " ".join(text.replace("\\", "/").split())[:LONGEST_TEXT].strip()
