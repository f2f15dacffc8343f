"""TIFF files: which are taken, and their pixels.

Taken: grey of 1, 4, 8 and 16 bits, palettes and colour of 8 bits; in strips or tiles, samples together or plane by
plane, plain, LZW, deflate, PackBits or JPEG; classic or BigTIFF. Each page is a picture of its own; smaller copies of
a page are left out. Refused by name: float and signed samples, 16 bits per colour, CMYK and Lab, transparency, fax and
newer compressions, pages that differ in size or kind.

Pixels are decoded by libtiff (through Pillow) from a copy that holds nothing but the tags that were checked here.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.imaging import tiff_directory as tag
from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.colour_profile import checked_profile
from annotator.imaging.decoded import Decoded, check_frames
from annotator.imaging.orientation import UPRIGHT
from annotator.imaging.tiff_directory import Directory, directories
from annotator.imaging.tiff_page import decode_page
from annotator.imaging.tiff_pieces import check_pieces

_SMALLER_COPY = 1
_WHITE_IS_ZERO, _BLACK_IS_ZERO, _RGB, _PALETTE, _YCBCR = 0, 1, 2, 3, 6
_JPEG = 7
_TAKEN_COMPRESSIONS = {1, 5, _JPEG, 8, 32946, 32773}
_COMPRESSIONS = {
    2: "fax", 3: "fax", 4: "fax", 6: "old-style JPEG", 34712: "JPEG 2000", 33003: "JPEG 2000", 33005: "JPEG 2000",
    34887: "LERC", 34925: "LZMA", 50000: "Zstandard", 50001: "WebP", 50002: "JPEG XL", 52546: "JPEG XL",
}  # fmt: skip
_PHOTOMETRICS = {4: "a transparency mask", 5: "CMYK", 8: "CIELab", 9: "ICCLab", 10: "ITULab", 32803: "a raw sensor"}


def decode_tiff(data: bytes) -> Decoded:
    """The pages of `data` (which begins with one of the TIFF marks); BadPicture when one of them is not whole."""
    pages = [page for page in directories(data) if not page.one(tag.SUBFILE, 0) & _SMALLER_COPY]
    if not pages:
        raise bad_picture("truncated")
    first = pages[0]
    check_frames(first.one(tag.WIDTH, 0), first.one(tag.HEIGHT, 0), len(pages))
    for page in pages:
        _check_kind(page)
        if _shape(page) != _shape(first):
            raise bad_picture("unsupported_format", kind="TIFF with pages that differ in size or kind")
        check_pieces(page, data)
    orientation = first.one(tag.ORIENTATION, UPRIGHT)
    return Decoded(
        "tiff",
        _frames(pages, data),
        orientation=orientation if 1 <= orientation <= 8 else UPRIGHT,
        profile=checked_profile(first.raw.get(tag.PROFILE, b"")),
    )


def _frames(pages: Sequence[Directory], data: bytes) -> Iterator[NDArray[Any]]:
    for page in pages:
        pixels = decode_page(page, data)
        # Pillow turns 8 bits where white is zero, and leaves 16 as they are.
        turned = pixels.dtype == np.uint16 and page.one(tag.PHOTOMETRIC, _BLACK_IS_ZERO) == _WHITE_IS_ZERO
        pixels = 65_535 - pixels if turned else pixels
        if pixels.shape[2] == 4:
            if not (pixels[:, :, 3] == 255).all():
                raise bad_picture("unsupported_format", kind="TIFF with transparency")
            pixels = pixels[:, :, :3]
        yield pixels


def _shape(page: Directory) -> tuple[int, ...]:
    numbers = (page.one(tag.WIDTH, 0), page.one(tag.HEIGHT, 0), page.one(tag.SAMPLES, 1), page.one(tag.BITS, 1))
    return *numbers, page.one(tag.PHOTOMETRIC, -1), page.one(tag.ORIENTATION, UPRIGHT)


def _check_kind(page: Directory) -> None:
    photometric, samples = page.one(tag.PHOTOMETRIC, -1), page.one(tag.SAMPLES, 1)
    bits = page.numbers.get(tag.BITS, (1,))
    compression = page.one(tag.COMPRESSION, 1)
    if compression not in _TAKEN_COMPRESSIONS:
        kind = f"TIFF in {_COMPRESSIONS[compression]} compression" if compression in _COMPRESSIONS else "TIFF"
        raise bad_picture("unsupported_format", kind=kind)
    formats = set(page.numbers.get(tag.SAMPLE_FORMAT, (1,)))
    if formats != {1}:
        raise bad_picture("unsupported_format", kind="TIFF with float or signed samples")
    if photometric in _PHOTOMETRICS:
        raise bad_picture("unsupported_format", kind=f"TIFF of {_PHOTOMETRICS[photometric]}")
    if len(set(bits)) != 1 or len(bits) not in (1, samples):
        raise bad_picture("unsupported_format", kind="TIFF with samples of different depths")
    _check_samples(photometric, samples, bits[0], compression)
    if photometric == _YCBCR and compression != _JPEG:
        raise bad_picture("unsupported_format", kind="TIFF of luma and chroma that is not JPEG")


def _check_samples(photometric: int, samples: int, bits: int, compression: int) -> None:
    if photometric in (_WHITE_IS_ZERO, _BLACK_IS_ZERO):
        if samples != 1:
            raise bad_picture("unsupported_format", kind="TIFF of grey with further channels")
        taken: tuple[int, ...] = (1, 4, 8, 16)
    elif photometric == _PALETTE and samples == 1:
        taken = (1, 4, 8)
    elif (photometric == _RGB and samples in (3, 4)) or (photometric == _YCBCR and samples == 3):
        taken = (8,)
        if bits == 16:
            raise bad_picture("unsupported_format", kind="TIFF with 16 bits per colour")
    else:
        raise bad_picture("unsupported_format", kind="TIFF with an unusual number of channels")
    if bits not in taken or (compression == _JPEG and bits != 8):
        raise bad_picture("unsupported_format", kind=f"TIFF with {bits} bits per sample")
