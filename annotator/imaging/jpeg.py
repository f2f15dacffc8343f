"""JPEG files: what they claim, what may be shown of them, and their pixels.

Taken: baseline, extended and progressive Huffman files with 8 bits per sample, grey or three colours. Refused: CMYK and
YCCK (four inks have no exact RGB), arithmetic coding, lossless and hierarchical files, which browsers cannot show.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import simplejpeg
from numpy.typing import NDArray

from annotator.imaging import jpeg_segments as jpeg
from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.colour_profile import JPEG_TAG, joined_profile, split_profile
from annotator.imaging.jpeg_segments import Segment, segments
from annotator.imaging.limits import check_size
from annotator.imaging.orientation import UPRIGHT, orientation_of

MAX_SCANS = 100
"""The usual progressive files have 6 to 12; thousands of empty scans are a bomb that costs time instead of memory."""

_EXIF_TAG = b"Exif\0\0"
_FRAME_KINDS = {jpeg.SOF_BASELINE, jpeg.SOF_EXTENDED, jpeg.SOF_PROGRESSIVE}
# Constant versions of the two segments that decide how the components become colours: no density, no thumbnail.
_JFIF = Segment(jpeg.APP0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
_ADOBE_START = b"Adobe\0\x64\0\0\0\0"


@dataclass(frozen=True)
class JpegFile:
    """A JPEG whose segments are in order; its scans are not decoded yet."""

    width: int
    height: int
    channels: int
    orientation: int
    profile: bytes | None
    clean: bytes
    """The same picture without metadata, colour profile apart."""


@dataclass(frozen=True)
class _Frame:
    width: int
    height: int
    components: bytes
    progressive: bool


def read_jpeg(data: bytes) -> JpegFile:
    """Read the segments of `data` (which begins with SOI); BadPicture when they do not make one whole picture."""
    frame: _Frame | None = None
    kept: list[Segment] = []
    applications: list[Segment] = []
    for segment in segments(data):
        if segment.marker in jpeg.FRAMES:
            if frame is not None:
                raise bad_picture("corrupt", detail="two frames")
            frame = _read_frame(segment)
            kept.append(segment)
        elif segment.marker in jpeg.TABLES:
            kept.append(segment)
        elif segment.marker == jpeg.SOS:
            if frame is None:
                raise bad_picture("corrupt", detail="a scan before the frame")
            kept.append(segment)
        elif jpeg.APP0 <= segment.marker <= 0xEF:
            if not _has_scan(kept):
                applications.append(segment)
        elif segment.marker != jpeg.COM:
            raise _no_place_for(segment.marker)
    if frame is None:
        raise bad_picture("truncated")
    _check_scans(frame, [segment for segment in kept if segment.marker == jpeg.SOS])
    profile = joined_profile(_payloads(applications, jpeg.APP2, JPEG_TAG))
    exif = _payloads(applications, jpeg.APP1, _EXIF_TAG)
    return JpegFile(
        width=frame.width,
        height=frame.height,
        channels=len(frame.components),
        orientation=orientation_of(exif[0][len(_EXIF_TAG) :]) if exif else UPRIGHT,
        profile=profile,
        clean=_assembled([*_colour_segments(applications), *_profile_segments(profile), *kept]),
    )


def decode_jpeg(file: JpegFile, *, exact: bool = True) -> NDArray[np.uint8]:
    """All pixels of the clean file, H × W × channels; BadPicture when any of them had to be guessed.

    Strict mode makes an error of each libjpeg warning: missing data, surplus data, lost restarts, bad codes. When not
    `exact`, all is decoded as strictly, but by the quicker transform and without smoothing subsampled colours: enough
    for a thumbnail.
    """
    try:
        pixels: NDArray[Any] = simplejpeg.decode_jpeg(
            file.clean,
            colorspace="GRAY" if file.channels == 1 else "RGB",
            fastupsample=not exact,
            fastdct=not exact,
        )
    except ValueError as error:
        detail = str(error)
        if "premature end" in detail.lower():
            raise bad_picture("truncated") from None
        if "subsampling" in detail:
            raise bad_picture("unsupported_format", kind="JPEG with unusual colour sampling") from None
        raise bad_picture("corrupt", detail=detail) from None
    if pixels.shape != (file.height, file.width, file.channels):
        raise bad_picture("corrupt", detail="the pixels do not fill the frame")
    return pixels


def with_profile(plain: bytes, profile: bytes | None) -> bytes:
    """A JPEG that begins with SOI and JFIF, with the colour profile put in after them."""
    start = len(jpeg.SOI) + len(_JFIF.encoded())
    return plain[:start] + b"".join(s.encoded() for s in _profile_segments(profile)) + plain[start:]


def _read_frame(segment: Segment) -> _Frame:
    if segment.marker not in _FRAME_KINDS:
        kind = "arithmetic-coded JPEG" if segment.marker in (0xC9, 0xCA, 0xCB) else "lossless or hierarchical JPEG"
        raise bad_picture("unsupported_format", kind=kind)
    payload = segment.payload
    if len(payload) < 6 or len(payload) != 6 + 3 * payload[5]:
        raise bad_picture("corrupt", detail="the frame header has a wrong length")
    bits, height, width, channels = (
        payload[0],
        int.from_bytes(payload[1:3], "big"),
        int.from_bytes(payload[3:5], "big"),
        payload[5],
    )
    if bits != 8:
        raise bad_picture("unsupported_format", kind=f"JPEG with {bits} bits per sample")
    if channels not in (1, 3):
        raise bad_picture("unsupported_format", kind="CMYK JPEG" if channels == 4 else f"JPEG with {channels} colours")
    check_size(width, height)
    return _Frame(width, height, payload[6::3], segment.marker == jpeg.SOF_PROGRESSIVE)


def _check_scans(frame: _Frame, scans: list[Segment]) -> None:
    """Refuse a file in which scans are missing: decoders show it without a word, coarser or without colour.

    `missing[component][k]` counts the low bits of coefficient k that no scan has brought yet (T.81, G.1.1.1).
    """
    if len(scans) > MAX_SCANS:
        raise bad_picture("corrupt", detail=f"more than {MAX_SCANS} scans")
    missing = {component: [8] * 64 for component in frame.components}
    for scan in scans:
        payload = scan.payload
        count = payload[0] if payload else 0
        if len(payload) != 4 + 2 * count or not set(payload[1 : 1 + 2 * count : 2]) <= missing.keys():
            raise bad_picture("corrupt", detail="a scan header does not match the frame")
        first, last, low_bit = payload[-3], payload[-2], payload[-1] & 15
        if not frame.progressive:
            first, last, low_bit = 0, 63, 0
        if not first <= last <= 63:
            raise bad_picture("corrupt", detail="a scan header names coefficients that do not exist")
        for component in payload[1 : 1 + 2 * count : 2]:
            missing[component][first : last + 1] = [low_bit] * (last + 1 - first)
    if any(any(bits) for bits in missing.values()):
        raise bad_picture("truncated")


def _no_place_for(marker: int) -> Exception:
    if marker in (jpeg.DAC, jpeg.DNL):
        kind = "arithmetic-coded JPEG" if marker == jpeg.DAC else "JPEG with its height after the picture"
        return bad_picture("unsupported_format", kind=kind)
    return bad_picture("corrupt", detail=f"marker 0x{marker:02x} has no place there")


def _has_scan(kept: list[Segment]) -> bool:
    return any(segment.marker == jpeg.SOS for segment in kept)


def _payloads(applications: Iterable[Segment], marker: int, tag: bytes) -> list[bytes]:
    return [s.payload for s in applications if s.marker == marker and s.payload.startswith(tag)]


def _colour_segments(applications: list[Segment]) -> Iterable[Segment]:
    """JFIF and Adobe as decoders see them (libjpeg: at least 14 and 12 bytes long), rewritten to constants."""
    if any(len(payload) >= 14 for payload in _payloads(applications, jpeg.APP0, b"JFIF\0")):
        yield _JFIF
    adobe = [payload for payload in _payloads(applications, jpeg.APP14, b"Adobe") if len(payload) >= 12]
    if adobe:
        yield Segment(jpeg.APP14, _ADOBE_START + adobe[-1][11:12])


def _profile_segments(profile: bytes | None) -> list[Segment]:
    return [Segment(jpeg.APP2, payload) for payload in split_profile(profile)] if profile else []


def _assembled(kept: Iterable[Segment]) -> bytes:
    pieces: list[bytes | memoryview] = [jpeg.SOI]
    for segment in kept:
        pieces += [segment.encoded(), segment.scan]
    return b"".join([*pieces, b"\xff%c" % jpeg.EOI])
