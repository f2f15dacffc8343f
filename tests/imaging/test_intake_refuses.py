"""Files that are not taken in, and the code each is refused with."""

import io
import struct
import time
import zlib
from typing import Any

import numpy as np
import pytest
from PIL import Image

from annotator.imaging.intake import MAX_PIXELS, MAX_SIDE, BadPicture, take_in
from tests.imaging.files import (
    chunk,
    hand_made_png,
    jpeg,
    png,
    resized_jpeg,
    scene,
    segment,
    with_chunks,
    with_segments,
)

GREY_2X2 = b"\0\x01\x02" + b"\0\x03\x04"


def code_of(data: bytes) -> str:
    with pytest.raises(BadPicture) as caught:
        take_in(data)
    assert str(caught.value) == caught.value.message % caught.value.params
    return caught.value.code


def saved(image: Image.Image, kind: str) -> bytes:
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def test_an_empty_file_is_refused() -> None:
    assert code_of(b"") == "empty"


def test_text_named_jpg_is_not_an_image() -> None:
    assert code_of(b"file,subject\na.jpg,S1\n") == "not_an_image"


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_other_picture_formats_are_named(kind: str) -> None:
    data = saved(Image.fromarray(scene()), kind)
    with pytest.raises(BadPicture) as caught:
        take_in(data)
    assert (caught.value.code, str(caught.value.params["kind"]).upper()) == ("unsupported_format", kind)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"subsampling": 0}, {"restart_marker_blocks": 3}])
def test_a_jpeg_cut_anywhere_is_found_even_with_an_end_glued_on(options: dict[str, Any]) -> None:
    whole = jpeg(**options)
    first_scan = whole.index(b"\xff\xda")
    codes = set()
    for cut in range(first_scan + 20, len(whole) - 2, 3):
        codes |= {code_of(whole[:cut]), code_of(whole[:cut] + b"\xff\xd9")}
    assert codes <= {"truncated", "corrupt"}


def test_a_progressive_jpeg_without_its_last_scan_is_truncated() -> None:
    whole = jpeg(progressive=True)
    last_scan = whole.rindex(b"\xff\xda")
    assert code_of(whole[:last_scan] + b"\xff\xd9") == "truncated"


@pytest.mark.parametrize(("width", "height"), [(56, 80), (112, 40), (56, 24), (24, 40)])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_whose_data_do_not_fill_or_overfill_its_frame_is_refused(
    width: int, height: int, progressive: bool
) -> None:
    assert code_of(resized_jpeg(jpeg(progressive=progressive), width=width, height=height)) in {"truncated", "corrupt"}


def test_a_cmyk_jpeg_is_refused() -> None:
    assert code_of(saved(Image.new("CMYK", (8, 8)), "JPEG")) == "unsupported_format"


def test_an_arithmetic_coded_jpeg_is_refused() -> None:
    data = jpeg()
    assert code_of(data.replace(b"\xff\xc0", b"\xff\xc9", 1)) == "unsupported_format"


def test_a_jpeg_with_12_bits_is_refused() -> None:
    data = bytearray(jpeg())
    data[data.index(b"\xff\xc0") + 4] = 12
    assert code_of(bytes(data)) == "unsupported_format"


@pytest.mark.parametrize(("width", "height"), [(0, 40), (56, 0)])
def test_a_picture_of_no_size_is_refused(width: int, height: int) -> None:
    assert code_of(resized_jpeg(jpeg(), width=width, height=height)) == "zero_size"
    assert code_of(hand_made_png(width, height, b"\0")) == "zero_size"


def test_a_bomb_of_30000_by_30000_is_refused_before_it_is_unpacked() -> None:
    bomb = hand_made_png(30_000, 30_000, b"")
    start = time.process_time()
    codes = {code_of(bomb), code_of(resized_jpeg(jpeg(), width=30_000, height=30_000))}
    assert codes == {"too_large"}
    assert time.process_time() - start < 1


@pytest.mark.parametrize(("width", "height"), [(6000, 4000), (12_000, 10_000)])
def test_the_limits_let_large_honest_pictures_pass(width: int, height: int) -> None:
    assert max(width, height) <= MAX_SIDE
    assert width * height <= MAX_PIXELS


