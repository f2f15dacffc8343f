"""Files that are taken in: facts, pixels, colour, uprightness."""

import hashlib
import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from annotator.imaging.intake import take_in
from annotator.imaging.png_chunks import chunks
from annotator.imaging.png_scanlines import scanline_bytes
from tests.imaging.files import (
    chunk,
    exif,
    hand_made_png,
    jpeg,
    pixels_of,
    png,
    profile,
    scene,
    segment,
    with_chunks,
    with_segments,
)

NOTE = segment(0xFE, b"a comment that makes cleaning necessary")

JPEGS: dict[str, dict[str, Any]] = {
    "baseline": {},
    "progressive": {"progressive": True},
    "4:4:4": {"subsampling": 0},
    "4:2:0": {"subsampling": 2},
    "restarts": {"restart_marker_blocks": 2},
    "rgb": {"keep_rgb": True},
    "profile": {"icc_profile": profile()},
}


@pytest.mark.parametrize("kind", JPEGS)
def test_the_served_jpeg_has_the_pixels_of_the_original(kind: str) -> None:
    original = jpeg(**JPEGS[kind])
    if original[2:4] == b"\xff\xe0":
        original = with_segments(original, NOTE)
    intake = take_in(original)
    np.testing.assert_array_equal(pixels_of(intake.served), pixels_of(original))
    assert (intake.format, intake.served_type, intake.bits, intake.channels) == ("jpeg", "image/jpeg", 8, 3)


def test_a_grey_jpeg_stays_grey() -> None:
    original = with_segments(jpeg(scene(channels=1)), NOTE)
    intake = take_in(original)
    np.testing.assert_array_equal(pixels_of(intake.served), pixels_of(original))
    assert intake.channels == 1
    assert pixels_of(intake.thumbnail).ndim == 2


def test_what_stands_between_scans_is_taken_out() -> None:
    whole = jpeg(progressive=True)
    last_table = whole.rindex(b"\xff\xc4")
    original = whole[:last_table] + NOTE + segment(0xE1, b"Exif\0\0" + exif(6)) + whole[last_table:]
    intake = take_in(original)
    assert intake.served == take_in(whole).served
    assert intake.orientation == 1


def test_a_clean_jpeg_is_served_as_it_came() -> None:
    clean = take_in(jpeg()).served
    assert take_in(clean).served == clean


def test_the_digest_is_that_of_the_original_bytes() -> None:
    original = jpeg() + b"trailing"
    assert take_in(original).sha256 == hashlib.sha256(original).hexdigest()


