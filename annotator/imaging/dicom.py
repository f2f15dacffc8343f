"""DICOM files: which are taken, what of them is kept, and their pixels.

Taken: photographs and tomography of the eye, photographs and micrographs by visible light, secondary captures; grey of
8 to 16 bits, palettes and colour of 8 bits; plain, RLE, JPEG, JPEG-LS or JPEG 2000. Each frame is a picture of its own.

The stored samples are kept: neither rescaling nor a window is applied. Where white is zero (MONOCHROME1) the scale is
turned over, and signed samples are moved up by half their range, so that the lowest is 0.
"""

import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray
from pydicom import config
from pydicom._uid_dict import UID_dictionary
from pydicom.dataset import Dataset
from pydicom.filereader import read_dataset
from pydicom.tag import BaseTag
from pydicom.uid import UID

from annotator.imaging import dicom_allowed as allowed
from annotator.imaging.bad_picture import BadPicture, bad_picture
from annotator.imaging.colour_profile import checked_profile
from annotator.imaging.decoded import Decoded, check_frames
from annotator.imaging.dicom_pixels import SYNTAXES, Samples, frames
from annotator.imaging.dicom_stated import stated

_META_AT = 132
_GREY, _COLOUR = ("MONOCHROME1", "MONOCHROME2"), ("RGB", "YBR_FULL", "YBR_FULL_422", "YBR_ICT", "YBR_RCT")
_PALETTE = "PALETTE COLOR"

# What pydicom remarks about a file may quote it, and the log is no place for a patient's name.
config.settings.reading_validation_mode = config.IGNORE
logging.getLogger("pydicom").addFilter(lambda record: False)
warnings.filterwarnings("ignore", module=r"pydicom\b")


def decode_dicom(data: bytes) -> Decoded:
    """The frames of a DICOM file; BadPicture when it is damaged, or of a kind that is not taken."""
    try:
        syntax, dataset = _read(data)
        _check_kind(dataset)
        samples = _samples(dataset, syntax)
        profile = dataset.get("ICCProfile") or b""
        return Decoded(
            "dicom",
            _guarded(frames(dataset, samples)),
            profile=checked_profile(profile if isinstance(profile, bytes) else b""),
            stated=stated(dataset),
        )
    except BadPicture:
        raise
    except Exception as error:  # pydicom promises no one kind of error for damaged files
        raise _damaged() from error


def _guarded(drawn: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    try:
        yield from drawn
    except BadPicture:
        raise
    except Exception as error:
        raise _damaged() from error


def _damaged() -> BadPicture:
    # Without the decoder's own words, which may quote the file.
    return bad_picture("corrupt", detail="it cannot be read as DICOM")


def _read(data: bytes) -> tuple[str, Dataset]:
    """Transfer syntax, and the elements of the allow-list.

    Not dcmread: it would unpack a deflated file whatever becomes of it.
    """
    file = io.BytesIO(data)
    file.seek(_META_AT)
    meta = read_dataset(file, False, True, stop_when=_is_no_meta)
    syntax = UID(str(meta.get("TransferSyntaxUID", "")))
    if syntax not in SYNTAXES:
        known = syntax in UID_dictionary
        raise bad_picture(
            "unsupported_format", kind=f"DICOM in {syntax.name}" if known else "DICOM in an unknown coding"
        )
    dataset = read_dataset(file, syntax.is_implicit_VR, syntax.is_little_endian, specific_tags=list(allowed.TAGS))
    dataset.set_original_encoding(syntax.is_implicit_VR, syntax.is_little_endian)
    return str(syntax), dataset


def _is_no_meta(tag: BaseTag, vr: str | None, length: int) -> bool:
    return tag >> 16 != 2


def _check_kind(dataset: Dataset) -> None:
    found = str(dataset.get("SOPClassUID") or "")
    if not found:
        raise bad_picture("truncated")  # pydicom hands over nothing of a file that ends too early
    if found not in allowed.KINDS:
        name = UID(found).name if found in UID_dictionary else ""
        raise bad_picture("unsupported_format", kind=f"DICOM, {name}" if name else "DICOM of an unknown kind")
    if str(dataset.get("Modality") or "").strip() not in allowed.MODALITIES:
        raise bad_picture("unsupported_format", kind="DICOM of another modality")
    if str(dataset.get("BurnedInAnnotation") or "").strip().upper() == "YES":
        raise bad_picture("burned_in")
    if str(dataset.get("RecognizableVisualFeatures") or "").strip().upper() == "YES":
        raise bad_picture("recognizable")


def _samples(dataset: Dataset, syntax: str) -> Samples:
    if "PixelData" not in dataset:
        raise bad_picture("truncated")
    samples = Samples(
        syntax=syntax,
        width=int(dataset.Columns),
        height=int(dataset.Rows),
        frames=int(dataset.get("NumberOfFrames") or 1),
        channels=int(dataset.SamplesPerPixel),
        photometric=str(dataset.PhotometricInterpretation).strip(),
        allocated=int(dataset.BitsAllocated),
        stored=int(dataset.BitsStored),
        signed=int(dataset.PixelRepresentation) == 1,
    )
    check_frames(samples.width, samples.height, samples.frames)
    colour = samples.photometric in _COLOUR and samples.channels == 3
    grey = samples.photometric in (*_GREY, _PALETTE) and samples.channels == 1
    if not (colour or grey):
        raise bad_picture("unsupported_format", kind="DICOM with unusual colours")
    if colour and samples.allocated == 16:
        raise bad_picture("unsupported_format", kind="DICOM with 16 bits per colour")
    if samples.allocated not in (8, 16) or not 8 <= samples.stored <= samples.allocated or (colour and samples.signed):
        raise bad_picture("unsupported_format", kind="DICOM with an unusual number of bits")
    if int(dataset.get("HighBit", samples.stored - 1)) != samples.stored - 1:
        raise bad_picture("unsupported_format", kind="DICOM whose samples do not begin at the lowest bit")
    return samples
