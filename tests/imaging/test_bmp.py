"""BMP files, held against what Pillow and OpenCV read in them."""

import io
import struct
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from annotator.imaging.intake import BadPicture, Intake, take_in
from tests.imaging.files import damaged, pixels_of, scene

COLOURS = np.array([[0, 0, 0], [250, 10, 20], [30, 240, 50], [60, 70, 230]], np.uint8)


def saved(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "BMP")
    return file.getvalue()


def bmp(
    body: bytes,
    *,
    width: int = 5,
    height: int = 3,
    bits: int = 8,
    compression: int = 0,
    palette: NDArray[np.uint8] = COLOURS,
    masks: bytes = b"",
) -> bytes:
    """A BMP by hand, with exactly these rows."""
    table = b"".join(bytes([blue, green, red, 0]) for red, green, blue in palette.tolist()) if bits <= 8 else b""
    start = 14 + 40 + len(masks) + len(table)
    colours = len(palette) if bits <= 8 else 0
    sizes = struct.pack("<iiHHIIiiII", width, height, 1, bits, compression, len(body), 0, 0, colours, 0)
    head = b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + struct.pack("<I", 40) + sizes
    return head + masks + table + body


def palette_picture(colours: int) -> Image.Image:
    return Image.fromarray(scene()).quantize(colours)


def by_opencv(data: bytes) -> NDArray[Any]:
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(found)[:, :, ::-1]


def shown(intake: Intake) -> NDArray[Any]:
    return pixels_of(intake.served)


def code_of(data: bytes) -> str:
    with pytest.raises(BadPicture) as caught:
        take_in(data)
    return caught.value.code


KINDS = {
    "1 bit": Image.fromarray(scene(channels=1)[:, :, 0] > 100),
    "8 bits of grey": Image.fromarray(scene(channels=1)[:, :, 0]),
    "a palette": palette_picture(200),
    "a palette of 16": palette_picture(16),
    "24 bits": Image.fromarray(scene(width=57)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_pixels_are_those_that_others_read(kind: str) -> None:
    data = saved(KINDS[kind])
    intake = take_in(data)
    pixels = shown(intake) if intake.channels == 3 else np.repeat(shown(intake)[:, :, None], 3, axis=2)
    np.testing.assert_array_equal(pixels, np.asarray(KINDS[kind].convert("RGB")))
    np.testing.assert_array_equal(pixels, by_opencv(data))
    assert (intake.format, intake.served_type, intake.bits) == ("bmp", "image/png", 8)


def test_a_palette_of_greys_gives_a_grey_picture() -> None:
    assert take_in(saved(KINDS["8 bits of grey"])).channels == 1
    assert take_in(saved(KINDS["a palette"])).channels == 3


def test_four_bits_are_two_pixels_a_byte() -> None:
    rows = [[0, 1, 2, 3, 0], [3, 2, 1, 0, 3], [1, 1, 2, 2, 3]]
    body = b"".join(bytes([a << 4 | b, c << 4 | d, e << 4, 0]) for a, b, c, d, e in rows[::-1])
    data = bmp(body, bits=4)
    np.testing.assert_array_equal(shown(take_in(data)), COLOURS[np.array(rows)])
    np.testing.assert_array_equal(shown(take_in(data)), by_opencv(data))


def test_a_negative_height_begins_at_the_top() -> None:
    body = b"".join(bytes(row) + bytes(3) for row in ([0, 1, 2, 3, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2]))
    upside_down, upright = shown(take_in(bmp(body))), shown(take_in(bmp(body, height=-3)))
    np.testing.assert_array_equal(upright, upside_down[::-1])
    np.testing.assert_array_equal(upright[0], COLOURS[[0, 1, 2, 3, 0]])


@pytest.mark.parametrize(
    ("bits", "compression", "packed"),
    [
        # five of colour 1; then literally 1 2 3 0 2; then two moves and an end in the last row
        (8, 1, b"\x05\x01\x00\x00" + b"\x00\x05\x01\x02\x03\x00\x02\x00\x00\x00" + b"\x00\x02\x03\x00\x02\x03\x00\x01"),
        (4, 2, b"\x05\x11\x00\x00" + b"\x00\x05\x12\x30\x20\x00\x00\x00" + b"\x00\x02\x03\x00\x02\x33\x00\x01"),
    ],
)
def test_run_lengths_are_unpacked(bits: int, compression: int, packed: bytes) -> None:
    data = bmp(packed, bits=bits, compression=compression)
    expected = COLOURS[np.array([[0, 0, 0, 3, 3], [1, 2, 3, 0, 2], [1, 1, 1, 1, 1]])]
    np.testing.assert_array_equal(shown(take_in(data)), expected)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(data)).convert("RGB")), expected)


