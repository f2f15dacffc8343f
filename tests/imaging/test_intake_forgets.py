"""A patient's name, wherever a file can carry it, is in nothing that is shown."""

import re
import zlib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.imaging.intake import BadPicture, Intake, take_in
from tests.imaging.files import (
    NAME,
    chunk,
    damaged,
    exif,
    jpeg,
    png,
    profile,
    scene,
    segment,
    with_chunks,
    with_segments,
)

SMALL = scene(16, 24)
XMP = b"<x:xmpmeta><dc:title>" + NAME + b"</dc:title></x:xmpmeta>"
IPTC = b"Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x15\x1c\x02\x05\0\x10" + NAME
MPF = b"MPF\0II*\0" + NAME
JFXX = b"JFXX\0\x13\x01\x01" + NAME
JFIF_WITH_THUMBNAIL = b"JFIF\0\x01\x02\0\0\x01\0\x01\x02\x03" + NAME.ljust(18, b"\0")
ADOBE = b"Adobe\0\x64\0\0\0\0\x01" + NAME
LONG_PROFILE_SEGMENT = b"ICC_PROFILE\0\x01\x01" + profile() + NAME


def jpeg_with_first_segment(payload: bytes) -> bytes:
    data = jpeg(SMALL)
    return data[:2] + segment(0xE0, payload) + data[4 + int.from_bytes(data[4:6], "big") :]


def between_scans(data: bytes) -> bytes:
    at = data.rindex(b"\xff\xc4")
    return data[:at] + segment(0xFE, NAME) + data[at:]


NAMED_JPEGS = {
    "EXIF": with_segments(jpeg(SMALL), segment(0xE1, b"Exif\0\0" + exif(1, NAME))),
    "EXIF of a turned picture": with_segments(jpeg(SMALL), segment(0xE1, b"Exif\0\0" + exif(6, NAME))),
    "XMP": with_segments(jpeg(SMALL), segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP)),
    "IPTC": with_segments(jpeg(SMALL), segment(0xED, IPTC)),
    "comment": with_segments(jpeg(SMALL), segment(0xFE, NAME)),
    "JFIF thumbnail": jpeg_with_first_segment(JFIF_WITH_THUMBNAIL),
    "JFXX": with_segments(jpeg(SMALL), segment(0xE0, JFXX)),
    "multi-picture": with_segments(jpeg(SMALL), segment(0xE2, MPF)),
    "Adobe": with_segments(jpeg(SMALL), segment(0xEE, ADOBE)),
    "behind the profile": with_segments(jpeg(SMALL), segment(0xE2, LONG_PROFILE_SEGMENT)),
    "no profile": with_segments(jpeg(SMALL), segment(0xE2, b"ICC_PROFILE\0\x01\x01" + NAME)),
    "between scans": between_scans(jpeg(SMALL, progressive=True)),
    "vendor segment": with_segments(jpeg(SMALL), segment(0xEB, NAME)),
    "after the end": jpeg(SMALL) + NAME,
}
NAMED_PNGS = {
    "tEXt": with_chunks(png(SMALL), chunk(b"tEXt", b"Title\0" + NAME)),
    "zTXt": with_chunks(png(SMALL), chunk(b"zTXt", b"Title\0\0" + zlib.compress(NAME))),
    "iTXt": with_chunks(png(SMALL), chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP)),
    "packed iTXt": with_chunks(png(SMALL), chunk(b"iTXt", b"Title\0\x01\0\0\0" + zlib.compress(NAME))),
    "eXIf": with_chunks(png(SMALL), chunk(b"eXIf", exif(1, NAME))),
    "eXIf of a turned picture": with_chunks(png(SMALL), chunk(b"eXIf", exif(8, NAME))),
    "profile name": with_chunks(png(SMALL), chunk(b"iCCP", NAME + b"\0\0" + zlib.compress(profile()))),
    "behind the profile": with_chunks(png(SMALL), chunk(b"iCCP", b"x\0\0" + zlib.compress(profile() + NAME))),
    "private chunk": with_chunks(png(SMALL), chunk(b"naMe", NAME)),
    "histogram": with_chunks(png(SMALL), chunk(b"hIST", NAME)),
    "a gamma that is none": with_chunks(png(SMALL), chunk(b"gAMA", NAME)),
    "after the end": png(SMALL) + NAME,
}


def unpacked(data: bytes) -> Iterator[bytes]:
    """The bytes themselves and every zlib stream that begins anywhere in them."""
    yield data
    for start in re.finditer(rb"x[\x01\x5e\x9c\xda]", data):
        try:
            yield zlib.decompressobj().decompress(data[start.start() :])
        except zlib.error:
            continue


def leaks(intake: Intake) -> bool:
    shown = [piece for data in (intake.served, intake.thumbnail) for piece in unpacked(data)]
    return any(word in piece for piece in shown for word in (NAME, b"Mustermann", NAME.decode().encode("utf-16-le")))


@pytest.mark.parametrize("place", NAMED_JPEGS)
def test_a_name_in_a_jpeg_is_not_shown(place: str) -> None:
    assert any(NAME in piece for piece in unpacked(NAMED_JPEGS[place]))
    assert not leaks(take_in(NAMED_JPEGS[place]))


@pytest.mark.parametrize("place", NAMED_PNGS)
def test_a_name_in_a_png_is_not_shown(place: str) -> None:
    assert any(NAME in piece for piece in unpacked(NAMED_PNGS[place]))
    assert not leaks(take_in(NAMED_PNGS[place]))


NAMED = [*NAMED_JPEGS.values(), *NAMED_PNGS.values()]


@settings(max_examples=300)
@given(data=st.data())
def test_damaged_files_are_refused_or_shown_without_the_name(data: st.DataObject) -> None:
    try:
        intake = take_in(damaged(data, NAMED))
    except BadPicture:
        return
    assert not leaks(intake)


@settings(max_examples=200)
@given(
    payload=st.binary(max_size=200), start=st.sampled_from([b"\xff\xd8", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b""])
)
def test_noise_raises_nothing_but_bad_picture(payload: bytes, start: bytes) -> None:
    with pytest.raises(BadPicture):
        take_in(start + payload)


@settings(max_examples=200)
@given(data=st.data())
def test_png_chunks_with_right_checksums_and_wrong_contents_raise_nothing_but_bad_picture(data: st.DataObject) -> None:
    kinds = st.sampled_from([b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"iCCP", b"gAMA", b"sBIT", b"cHRM", b"sRGB", b"eXIf"])
    wrong = data.draw(st.lists(st.builds(chunk, kinds, st.binary(max_size=40)), min_size=1, max_size=4))
    try:
        intake = take_in(with_chunks(png(SMALL), *wrong))
    except BadPicture:
        return
    assert (intake.width, intake.height) in {(24, 16), (16, 24)}
