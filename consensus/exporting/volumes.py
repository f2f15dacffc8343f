"""Areas for programs of medical imaging: NIfTI label maps and DICOM Segmentation objects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from annotator.formats.dicom_seg import Origin, Segment, uid_of, write_label_map, write_segments
from annotator.formats.label_picture import label_picture_of
from annotator.formats.nifti import LABELS, label_file, write_nifti
from annotator.geometry.ellipse import Mask
from annotator.geometry.runs import decode
from consensus.exporting.codes import codes_of
from consensus.exporting.pictures import NOTHING
from consensus.exporting.record import Agreed, Entry, Photograph, Record, Said, Writer
from protocols.names import Kind
from protocols.targets import Target

UM_PER_MM = 1000
SIDES = frozenset({"R", "L"})


def _mm_per_px(one: Photograph) -> tuple[float, float] | None:
    if one.um_per_px_x is None or one.um_per_px_y is None:
        return None
    return one.um_per_px_x / UM_PER_MM, one.um_per_px_y / UM_PER_MM


def _mask(said: Said, width: int, height: int) -> Mask:
    return decode(said.masks[0] if said.masks else NOTHING, width, height)


def _labels(said: Said, width: int, height: int) -> NDArray[np.uint8] | NDArray[np.uint16]:
    if said.kind is not Kind.OBJECTS:
        return _mask(said, width, height).view(np.uint8)
    labels = label_picture_of(said.masks, width, height)
    return labels.astype(np.uint8) if len(said.masks) <= 0xFF else labels


class Nifti(Writer):
    """`nifti/TARGET/NAME.nii.gz`, one for each target, since targets may overlap as cup and disc do; beside them what
    the labels are called."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._names = {target.key: target.name for target in targets}
        self._most: dict[str, int] = {}

    def add(self, record: Record) -> Iterator[Entry]:
        for one in record.agreed:
            if one.is_area:
                objects = len(one.masks) if one.kind is Kind.OBJECTS else 0
                self._most[one.target] = max(self._most.get(one.target, 0), objects)
                path = f"nifti/{one.target}/{record.photograph.name}.nii.gz"
                yield Entry(path, partial(_nifti, one, record.photograph))

    def finish(self) -> Iterator[Entry]:
        for key, most in self._most.items():
            name = self._names[key]
            names = [f"{name} {number}" for number in range(1, most + 1)] if most else [name]
            yield Entry(f"nifti/{key}/{LABELS}", partial(label_file, names))


def _nifti(said: Said, one: Photograph) -> bytes:
    return write_nifti(_labels(said, one.width, one.height), mm_per_px=_mm_per_px(one), name=said.target)


@dataclass(frozen=True)
class Source:
    """What the objects say of where they come from: `digest` is the version's, `program` what wrote them."""

    study: str
    digest: str
    program: str
    made_at: datetime
    title: str


class DicomSeg(Writer):
    """`dicom-seg/NAME.dcm`, one segment for each target; numbered objects, of which there may be hundreds, as a label
    map of their own: `dicom-seg/NAME-TARGET.dcm`."""

    def __init__(self, targets: Sequence[Target], source: Source) -> None:
        self._targets = {target.key: target for target in targets}
        self._source = source

    def add(self, record: Record) -> Iterator[Entry]:
        one, areas = record.photograph, [agreed for agreed in record.agreed if agreed.is_area]
        apart = [agreed for agreed in areas if agreed.kind is Kind.OBJECTS]
        together = [agreed for agreed in areas if agreed.kind is not Kind.OBJECTS]
        if together:
            segments = [self._segment(agreed) for agreed in together]
            yield Entry(f"dicom-seg/{one.name}.dcm", partial(_binary, together, segments, one, self._origin(one, "")))
        for agreed in apart:
            origin = self._origin(one, agreed.target)
            path = f"dicom-seg/{one.name}-{agreed.target}.dcm"
            yield Entry(path, partial(_label_map, agreed, self._segment(agreed), one, origin))

    def _segment(self, agreed: Agreed) -> Segment:
        target = self._targets[agreed.target]
        category, kind = codes_of(target)
        told = (f"rule: {agreed.rule}" if agreed.rule else "", f"state: {agreed.state}", f"answer: {agreed.answer}")
        return Segment(target.name, category, kind, "; ".join(filter(None, told)))

    def _origin(self, one: Photograph, target: str) -> Origin:
        """The same picture has the same identifiers in every version; a segmentation has its own in each."""
        source = self._source
        picture = (source.study, one.sha256, str(one.frame))
        made = (source.study, source.digest, source.program, one.name, *picture[1:], target)
        return Origin(
            patient=one.subject,
            side=one.side if one.side in SIDES else "",
            mm_per_px=_mm_per_px(one),
            picture_uid=uid_of("picture", *picture),
            picture_series_uid=uid_of("pictures", source.study, one.subject),
            visit_uid=uid_of("subject", source.study, one.subject),
            series_uid=uid_of("series", *made),
            uid=uid_of("segmentation", *made),
            made_at=source.made_at,
            title=source.title,
            software=source.program,
        )


def _binary(said: Sequence[Said], segments: Sequence[Segment], one: Photograph, origin: Origin) -> bytes:
    return write_segments([_mask(each, one.width, one.height) for each in said], segments, origin)


def _label_map(said: Said, segment: Segment, one: Photograph, origin: Origin) -> bytes:
    """With no object at all there is still one segment, which is empty: a file must have one."""
    labels = _labels(said, one.width, one.height)
    names = [f"{segment.label} {number}" for number in range(1, max(len(said.masks), 1) + 1)]
    return write_label_map(
        labels, [Segment(name, segment.category, segment.kind, segment.remark) for name in names], origin
    )