def test_a_wide_thin_picture_above_the_side_limit_is_refused() -> None:
    assert code_of(hand_made_png(MAX_SIDE + 1, 1, b"\0" * (MAX_SIDE + 2))) == "too_large"


def test_a_jpeg_of_thousands_of_scans_is_refused() -> None:
    whole = jpeg(scene(channels=1))
    scan = whole.index(b"\xff\xda")
    assert code_of(whole[:scan] + whole[scan:-2] * 1000 + whole[-2:]) == "corrupt"


def test_a_segment_longer_than_the_file_is_truncated() -> None:
    assert code_of(jpeg()[:20] + b"\xff\xe1\xff\xff") == "truncated"


def test_garbage_between_segments_is_corrupt() -> None:
    assert code_of(with_segments(jpeg(), b"garbage")) == "corrupt"


def test_a_second_frame_is_corrupt() -> None:
    data = jpeg()
    at = data.index(b"\xff\xc0")
    frame = data[at : at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")]
    assert code_of(with_segments(data, frame)) == "corrupt"


def test_a_height_that_comes_after_the_scan_is_refused() -> None:
    data = jpeg()
    assert code_of(data[:-2] + segment(0xDC, b"\0\x28") + data[-2:]) == "unsupported_format"


def test_a_png_with_a_wrong_checksum_is_corrupt() -> None:
    data = bytearray(hand_made_png(2, 2, GREY_2X2))
    data[-13] ^= 1
    assert code_of(bytes(data)) == "corrupt"


@pytest.mark.parametrize("kept", [8, 20, 33, 50, -12, -1])
def test_a_cut_png_is_truncated(kept: int) -> None:
    assert code_of(png()[:kept]) == "truncated"


def test_a_png_with_too_few_pixels_is_truncated() -> None:
    assert code_of(hand_made_png(2, 2, GREY_2X2[:-1])) == "truncated"


def test_a_png_with_too_many_pixels_is_corrupt() -> None:
    assert code_of(hand_made_png(2, 2, GREY_2X2 + b"\0")) == "corrupt"


def test_a_png_that_hides_bytes_behind_its_pixels_is_corrupt() -> None:
    packed = zlib.compress(GREY_2X2) + b"hidden"
    body = png(scene(2, 2, 1))[:33] + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    assert code_of(body) == "corrupt"


def test_a_png_with_an_unknown_filter_is_corrupt() -> None:
    assert code_of(hand_made_png(2, 2, b"\x09\x01\x02" + b"\0\x03\x04")) == "corrupt"


def test_a_palette_png_that_names_a_missing_colour_is_corrupt() -> None:
    plain = hand_made_png(2, 1, b"\0\x00\x05", colour=3)
    assert code_of(with_chunks(plain, chunk(b"PLTE", b"\0\0\0\xff\xff\xff"))) == "corrupt"


def test_an_animated_png_is_refused() -> None:
    file = io.BytesIO()
    frames = [Image.fromarray(scene(seed=seed)) for seed in (1, 2)]
    frames[0].save(file, "PNG", save_all=True, append_images=frames[1:])
    assert code_of(file.getvalue()) == "unsupported_format"


def test_a_colour_png_of_16_bits_is_refused() -> None:
    rows = (b"\0" + struct.pack(">6H", *range(6))) * 2
    assert code_of(hand_made_png(2, 2, rows, depth=16, colour=2)) == "unsupported_format"


def test_faults_survive_the_way_between_processes() -> None:
    import pickle

    with pytest.raises(BadPicture) as caught:
        take_in(hand_made_png(30_000, 30_000, b""))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, str(copy)) == (caught.value.code, str(caught.value))
    assert "30000 × 30000" in str(copy)


def test_a_hidden_name_in_the_scan_is_not_decoded_as_a_picture() -> None:
    data = jpeg(np.zeros((16, 16), np.uint8))
    assert code_of(data[:-2] + b"Erika Mustermann" + data[-2:]) in {"corrupt", "truncated"}
