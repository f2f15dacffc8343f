"""TIFF files, held against what tifffile, OpenCV and Pillow read in them."""

import io
import struct
from typing import Any

import cv2
import numpy as np
import pytest
import tifffile
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, TiffImagePlugin

from annotator.imaging.intake import BadPicture, Intake, take_in
from tests.imaging.dicom_files import grey16
from tests.imaging.files import damaged, pixels_of, profile, scene

GREY = scene(channels=1)[:, :, 0]


def saved(pixels: NDArray[Any], **options: Any) -> bytes:
    """By tifffile."""
    file = io.BytesIO()
    tifffile.imwrite(file, pixels, **options)
    return file.getvalue()


def by_pillow(picture: NDArray[Any] | Image.Image, **options: Any) -> bytes:
    """By libtiff, which knows the packings that tifffile does not."""
    file = io.BytesIO()
    (picture if isinstance(picture, Image.Image) else Image.fromarray(picture)).save(file, "TIFF", **options)
    return file.getvalue()


def shown(intake: Intake) -> NDArray[Any]:
    return pixels_of(intake.served)


def code_of(data: bytes) -> str:
    with pytest.raises(BadPicture) as caught:
        take_in(data)
    return caught.value.code


def kind_of(data: bytes) -> str:
    with pytest.raises(BadPicture) as caught:
        take_in(data)
    assert caught.value.code == "unsupported_format"
    return str(caught.value.params["kind"])


EXACT: dict[str, tuple[bytes, NDArray[Any]]] = {
    "8 bits of grey": (saved(GREY), GREY),
    "16 bits of grey": (saved(grey16()), grey16()),
    "16 bits, big-endian": (saved(grey16(), byteorder=">"), grey16()),
    "colour": (saved(scene(), photometric="rgb"), scene()),
    "strips": (saved(scene(), photometric="rgb", rowsperstrip=7), scene()),
    "tiles": (saved(scene(), photometric="rgb", tile=(16, 32)), scene()),
    "16 bits in tiles": (saved(grey16(), tile=(16, 16)), grey16()),
    "plane by plane": (saved(scene().transpose(2, 0, 1), photometric="rgb", planarconfig="separate"), scene()),
    "BigTIFF": (saved(grey16(), bigtiff=True), grey16()),
    "big-endian BigTIFF": (saved(scene(), photometric="rgb", bigtiff=True, byteorder=">"), scene()),
    "deflate": (saved(grey16(), compression="zlib"), grey16()),
    "LZW": (by_pillow(scene(), compression="tiff_lzw"), scene()),
    "LZW with a predictor": (by_pillow(scene(), compression="tiff_lzw", tiffinfo={317: 2}), scene()),
    "16 bits, deflate with a predictor": (
        by_pillow(grey16(), compression="tiff_adobe_deflate", tiffinfo={317: 2}),
        grey16(),
    ),
    "PackBits": (by_pillow(scene(), compression="packbits"), scene()),
    "1 bit": (by_pillow(Image.fromarray(GREY > 100)), np.where(GREY > 100, 255, 0).astype(np.uint8)),
    "white is zero": (saved(GREY, photometric="miniswhite"), 255 - GREY),
    "white is zero in 16 bits": (saved(grey16(), photometric="miniswhite"), 65_535 - grey16()),
    "opaque alpha": (saved(np.dstack([scene(), np.full((40, 56), 255, np.uint8)]), photometric="rgb"), scene()),
}


@pytest.mark.parametrize("kind", EXACT)
def test_the_pixels_are_kept(kind: str) -> None:
    data, expected = EXACT[kind]
    intake = take_in(data)
    np.testing.assert_array_equal(shown(intake), expected)
    assert (intake.format, intake.served_type) == ("tiff", "image/png")
    assert intake.bits == 8 * expected.dtype.itemsize


# OpenCV keeps white at zero, and reads no tiles of colour.
@pytest.mark.parametrize("kind", [kind for kind in EXACT if "white is zero" not in kind and kind != "tiles"])
def test_opencv_reads_the_same(kind: str) -> None:
    data, expected = EXACT[kind]
    flags = cv2.IMREAD_ANYDEPTH | (cv2.IMREAD_COLOR if expected.ndim == 3 else cv2.IMREAD_GRAYSCALE)
    found = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), flags))
    np.testing.assert_array_equal(found[:, :, ::-1] if found.ndim == 3 else found, shown(take_in(data)))


def test_a_palette_is_written_out() -> None:
    picture = Image.fromarray(scene()).quantize(100)
    np.testing.assert_array_equal(shown(take_in(by_pillow(picture))), np.asarray(picture.convert("RGB")))


@pytest.mark.parametrize("options", [{}, {"quality": 95}, {"strip_size": 56 * 16 * 3}])
def test_jpeg_inside_is_decoded_as_libtiff_does(options: dict[str, Any]) -> None:
    data = by_pillow(scene(64, 64), compression="jpeg", **options)
    np.testing.assert_array_equal(shown(take_in(data)), pixels_of(data))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_orientation_is_obeyed(orientation: int) -> None:
    data = saved(grey16(), extratags=[(274, 3, 1, orientation, True)])
    intake = take_in(data)
    expected = {
        1: grey16(), 2: grey16()[:, ::-1], 3: grey16()[::-1, ::-1], 4: grey16()[::-1],
        5: grey16().T, 6: np.rot90(grey16(), -1), 7: grey16()[::-1, ::-1].T, 8: np.rot90(grey16()),
    }[orientation]  # fmt: skip
    np.testing.assert_array_equal(shown(intake), expected)
    assert (intake.height, intake.width, intake.orientation) == (*expected.shape, orientation)


