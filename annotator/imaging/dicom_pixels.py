"""The samples of a DICOM file, frame by frame."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom import uid
from pydicom.dataset import Dataset
from pydicom.encaps import encapsulate, generate_frames
from pydicom.pixels.decoders.base import get_decoder
from pydicom.pixels.processing import apply_color_lut, convert_color_space
from pydicom.pixels.utils import get_expected_length
from pydicom.uid import UID

from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.dicom_rle import decode_rle
from annotator.imaging.dicom_streams import check_jpeg, check_jpeg_2000, check_jpeg_ls

_PLAIN = {uid.ImplicitVRLittleEndian, uid.ExplicitVRLittleEndian, uid.ExplicitVRBigEndian}
_STREAMS = {
    uid.JPEGBaseline8Bit: check_jpeg,
    uid.JPEGExtended12Bit: check_jpeg,
    uid.JPEGLSLossless: check_jpeg_ls,
    uid.JPEGLSNearLossless: check_jpeg_ls,
    uid.JPEG2000Lossless: check_jpeg_2000,
    uid.JPEG2000: check_jpeg_2000,
}
SYNTAXES = frozenset({*_PLAIN, uid.RLELossless, *_STREAMS})


@dataclass(frozen=True)
class Samples:
    """What the header says about the pixels, checked."""

    syntax: str
    width: int
    height: int
    frames: int
    channels: int
    photometric: str
    allocated: int
    stored: int
    signed: bool


def frames(dataset: Dataset, samples: Samples) -> Iterator[NDArray[Any]]:
    """Each frame H × W × channels, as it is to be seen."""
    drawn = _plain(dataset, samples) if samples.syntax in _PLAIN else _packed(dataset, samples)
    count = 0
    for frame in drawn:
        yield _seen(frame, dataset, samples)
        count += 1
    if count != samples.frames:
        raise bad_picture("truncated")


def _plain(dataset: Dataset, samples: Samples) -> Iterator[NDArray[Any]]:
    expected, found = get_expected_length(dataset), len(dataset.PixelData)
    if found < expected:
        raise bad_picture("truncated")
    if found > expected + expected % 2:
        raise bad_picture("corrupt", detail="it holds more pixels than its header claims")
    decoder = get_decoder(UID(samples.syntax))
    yield from (decoder.as_array(dataset, index=number)[0] for number in range(samples.frames))


def _packed(dataset: Dataset, samples: Samples) -> Iterator[NDArray[Any]]:
    """Each stream is held against the header before a decoder may believe it."""
    streams = list(generate_frames(dataset.PixelData, number_of_frames=samples.frames))
    if len(streams) != samples.frames:
        raise bad_picture("corrupt", detail="it has too few or too many frames")
    if samples.syntax == uid.RLELossless:
        for stream in streams:
            planes = decode_rle(stream, samples.width, samples.height, samples.channels, samples.allocated // 8)
            colour = samples.photometric in ("YBR_FULL", "YBR_FULL_422")
            yield convert_color_space(planes, "YBR_FULL", "RGB") if colour else planes
        return
    decoder = get_decoder(UID(samples.syntax))
    for stream in streams:
        _STREAMS[UID(samples.syntax)](stream, samples.width, samples.height, samples.channels)
        dataset.NumberOfFrames, dataset.PixelData = 1, encapsulate([stream])
        yield decoder.as_array(dataset)[0]


def _seen(frame: NDArray[Any], dataset: Dataset, samples: Samples) -> NDArray[Any]:
    if samples.channels == 3:
        return _shaped(frame.astype(np.uint8, copy=False), samples)
    if samples.photometric == "PALETTE COLOR":
        colours = apply_color_lut(frame, dataset)
        if colours.dtype == np.uint16:
            colours = (colours >> 8).astype(np.uint8)  # screens show no more of a palette
        return _shaped(colours[..., :3], samples)
    # Bits above those stored may hold a drawing of old (an overlay), which is no part of the picture.
    whole = (1 << samples.stored) - 1
    grey = frame.astype(np.int32) & whole
    if samples.signed:
        grey ^= 1 << (samples.stored - 1)
    if samples.photometric == "MONOCHROME1":
        grey = whole - grey
    return _shaped(grey.astype(np.uint8 if samples.stored == 8 else np.uint16), samples)


def _shaped(frame: NDArray[Any], samples: Samples) -> NDArray[Any]:
    if frame.shape[:2] != (samples.height, samples.width):
        raise bad_picture("corrupt", detail="the pixels do not fill the frame")
    return frame.reshape(samples.height, samples.width, -1)
