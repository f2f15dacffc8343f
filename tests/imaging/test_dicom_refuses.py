"""DICOM files that are not taken in, and those that try to do harm."""

import io
import struct
import time
import tracemalloc
import zlib
from typing import Any

import jpeg_ls
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pydicom import uid

from annotator.imaging.intake import BadPicture, take_in
from tests.imaging.dicom_files import CT, SECONDARY, TOMOGRAPHY, dataset, dicom, grey16, item, rle_dicom, written
from tests.imaging.files import jpeg, pixels_of, resized_jpeg, scene

GREY = scene(channels=1)[:, :, 0]
NAME = "Mustermann^Erika"


def refusal(data: bytes) -> BadPicture:
    with pytest.raises(BadPicture) as caught:
        take_in(data)
    return caught.value


def kind_of(data: bytes) -> str:
    refused = refusal(data)
    assert refused.code == "unsupported_format"
    return str(refused.params["kind"])


def j2k(pixels: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG2000", irreversible=False, no_jp2=True)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (dicom(kind=CT), "CT Image Storage"),
        (dicom(kind="1.2.3.4.5"), "unknown kind"),
        (dicom(kind=SECONDARY, Modality="CT"), "modality"),
        (dicom(syntax=uid.JPEGLosslessSV1, streams=[b"\xff\xd8\xff\xd9"]), "JPEG Lossless"),
        (dicom(syntax=uid.MPEG4HP41, streams=[b"\0\0"]), "MPEG-4"),
        (dicom(np.dstack([grey16()] * 3)), "16 bits per colour"),
        (dicom(GREY, PhotometricInterpretation="HSV"), "colours"),
        (dicom(grey16(), HighBit=14, BitsStored=12), "lowest bit"),
        (dicom(GREY.astype(np.uint32)), "bits"),
        (dicom(GREY, BitsStored=6, HighBit=5), "bits"),
    ],
)
def test_what_is_not_taken_is_named(data: bytes, word: str) -> None:
    assert word in kind_of(data)


def test_a_name_written_into_the_picture_is_refused() -> None:
    refused = refusal(dicom(BurnedInAnnotation="YES"))
    assert (refused.code, "Burned In Annotation" in str(refused)) == ("burned_in", True)
    assert take_in(dicom(BurnedInAnnotation="NO")).format == "dicom"


def test_a_face_that_can_be_recognised_is_refused() -> None:
    assert refusal(dicom(RecognizableVisualFeatures="YES")).code == "recognizable"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (dicom(GREY, Rows=41), "truncated"),
        (dicom(GREY, Rows=20), "corrupt"),
        (dicom(GREY, Rows=0), "zero_size"),
        (dicom(GREY, Rows=30_000, Columns=30_000), "too_large"),
        (dicom(GREY, NumberOfFrames=2), "truncated"),
        (dicom(GREY, NumberOfFrames=2_000_000), "too_many_frames"),
        (dicom(GREY, NumberOfFrames=-1), "too_many_frames"),
        (dicom(GREY, Rows=19_000, Columns=7_000, NumberOfFrames=2), "too_many_frames"),
        (rle_dicom(grey16())[:-400], "truncated"),
        (dicom(GREY, syntax=uid.JPEGLSLossless, streams=[jpeg_ls.encode_array(GREY[:20])]), "corrupt"),
        (dicom(GREY, syntax=uid.JPEG2000Lossless, streams=[j2k(GREY[:20])]), "corrupt"),
        (dicom(GREY, syntax=uid.JPEGBaseline8Bit, streams=[jpeg(GREY[:20])]), "corrupt"),
        (dicom(GREY, syntax=uid.JPEGBaseline8Bit, streams=[b"no JPEG at all"]), "corrupt"),
        (dicom(GREY, syntax=uid.JPEGBaseline8Bit, streams=[jpeg(GREY), jpeg(GREY)]), "corrupt"),
        (dicom(GREY, syntax=uid.RLELossless, streams=[b"\x01" + bytes(63)]), "corrupt"),
    ],
)
def test_what_is_damaged_is_refused(data: bytes, code: str) -> None:
    assert refusal(data).code == code


STREAMS = {
    "JPEG": (uid.JPEGBaseline8Bit, jpeg(GREY)),
    "JPEG-LS": (uid.JPEGLSLossless, jpeg_ls.encode_array(GREY)),
    "JPEG 2000": (uid.JPEG2000Lossless, j2k(GREY)),
}


@pytest.mark.parametrize("kind", STREAMS)
def test_a_stream_that_was_cut_and_closed_is_refused(kind: str) -> None:
    syntax, stream = STREAMS[kind]
    for part in (0.3, 0.6, 0.9):
        cut = stream[: int(part * len(stream))]
        for closed in (cut, cut + b"\xff\xd9"):
            assert refusal(dicom(GREY, syntax=syntax, streams=[closed])).code in {"truncated", "corrupt"}


