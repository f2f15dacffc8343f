"""Taking a picture in: prove that it is whole, free it of metadata, turn it upright, make its thumbnail."""

import hashlib
from dataclasses import dataclass, field
from typing import Literal

from annotator.imaging import bmp, dicom_start, tiff_directory
from annotator.imaging.bad_picture import BadPicture, bad_picture
from annotator.imaging.bmp import decode_bmp
from annotator.imaging.colour_profile import fits_colours
from annotator.imaging.decoded import Decoded, Stated
from annotator.imaging.jpeg import decode_jpeg, read_jpeg
from annotator.imaging.jpeg_segments import SOI
from annotator.imaging.limits import MAX_BYTES, MAX_PIXELS, MAX_SIDE
from annotator.imaging.orientation import UPRIGHT, turn_upright
from annotator.imaging.png import decode_png, encode_png, profile_chunk, read_png
from annotator.imaging.png_chunks import SIGNATURE
from annotator.imaging.thumbnail import thumbnail
from annotator.imaging.tiff import decode_tiff

__all__ = ["MAX_BYTES", "MAX_PIXELS", "MAX_SIDE", "BadPicture", "Intake", "served_upright", "take_in"]

MediaType = Literal["image/jpeg", "image/png"]


@dataclass(frozen=True)
class Shown:
    """What is shown of one picture of a file."""

    served: bytes
    thumbnail: bytes


@dataclass(frozen=True)
class Intake:
    """A picture that has been decoded to its last pixel.

    `width` and `height` are those of the upright grid, which is what all geometry means. `served` is what may be shown
    to anyone who may see the image: its pixels are those of the original, turned upright where `orientation` (the EXIF
    value that was obeyed, 1 to 8) asked for it. A file of several pictures has the others, all of the same size and
    kind, in `further`.
    """

    sha256: str
    format: Literal["jpeg", "png", "bmp", "tiff", "dicom"]
    width: int
    height: int
    bits: int
    channels: int
    orientation: int
    served: bytes
    served_type: MediaType
    thumbnail: bytes
    further: tuple[Shown, ...] = ()
    stated: Stated = field(default_factory=Stated)

    @property
    def is_served_as_it_came(self) -> bool:
        """Whether what is served is the original without some of its segments."""
        return self.format in ("jpeg", "png") and self.orientation == UPRIGHT


def take_in(data: bytes, *, sha256: str | None = None) -> Intake:
    """Decode every byte of a picture file; BadPicture when it is not one whole picture of a kind we can show.

    `sha256` is the digest of `data` when the caller has it already.
    """
    if not data:
        raise bad_picture("empty")
    if len(data) > MAX_BYTES:
        raise bad_picture("file_too_large", limit=MAX_BYTES)
    digest = sha256 or hashlib.sha256(data).hexdigest()
    if data.startswith(SOI):
        return _take_in_jpeg(data, digest)
    if data.startswith(SIGNATURE):
        return _take_in_png(data, digest)
    # Before the others: the bytes in front of its mark may be those of a TIFF, so that other programs can read it too.
    if dicom_start.is_dicom(data):
        # Loading it takes as long as decoding several JPEG files, which need none of it.
        from annotator.imaging.dicom import decode_dicom

        return _written_anew(decode_dicom(data), digest)
    if data.startswith(bmp.START):
        return _written_anew(decode_bmp(data), digest)
    if data.startswith(tiff_directory.STARTS):
        return _written_anew(decode_tiff(data), digest)
    raise _unknown(data)


def served_upright(data: bytes) -> bytes | None:
    """What is served of an original that was proved when it was taken in, without decoding it again; None when it has
    to be turned or written anew first."""
    if not data.startswith((SOI, SIGNATURE)):
        return None
    file = read_jpeg(data) if data.startswith(SOI) else read_png(data)
    return file.clean if file.orientation == UPRIGHT else None


def _take_in_jpeg(data: bytes, digest: str) -> Intake:
    file = read_jpeg(data)
    pixels = decode_jpeg(file, exact=file.orientation != UPRIGHT)
    served = file.clean
    served_type: MediaType = "image/jpeg"
    if file.orientation != UPRIGHT:
        pixels = turn_upright(pixels, file.orientation)
        served = encode_png(pixels, [profile_chunk(file.profile)] if file.profile else [])
        served_type = "image/png"
    return Intake(
        sha256=digest,
        format="jpeg",
        width=pixels.shape[1],
        height=pixels.shape[0],
        bits=8,
        channels=file.channels,
        orientation=file.orientation,
        served=served,
        served_type=served_type,
        thumbnail=thumbnail(pixels, file.profile),
    )


def _take_in_png(data: bytes, digest: str) -> Intake:
    file = read_png(data)
    pixels = decode_png(file)
    served = file.clean
    if file.orientation != UPRIGHT:
        pixels = turn_upright(pixels, file.orientation)
        # The number of significant bits belongs to the kind of PNG that was read, not to the one that is written.
        served = encode_png(pixels, [chunk for chunk in file.colour_chunks if chunk.kind != b"sBIT"])
    return Intake(
        sha256=digest,
        format="png",
        width=pixels.shape[1],
        height=pixels.shape[0],
        bits=file.bits,
        channels=pixels.shape[2],
        orientation=file.orientation,
        served=served,
        served_type="image/png",
        thumbnail=thumbnail(pixels, file.profile),
    )


def _written_anew(decoded: Decoded, digest: str) -> Intake:
    """As PNG, one picture after the other, so that a file of many holds only one of them in memory unpacked."""
    shown: list[Shown] = []
    for frame in decoded.frames:
        pixels = turn_upright(frame, decoded.orientation)
        profile = decoded.profile if decoded.profile and fits_colours(decoded.profile, pixels.shape[2]) else None
        served = encode_png(pixels, [profile_chunk(profile)] if profile else [])
        shown.append(Shown(served, thumbnail(pixels, profile)))
    first, *further = shown
    return Intake(
        sha256=digest,
        format=decoded.format,
        width=pixels.shape[1],
        height=pixels.shape[0],
        bits=8 * pixels.dtype.itemsize,
        channels=pixels.shape[2],
        orientation=decoded.orientation,
        served=first.served,
        served_type="image/png",
        thumbnail=first.thumbnail,
        further=tuple(further),
        stated=decoded.stated,
    )


def _unknown(data: bytes) -> BadPicture:
    """Name the formats people send instead, so that they know what to convert."""
    starts = {b"GIF8": "GIF", b"\0\0\0\x0cjP  ": "JPEG 2000"}
    for start, kind in starts.items():
        if data.startswith(start):
            return bad_picture("unsupported_format", kind=kind)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return bad_picture("unsupported_format", kind="WebP")
    return bad_picture("not_an_image")
