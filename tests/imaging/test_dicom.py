"""DICOM files that are taken in: pixels held against pydicom and Pillow, and what is kept of the rest."""

import io
from pathlib import Path
from typing import Any

import jpeg_ls
import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray
from PIL import Image
from pydicom import uid
from pydicom.data import get_testdata_file

from annotator.imaging.decoded import Stated
from annotator.imaging.intake import Intake, take_in
from tests.imaging.dicom_files import OPHTHALMIC_16, TOMOGRAPHY, dataset, dicom, grey16, item, rle_dicom, written
from tests.imaging.files import jpeg, pixels_of, profile, scene

GREY = scene(channels=1)[:, :, 0]


def shown(intake: Intake) -> NDArray[Any]:
    return pixels_of(intake.served)


def j2k(pixels: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG2000", irreversible=False, no_jp2=True)
    return file.getvalue()


EXACT: dict[str, tuple[bytes, NDArray[Any]]] = {
    "colour": (dicom(scene()), scene()),
    "an odd number of bytes": (dicom(scene(3, 5)), scene(3, 5)),
    "grey": (dicom(GREY), GREY),
    "16 bits": (dicom(grey16(), kind=OPHTHALMIC_16), grey16()),
    "12 bits in 16": (dicom(grey16(12), kind=OPHTHALMIC_16, stored=12), grey16(12)),
    "8 bits in 16": (dicom(GREY.astype(np.uint16), kind=OPHTHALMIC_16, stored=8), GREY),
    "implicit": (dicom(grey16(), syntax=uid.ImplicitVRLittleEndian), grey16()),
    "planes": (dicom(scene(), PixelData=scene().transpose(2, 0, 1).tobytes(), PlanarConfiguration=1), scene()),
    "white is zero": (dicom(GREY, PhotometricInterpretation="MONOCHROME1"), 255 - GREY),
    "white is zero in 12 bits": (
        dicom(grey16(12), stored=12, PhotometricInterpretation="MONOCHROME1"),
        4095 - grey16(12),
    ),
    "signed": (dicom((grey16().astype(np.int32) - 32_768).astype(np.int16)), grey16()),
    "RLE": (rle_dicom(scene()), scene()),
    "RLE in 16 bits": (rle_dicom(grey16()), grey16()),
    "JPEG-LS": (dicom(GREY, syntax=uid.JPEGLSLossless, streams=[jpeg_ls.encode_array(GREY)]), GREY),
    "JPEG-LS in 16 bits": (
        dicom(grey16(), syntax=uid.JPEGLSLossless, streams=[jpeg_ls.encode_array(grey16())]),
        grey16(),
    ),
    "JPEG 2000": (
        dicom(
            scene(64, 64),
            syntax=uid.JPEG2000Lossless,
            streams=[j2k(scene(64, 64))],
            PhotometricInterpretation="YBR_RCT",
        ),
        scene(64, 64),
    ),
    "JPEG 2000 in 16 bits": (dicom(grey16(), syntax=uid.JPEG2000Lossless, streams=[j2k(grey16())]), grey16()),
}


@pytest.mark.parametrize("kind", EXACT)
def test_the_stored_samples_are_kept(kind: str) -> None:
    data, expected = EXACT[kind]
    intake = take_in(data)
    np.testing.assert_array_equal(shown(intake), expected)
    assert (intake.format, intake.served_type) == ("dicom", "image/png")
    assert (intake.width, intake.height) == (expected.shape[1], expected.shape[0])
    assert intake.bits == 8 * expected.dtype.itemsize


@pytest.mark.parametrize("subsampling", [0, 1, 2])
def test_a_jpeg_inside_is_decoded_once_as_pillow_does(subsampling: int) -> None:
    stream = jpeg(scene(64, 64), subsampling=subsampling)
    ybr = "YBR_FULL_422"
    data = dicom(scene(64, 64), syntax=uid.JPEGBaseline8Bit, streams=[stream], PhotometricInterpretation=ybr)
    difference = shown(take_in(data)).astype(int) - pixels_of(stream)
    assert np.abs(difference).max() <= 2  # the standard's matrix beside libjpeg's, both rounded


def test_bits_above_those_stored_are_not_shown() -> None:
    """Old files hide a drawing there, an overlay."""
    drawn = grey16(12) | np.uint16(0x8000)
    np.testing.assert_array_equal(shown(take_in(dicom(drawn, stored=12))), grey16(12))


def test_neither_rescaling_nor_a_window_changes_the_samples() -> None:
    data = dicom(grey16(12), stored=12, RescaleSlope=2, RescaleIntercept=-1000, WindowCenter=100, WindowWidth=50)
    np.testing.assert_array_equal(shown(take_in(data)), grey16(12))


def test_each_frame_is_a_picture() -> None:
    stack = np.stack([grey16(seed=seed) for seed in (1, 2, 3)])
    intake = take_in(dicom(stack, frames=3, kind=TOMOGRAPHY))
    found = [intake.served, *(shown.served for shown in intake.further)]
    assert len(found) == 3
    for picture, expected in zip(found, stack, strict=True):
        np.testing.assert_array_equal(pixels_of(picture), expected)


def test_frames_may_be_packed_one_by_one() -> None:
    stack = [GREY, 255 - GREY]
    streams = [jpeg_ls.encode_array(frame) for frame in stack]
    intake = take_in(dicom(np.stack(stack), frames=2, syntax=uid.JPEGLSLossless, streams=streams))
    np.testing.assert_array_equal(pixels_of(intake.further[0].served), 255 - GREY)


def test_a_palette_is_written_out() -> None:
    colours = np.random.default_rng(1).integers(0, 256, (256, 3), dtype=np.uint8)
    tables: Any = {
        f"{name}PaletteColorLookupTable{part}": value
        for place, name in enumerate(("Red", "Green", "Blue"))
        for part, value in (("Descriptor", [256, 0, 8]), ("Data", colours[:, place].tobytes()))
    }
    intake = take_in(dicom(GREY, PhotometricInterpretation="PALETTE COLOR", **tables))
    np.testing.assert_array_equal(shown(intake), colours[GREY])


def test_the_colour_profile_stays() -> None:
    with Image.open(io.BytesIO(take_in(dicom(ICCProfile=profile())).served)) as served:
        assert served.info["icc_profile"] == profile()


def test_a_file_that_could_also_be_a_tiff_is_read_as_dicom() -> None:
    data = dicom()
    assert take_in(b"II*\0" + data[4:]).format == "dicom"


# pydicom's own files, called what is taken; others know what is in them.
WITNESSES = [
    "CT_small.dcm", "MR_small_RLE.dcm", "MR_small_bigendian.dcm", "MR_small_expb.dcm", "MR_small_jp2klossless.dcm",
    "MR_small_jpeg_ls_lossless.dcm", "693_J2KI.dcm", "J2K_pixelrep_mismatch.dcm", "JPEGLSNearLossless_08.dcm",
    "JPEGLSNearLossless_16.dcm", "SC_rgb_jls_lossy_line.dcm", "SC_rgb_jls_lossy_sample.dcm", "SC_rgb_gdcm_KY.dcm",
    "SC_jpeg_no_color_transform.dcm", "SC_jpeg_no_color_transform_2.dcm", "SC_rgb_dcmtk_+eb+cr.dcm",
    "SC_rgb_dcmtk_+eb+cy+n1.dcm", "SC_rgb_dcmtk_+eb+cy+s4.dcm", "SC_rgb_jpeg_dcmtk.dcm", "SC_rgb_rle_2frame.dcm",
    "SC_rgb_small_odd.dcm", "SC_rgb_small_odd_big_endian.dcm", "SC_ybr_full_422_uncompressed.dcm",
    "examples_jpeg2k.dcm", "examples_overlay.dcm", "examples_rgb_color.dcm", "examples_ybr_color.dcm",
]  # fmt: skip


@pytest.mark.parametrize("name", WITNESSES)
def test_files_of_other_makers_have_the_pixels_that_pydicom_reads(name: str) -> None:
    path = get_testdata_file(name, download=False)
    assert path is not None
    made = pydicom.dcmread(Path(str(path)))
    made.SOPClassUID, made.Modality = TOMOGRAPHY, "OPT"
    file = io.BytesIO()
    made.save_as(file)
    expected = pydicom.dcmread(io.BytesIO(file.getvalue())).pixel_array
    intake = take_in(file.getvalue())
    first = (expected[0] if intake.further else expected).astype(np.int64)
    if made.PixelRepresentation == 1:
        first += 1 << (made.BitsStored - 1)
    np.testing.assert_array_equal(shown(intake), first)


def test_side_spacing_and_device_are_kept() -> None:
    said: Any = {"Manufacturer": "Topcon", "ManufacturerModelName": "TRC-NW8", "PixelSpacing": [0.006, 0.005]}
    assert take_in(dicom(ImageLaterality="R", **said)).stated == Stated("R", "Topcon TRC-NW8", 5.0, 6.0)


@pytest.mark.parametrize(
    ("elements", "side"),
    [
        ({"Laterality": "L"}, "L"),
        ({"ImageLaterality": "R", "Laterality": "L"}, "R"),
        ({"ImageLaterality": "B"}, ""),
        ({"ImageLaterality": ""}, ""),
        ({"SharedFunctionalGroupsSequence": [item(FrameAnatomySequence=[item(FrameLaterality="L")])]}, "L"),
        (
            {
                "PerFrameFunctionalGroupsSequence": [
                    item(FrameAnatomySequence=[item(FrameLaterality="L")]),
                    item(FrameAnatomySequence=[item(FrameLaterality="R")]),
                ]
            },
            "",
        ),
    ],
)
def test_the_side_is_read_where_files_say_it(elements: dict[str, Any], side: str) -> None:
    assert take_in(dicom(**elements)).stated.side == side


def test_tomography_says_its_spacing_for_all_frames() -> None:
    measures = item(PixelMeasuresSequence=[item(PixelSpacing=[0.002, 0.0078125])])
    stated = take_in(dicom(grey16(), kind=TOMOGRAPHY, SharedFunctionalGroupsSequence=[measures])).stated
    assert (stated.um_per_px_x, stated.um_per_px_y) == (7.8125, 2.0)


@pytest.mark.parametrize("spacing", [[0, 0], [1e9, 1e9], [-1, 1], [0.005]])
def test_a_spacing_that_cannot_be_is_not_known(spacing: list[float]) -> None:
    stated = take_in(dicom(PixelSpacing=spacing)).stated
    assert (stated.um_per_px_x, stated.um_per_px_y) == (None, None)


@pytest.mark.parametrize(
    ("maker", "model", "device"),
    [
        ("Canon", "Canon CR-2", "Canon CR-2"),
        ("", "CR-2", "CR-2"),
        ("Carl  Zeiss", "Visucam\n500", "Carl Zeiss Visucam 500"),
        ("=1+1", "", ""),  # would run in a spreadsheet
        ("M" * 64, "N" * 64, "M" * 64 + " " + "N" * 55),
    ],
)
def test_the_device_is_maker_and_model_in_plain_text(maker: str, model: str, device: str) -> None:
    made = dataset(Manufacturer=maker)
    made.ManufacturerModelName = model
    assert take_in(written(made)).stated.device == device