@pytest.mark.parametrize("syntax", [uid.ExplicitVRLittleEndian, uid.ImplicitVRLittleEndian])
def test_a_file_cut_anywhere_is_refused(syntax: str) -> None:
    data = dicom(GREY, syntax=syntax)
    for cut in range(0, len(data) - 1, 97):
        assert refusal(data[:cut]).code in {"truncated", "corrupt", "unsupported_format", "empty", "not_an_image"}


def deflated_bomb() -> bytes:
    """A few kilobytes that would become 256 MB."""
    head = dicom(GREY, syntax=uid.ExplicitVRLittleEndian)
    syntax, other = uid.ExplicitVRLittleEndian.encode(), uid.DeflatedExplicitVRLittleEndian.encode()
    start = head.index(b"\x08\x00\x16\x00")
    meta = head[:start].replace(syntax + b"\0", other)
    meta = meta.replace(struct.pack("<H", len(syntax) + 1) + other, struct.pack("<H", len(other)) + other)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return meta + b"".join(packer.compress(bytes(1 << 24)) for _ in range(16)) + packer.flush()


def test_bombs_cost_neither_memory_nor_time() -> None:
    run = b"\x81\0" * 500_000  # 64 MB of one plane
    segment = struct.pack("<16I", 1, 64, *[0] * 14) + run
    small = jpeg_ls.encode_array(GREY)
    at = small.index(b"\xff\xf7")
    huge_ls = small[: at + 5] + struct.pack(">HH", 60_000, 60_000) + small[at + 9 :]
    stream = j2k(GREY)
    huge_j2k = stream[:8] + struct.pack(">II", 60_000, 60_000) + stream[16:]
    bombs = [
        deflated_bomb(),
        dicom(GREY, syntax=uid.RLELossless, streams=[segment]),
        dicom(GREY, syntax=uid.JPEGLSLossless, streams=[huge_ls]),
        dicom(GREY, syntax=uid.JPEG2000Lossless, streams=[huge_j2k]),
        dicom(GREY, syntax=uid.JPEGBaseline8Bit, streams=[resized_jpeg(jpeg(GREY), width=19_000, height=7_000)]),
    ]
    tracemalloc.start()
    began = time.process_time()
    for bomb in bombs:
        assert refusal(bomb).code in {"corrupt", "unsupported_format"}
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 60_000_000
    assert time.process_time() - began < 5


def test_sequences_that_never_end_are_refused() -> None:
    inner = item(CodeValue="x")
    for _depth in range(40):
        inner = item(FrameAnatomySequence=[inner])
    assert take_in(dicom(SharedFunctionalGroupsSequence=[inner])).stated.side == ""
    opened = b"\x00\x52\x29\x92SQ\0\0\xff\xff\xff\xff" + b"\xfe\xff\x00\xe0\xff\xff\xff\xff"
    data = dicom(GREY)
    at = data.index(b"\xe0\x7f\x10\x00")
    assert refusal(data[:at] + opened * 5000 + data[at:]).code in {"corrupt", "unsupported_format"}


def test_a_refusal_never_quotes_the_file(caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder) -> None:
    planted = dataset(GREY)
    for keyword in ("PatientName", "PatientID", "InstitutionName", "StudyDescription"):
        setattr(planted, keyword, NAME)
    planted.PatientBirthDate = "19701224"
    whole = written(planted)
    broken = [
        whole[:-300],
        whole.replace(b"RGB ", NAME[:4].encode()).replace(b"MONOCHROME2", NAME[:11].encode()),
        written(dataset(GREY, kind="1.2.3", PatientName=NAME)),
        whole.replace(b"\x28\x00\x10\x00US\x02\x00", b"\x28\x00\x10\x00LO\x02\x00"),
    ]
    for data in broken:
        refused = refusal(data)
        assert "Muster" not in str(refused)
        assert "Muster" not in repr(refused.params)
    assert "Muster" not in caplog.text
    assert not any("Muster" in str(warning.message) for warning in recwarn)


WHOLE = [
    dicom(GREY[:9, :11], ImageLaterality="R", PixelSpacing=[0.01, 0.01], Manufacturer="Canon"),
    dicom(np.stack([grey16()[:5, :6]] * 2), frames=2, kind=TOMOGRAPHY),
    rle_dicom(scene(9, 11)),
    *(dicom(GREY, syntax=syntax, streams=[stream]) for syntax, stream in STREAMS.values()),
]


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_damaged_files_raise_nothing_but_bad_picture(data: st.DataObject) -> None:
    damaged = bytearray(data.draw(st.sampled_from(WHOLE)))
    flips = st.tuples(st.integers(128, len(damaged) - 1), st.integers(0, 255))
    for at, value in data.draw(st.lists(flips, max_size=6)):
        damaged[at] = value
    cut = data.draw(st.one_of(st.just(len(damaged)), st.integers(0, len(damaged))))
    try:
        intake = take_in(bytes(damaged[:cut]))
    except BadPicture:
        return
    assert pixels_of(intake.served).shape[:2] == (intake.height, intake.width)
