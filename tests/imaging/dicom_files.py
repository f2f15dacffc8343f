"""Small DICOM files for the tests, written by pydicom."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.sequence import Sequence
from pydicom.uid import UID, ExplicitVRLittleEndian, RLELossless

from tests.imaging.files import scene

OPHTHALMIC_8, OPHTHALMIC_16 = "1.2.840.10008.5.1.4.1.1.77.1.5.1", "1.2.840.10008.5.1.4.1.1.77.1.5.2"
TOMOGRAPHY, SECONDARY = "1.2.840.10008.5.1.4.1.1.77.1.5.4", "1.2.840.10008.5.1.4.1.1.7"
CT = "1.2.840.10008.5.1.4.1.1.2"


def grey16(bits: int = 16, seed: int = 1, height: int = 40, width: int = 56) -> NDArray[np.uint16]:
    """Noise that uses all values of `bits`."""
    noise = np.random.default_rng(seed).integers(0, 1 << bits, (height, width), dtype=np.uint16)
    noise[0, 0], noise[0, 1] = 0, (1 << bits) - 1
    return noise


def dataset(
    pixels: NDArray[Any] | None = None,
    *,
    kind: str = OPHTHALMIC_8,
    syntax: str = ExplicitVRLittleEndian,
    frames: int = 1,
    stored: int | None = None,
    streams: list[bytes] | None = None,
    **elements: Any,
) -> FileDataset:
    """Pixels as (frames ×) height × width (× 3); `streams` are their compressed frames, if they are packed."""
    pixels = scene() if pixels is None else pixels
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = UID(kind), UID("1.2.3.4")
    meta.TransferSyntaxUID = UID(syntax)
    made = FileDataset("", {}, file_meta=meta, preamble=bytes(128))
    made.SOPClassUID, made.SOPInstanceUID = kind, "1.2.3.4"
    made.Modality = "OP"
    colour = pixels.ndim - (frames > 1) == 3
    height, width = pixels.shape[frames > 1 :][:2]
    made.Rows, made.Columns = height, width
    made.SamplesPerPixel = 3 if colour else 1
    made.PhotometricInterpretation = "RGB" if colour else "MONOCHROME2"
    if colour:
        made.PlanarConfiguration = 0
    made.BitsAllocated = 8 * pixels.dtype.itemsize
    made.BitsStored = stored or made.BitsAllocated
    made.HighBit = made.BitsStored - 1
    made.PixelRepresentation = int(pixels.dtype.kind == "i")
    if frames > 1:
        made.NumberOfFrames = frames
    made.PixelData = pixels.tobytes() if streams is None else encapsulate(streams)
    made["PixelData"].VR = "OB" if streams or made.BitsAllocated == 8 else "OW"
    for keyword, value in elements.items():
        setattr(made, keyword, value)
    return made


def written(made: Dataset) -> bytes:
    file = io.BytesIO()
    if len(made.PixelData) % 2:
        made.PixelData += b"\0"
    made.save_as(file, enforce_file_format=True)
    return file.getvalue()


def dicom(pixels: NDArray[Any] | None = None, **options: Any) -> bytes:
    return written(dataset(pixels, **options))


def rle_dicom(pixels: NDArray[Any], **options: Any) -> bytes:
    """Packed by pydicom, the outside witness."""
    made = dataset(pixels, **options)
    made.compress(RLELossless)
    return written(made)


def item(**elements: Any) -> Dataset:
    made = Dataset()
    for keyword, value in elements.items():
        setattr(made, keyword, Sequence(value) if isinstance(value, list) and isinstance(value[0], Dataset) else value)
    return made