def palette_png(colours: int = 16, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(scene()).quantize(colours).save(file, "PNG", **options)
    return file.getvalue()


def sixteen_bit() -> NDArray[np.uint16]:
    return (np.arange(40 * 56, dtype=np.uint32) * 29 % 65_536).astype(np.uint16).reshape(40, 56)


PNGS: dict[str, tuple[bytes, int, int]] = {
    "grey": (png(scene(channels=1)), 8, 1),
    "grey with alpha": (png(scene(channels=2)), 8, 2),
    "colour": (png(scene()), 8, 3),
    "colour with alpha": (png(scene(channels=4)), 8, 4),
    "palette": (palette_png(), 8, 3),
    "palette of two": (palette_png(2, bits=1), 8, 3),
    "palette with transparency": (palette_png(transparency=3), 8, 4),
    "black and white": (png(scene(channels=1)[:, :, 0] > 100), 8, 1),
    "16-bit grey": (png(sixteen_bit()), 16, 1),
}


@pytest.mark.parametrize("kind", PNGS)
def test_the_served_png_has_the_pixels_of_the_original(kind: str) -> None:
    plain, bits, channels = PNGS[kind]
    original = with_chunks(plain, chunk(b"tEXt", b"Comment\0needs cleaning"))
    intake = take_in(original)
    np.testing.assert_array_equal(pixels_of(intake.served), pixels_of(original))
    assert (intake.format, intake.served_type, intake.bits, intake.channels) == ("png", "image/png", bits, channels)
    assert (intake.width, intake.height) == (56, 40)


# A 4 × 4 picture of grey values 0–15 in Adam7's order, worked out by hand from section 8.1 of the specification:
# pass 1 takes (0,0); pass 4 (2,0); pass 5 row 2 columns 0, 2; pass 6 odd columns of even rows; pass 7 odd rows.
ADAM7_4X4 = b"\0\0" + b"\0\2" + b"\0\x08\x0a" + b"\0\1\3" + b"\0\x09\x0b" + b"\0\4\5\6\7" + b"\0\x0c\x0d\x0e\x0f"


def test_an_interlaced_png_is_taken_in() -> None:
    plain = hand_made_png(4, 4, ADAM7_4X4)
    header = plain[16:28] + b"\x01"
    original = plain[:8] + chunk(b"IHDR", header) + plain[33:]
    intake = take_in(original)
    np.testing.assert_array_equal(pixels_of(intake.served), np.arange(16).reshape(4, 4))


def test_interlaced_scanlines_are_counted_by_pass() -> None:
    assert scanline_bytes(width=4, height=4, bits_per_pixel=8, interlaced=True) == len(ADAM7_4X4)


def test_a_png_keeps_what_decides_its_colours_and_nothing_else() -> None:
    extra = [chunk(b"gAMA", b"\0\0\xb1\x8f"), chunk(b"pHYs", b"\0" * 9), chunk(b"tIME", b"\0" * 7)]
    intake = take_in(with_chunks(png(), *extra))
    assert {c.kind for c in chunks(intake.served)} == {b"IHDR", b"gAMA", b"IDAT", b"IEND"}


@pytest.mark.parametrize("make", [jpeg, png])
@pytest.mark.parametrize("orientation", [1, 6])
def test_the_colour_profile_is_kept_byte_for_byte(make: Any, orientation: int) -> None:
    original = make(icc_profile=profile())
    original = (
        with_segments(original, segment(0xE1, b"Exif\0\0" + exif(orientation)))
        if make is jpeg
        else with_chunks(original, chunk(b"eXIf", exif(orientation)))
    )
    intake = take_in(original)
    for shown in (intake.served, intake.thumbnail):
        with Image.open(io.BytesIO(shown)) as opened:
            assert opened.info["icc_profile"] == profile()


def test_a_profile_in_several_segments_is_put_together() -> None:
    long = bytearray(profile() + bytes(100_000))
    long[:4] = len(long).to_bytes(4, "big")
    intake = take_in(jpeg(icc_profile=bytes(long)))
    with Image.open(io.BytesIO(intake.served)) as opened:
        assert opened.info["icc_profile"] == bytes(long)


# The picture  A B C  as an eye should see it, and as it lies in the file for each orientation (Exif 2.32, figure of
#              D E F  tag 0x0112: where row 0 and column 0 of the file lie in the upright picture).
UPRIGHT = ["ABC", "DEF"]
STORED = {
    1: ["ABC", "DEF"],
    2: ["CBA", "FED"],
    3: ["FED", "CBA"],
    4: ["DEF", "ABC"],
    5: ["AD", "BE", "CF"],
    6: ["CF", "BE", "AD"],
    7: ["FC", "EB", "DA"],
    8: ["DA", "EB", "FC"],
}


def letters(rows: list[str], size: int = 1) -> NDArray[np.uint8]:
    grid = np.array([[(ord(letter) - ord("A")) * 40 for letter in row] for row in rows], np.uint8)
    return np.kron(grid, np.ones((size, size), np.uint8))


@pytest.mark.parametrize("orientation", STORED)
def test_a_png_is_turned_upright(orientation: int) -> None:
    original = with_chunks(png(letters(STORED[orientation])), chunk(b"eXIf", exif(orientation)))
    intake = take_in(original)
    np.testing.assert_array_equal(pixels_of(intake.served), letters(UPRIGHT))
    assert (intake.width, intake.height, intake.orientation) == (3, 2, orientation)


@pytest.mark.parametrize("orientation", STORED)
def test_a_jpeg_is_turned_upright_without_loss(orientation: int) -> None:
    # Blocks of 8 × 8 equal samples have one coefficient each; quality 100 keeps it exactly.
    stored = io.BytesIO()
    Image.fromarray(letters(STORED[orientation], 8)).save(stored, "JPEG", quality=100)
    intake = take_in(with_segments(stored.getvalue(), segment(0xE1, b"Exif\0\0" + exif(orientation))))
    np.testing.assert_array_equal(pixels_of(intake.served), letters(UPRIGHT, 8))
    assert intake.served_type == ("image/jpeg" if orientation == 1 else "image/png")
    assert (intake.width, intake.height) == (24, 16)
    np.testing.assert_allclose(pixels_of(intake.thumbnail), letters(UPRIGHT, 8), atol=6)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_turning_agrees_with_pillow(orientation: int) -> None:
    from PIL import ImageOps

    original = with_segments(jpeg(), segment(0xE1, b"Exif\0\0" + exif(orientation)))
    intake = take_in(original)
    with Image.open(io.BytesIO(original)) as opened:
        np.testing.assert_array_equal(pixels_of(intake.served), np.asarray(ImageOps.exif_transpose(opened)))


def test_16_bits_survive_being_turned() -> None:
    intake = take_in(with_chunks(png(sixteen_bit()), chunk(b"eXIf", exif(6))))
    np.testing.assert_array_equal(pixels_of(intake.served), np.rot90(sixteen_bit(), -1))


@pytest.mark.parametrize("block", [b"", b"II*\0", exif(0), exif(9), b"MM\0*\xff\xff\xff\xff", exif(6)[:15]])
def test_an_unreadable_orientation_means_upright(block: bytes) -> None:
    assert take_in(with_segments(jpeg(), segment(0xE1, b"Exif\0\0" + block))).orientation == 1


@pytest.mark.parametrize(
    ("height", "width", "expected"),
    [(1000, 2000, (320, 160)), (2000, 500, (80, 320)), (41, 37, (37, 41)), (2, 3000, (320, 1)), (320, 320, (320, 320))],
)
def test_the_longest_side_of_the_thumbnail_is_320(height: int, width: int, expected: tuple[int, int]) -> None:
    with Image.open(io.BytesIO(take_in(png(scene(height, width))).thumbnail)) as opened:
        assert (opened.format, opened.size) == ("JPEG", expected)


def test_the_thumbnail_looks_like_an_area_average() -> None:
    y, x = np.mgrid[0:1028, 0:1062]
    smooth = np.stack([x / 5, y / 5, (x + y) / 10], axis=-1).astype(np.uint8)
    small = pixels_of(take_in(png(smooth)).thumbnail).astype(int)
    expected = np.asarray(Image.fromarray(smooth).resize((320, small.shape[0]), Image.Resampling.BOX)).astype(int)
    assert np.abs(small - expected).mean() < 2


def test_the_thumbnail_of_16_bit_grey_uses_the_whole_range() -> None:
    dim = np.linspace(100, 4000, 64 * 64).astype(np.uint16).reshape(64, 64)
    small = pixels_of(take_in(png(dim)).thumbnail)
    assert small.min() < 10
    assert small.max() > 245


def test_transparent_parts_of_the_thumbnail_are_black() -> None:
    clear = np.dstack([np.full((64, 64, 3), 200, np.uint8), np.zeros((64, 64), np.uint8)])
    assert pixels_of(take_in(png(clear)).thumbnail).max() < 5