MASKS = struct.pack("<IIII", 0xFF0000, 0xFF00, 0xFF, 0xFF000000)


def test_32_bits_carry_colours_and_a_byte_that_means_nothing() -> None:
    body = np.random.default_rng(1).integers(0, 256, (3, 5, 4), dtype=np.uint8)
    intake = take_in(bmp(body.tobytes(), bits=32))
    np.testing.assert_array_equal(shown(intake), body[::-1, :, 2::-1])
    assert intake.channels == 3


def test_colours_may_be_told_by_masks_in_any_order() -> None:
    body = np.random.default_rng(1).integers(0, 256, (3, 5, 4), dtype=np.uint8)
    masks = struct.pack("<III", 0xFF, 0xFF00, 0xFF0000)
    data = bmp(body.tobytes(), bits=32, compression=3, masks=masks)
    np.testing.assert_array_equal(shown(take_in(data)), body[::-1, :, :3])


def test_transparency_that_says_nothing_is_left_out_and_other_is_refused() -> None:
    body = np.zeros((3, 5, 4), np.uint8)
    assert take_in(bmp(body.tobytes(), bits=32, compression=6, masks=MASKS)).channels == 3
    body[0, 0, 3] = 7
    assert code_of(bmp(body.tobytes(), bits=32, compression=6, masks=MASKS)) == "unsupported_format"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (bmp(bytes(23)), "truncated"),
        (bmp(bytes(24), bits=16), "unsupported_format"),
        (bmp(bytes(24), width=0), "zero_size"),
        (bmp(bytes(24), width=30_000, height=30_000), "too_large"),
        (bmp(bytes(24), height=-(2**31)), "too_large"),
        (bmp(bytes(24), width=-5), "corrupt"),
        (bmp(b"\x04" * 24), "corrupt"),  # a colour beyond the palette
        (bmp(bytes(24), bits=7), "corrupt"),
        (bmp(bytes(24), bits=24, compression=5), "unsupported_format"),
        (bmp(b"\x06\x01\x00\x01", compression=1), "corrupt"),  # a run leaves its row
        (bmp(b"\x05\x01\x00\x00", compression=1), "truncated"),  # the end is not said
        (bmp(b"\x00\x02\x01\xff\x00\x01", compression=1), "corrupt"),  # a move leaves the picture
        (bmp(bytes(60), bits=32, compression=3, masks=struct.pack("<III", 0x7C00, 0x3E0, 0x1F)), "unsupported_format"),
        (b"BM", "truncated"),
        (saved(KINDS["24 bits"])[:50], "truncated"),
    ],
)
def test_what_is_damaged_or_unusual_is_refused(data: bytes, code: str) -> None:
    assert code_of(data) == code


WHOLE = [
    *(saved(picture.resize((9, 7))) for picture in KINDS.values()),
    bmp(b"\x05\x01\x00\x00\x00\x05\x01\x02\x03\x00\x02\x00\x00\x00\x02\x03\x00\x01", compression=1),
    bmp(bytes(60), bits=32, compression=6, masks=MASKS),
]


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_files_raise_nothing_but_bad_picture(data: st.DataObject) -> None:
    try:
        intake = take_in(damaged(data, WHOLE))
    except BadPicture:
        return
    assert shown(intake).shape[:2] == (intake.height, intake.width)