def test_each_page_is_a_picture_and_smaller_copies_are_none() -> None:
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        writer.write(grey16(seed=1))
        writer.write(grey16(seed=9)[::2, ::2], subfiletype=1)
        writer.write(grey16(seed=2))
    intake = take_in(file.getvalue())
    np.testing.assert_array_equal(shown(intake), grey16(seed=1))
    [second] = intake.further
    np.testing.assert_array_equal(pixels_of(second.served), grey16(seed=2))


def test_pages_of_different_sizes_are_refused() -> None:
    file = io.BytesIO()
    with tifffile.TiffWriter(file) as writer:
        writer.write(GREY)
        writer.write(GREY[:20])
    assert "differ" in kind_of(file.getvalue())


def test_the_colour_profile_stays() -> None:
    with Image.open(io.BytesIO(take_in(by_pillow(scene(), icc_profile=profile())).served)) as served:
        assert served.info["icc_profile"] == profile()
    with Image.open(io.BytesIO(take_in(by_pillow(GREY, icc_profile=profile())).served)) as served:
        assert "icc_profile" not in served.info  # a profile for colours does not fit a grey picture


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (saved(GREY.astype(np.float32)), "float"),
        (saved(GREY.astype(np.int16)), "signed"),
        (saved(np.dstack([grey16()] * 3), photometric="rgb"), "16 bits per colour"),
        (by_pillow(Image.new("CMYK", (16, 16))), "CMYK"),
        (by_pillow(Image.new("LAB", (16, 16))), "Lab"),
        (by_pillow(Image.new("LA", (16, 16))), "further channels"),
        (by_pillow(Image.new("RGBA", (16, 16), (1, 2, 3, 99))), "transparency"),
        (by_pillow(Image.new("1", (16, 16)), compression="group4"), "fax"),
        (saved(GREY.astype(np.uint32)), "32 bits"),
    ],
)
def test_what_is_not_taken_is_named(data: bytes, word: str) -> None:
    assert word in kind_of(data)


@pytest.mark.parametrize("kind", EXACT)
def test_a_file_cut_anywhere_is_refused(kind: str) -> None:
    data, _pixels = EXACT[kind]
    with tifffile.TiffFile(io.BytesIO(data)) as whole:
        page = whole.pages[0]
        needed = max(start + count for start, count in zip(page.dataoffsets, page.databytecounts, strict=True))
    for cut in range(0, min(needed, len(data)) - 1, 997):
        assert code_of(data[:cut]) in {"truncated", "corrupt", "empty", "not_an_image"}


def with_number(data: bytes, number: int, value: int) -> bytes:
    """A little-endian classic TIFF with one value of its first directory changed."""
    (at,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, at)
    for place in range(at + 2, at + 2 + 12 * count, 12):
        if struct.unpack_from("<H", data, place) == (number,):
            return data[: place + 8] + struct.pack("<I", value) + data[place + 12 :]
    raise ValueError(f"no tag {number}")


@pytest.mark.parametrize(
    ("number", "value", "code"),
    [
        (256, 30_000, "too_large"),
        (257, 0, "zero_size"),
        (257, 400, "corrupt"),  # more rows than there are
        (259, 50_000, "unsupported_format"),
        (273, 2**31, "truncated"),
        (279, 100, "truncated"),
        (278, 1, "corrupt"),  # one strip where there should be forty
    ],
)
def test_a_header_that_lies_is_refused(number: int, value: int, code: str) -> None:
    assert code_of(with_number(saved(GREY), number, value)) == code


def test_pages_that_lead_back_to_themselves_are_refused() -> None:
    data = bytearray(saved(GREY))
    (at,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, at)
    struct.pack_into("<I", data, at + 2 + 12 * count, at)
    assert code_of(bytes(data)) == "corrupt"


def test_a_jpeg_inside_that_was_cut_and_closed_is_refused() -> None:
    data = by_pillow(scene(64, 64), compression="jpeg")
    with tifffile.TiffFile(io.BytesIO(data)) as whole:
        [start], [count] = whole.pages[0].dataoffsets, whole.pages[0].databytecounts
    half = start + count // 2
    assert code_of(data[:half] + bytes(start + count - half - 2) + b"\xff\xd9" + data[start + count :]) in {
        "truncated",
        "corrupt",
    }


def test_nothing_but_checked_tags_reaches_the_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []

    class Watched(TiffImagePlugin.TiffImageFile):
        def __init__(self, file: io.BytesIO) -> None:
            seen.append(file.getvalue())
            super().__init__(file)

    monkeypatch.setattr(TiffImagePlugin, "TiffImageFile", Watched)
    take_in(saved(GREY, description="Erika Mustermann", software="Erika Mustermann"))
    assert len(seen) == 1
    assert b"Mustermann" not in seen[0]


WHOLE = [
    *(saved(GREY[:9, :11], **options) for options in ({}, {"compression": "zlib"}, {"bigtiff": True})),
    saved(grey16()[:16, :16], tile=(16, 16)),
    *(by_pillow(scene(9, 11), compression=packing) for packing in ("tiff_lzw", "packbits", "jpeg")),
]


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_files_raise_nothing_but_bad_picture(data: st.DataObject) -> None:
    try:
        intake = take_in(damaged(data, WHOLE))
    except BadPicture:
        return
    assert shown(intake).shape[:2] == (intake.height, intake.width)
