"""NIfTI label maps, as nibabel reads them."""

import gzip

import nibabel
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from annotator.formats.nifti import label_file, write_nifti

LABELS = np.array([[0, 0, 1, 0], [0, 2, 2, 0], [3, 0, 0, 0]], np.uint8)


def read(content: bytes) -> nibabel.Nifti1Image:
    return nibabel.Nifti1Image.from_bytes(gzip.decompress(content))


def picture_of(image: nibabel.Nifti1Image) -> NDArray[np.uint16]:
    """As it lies on the photograph: rows downwards."""
    return np.asarray(image.dataobj)[:, :, 0].T


@st.composite
def label_maps(draw: st.DrawFn) -> NDArray[np.uint16]:
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    values = draw(st.lists(st.integers(0, 0xFFFF), min_size=width * height, max_size=width * height))
    return np.array(values, np.uint16).reshape(height, width)


@given(label_maps())
def test_sixteen_bits_come_back_to_the_last_pixel(labels: NDArray[np.uint16]) -> None:
    image = read(write_nifti(labels, mm_per_px=None, name="glands"))
    assert image.get_data_dtype() == np.uint16
    assert np.array_equal(picture_of(image), labels)


def test_a_picture_is_one_slice_and_eight_bits_stay_eight() -> None:
    image = read(write_nifti(LABELS, mm_per_px=None, name="disc"))
    assert (image.shape, image.get_data_dtype()) == ((4, 3, 1), np.uint8)
    assert np.array_equal(picture_of(image), LABELS)


def test_a_map_lies_where_itk_lays_a_plain_picture() -> None:
    """ITK's axes point left and back, nibabel's right and forward: x and y are negative there."""
    image = read(write_nifti(LABELS, mm_per_px=(0.01, 0.02), name="disc"))
    assert nibabel.aff2axcodes(image.affine) == ("L", "P", "S")
    expected = np.diag([-0.01, -0.02, 1, 1])
    for found, code in (image.header.get_sform(coded=True), image.header.get_qform(coded=True)):
        assert (int(code), found.tolist()) == (2, pytest.approx(expected, abs=1e-7))
    assert image.header.get_xyzt_units()[0] == "mm"


def test_a_scale_that_is_not_known_is_not_claimed() -> None:
    header = read(write_nifti(LABELS, mm_per_px=None, name="disc")).header
    assert header.get_zooms() == (1, 1, 1)
    assert header.get_xyzt_units()[0] == "unknown"


def test_the_header_says_that_these_are_labels_and_where_their_names_are() -> None:
    header = read(write_nifti(LABELS, mm_per_px=None, name="a-target-with-a-long-name")).header
    assert header.get_intent()[0] == "label"
    assert header["intent_name"].item() == b"a-target-with-a"
    assert header["aux_file"].item() == b"labels.txt"


def test_the_same_map_gives_the_same_bytes_and_no_time_is_in_them() -> None:
    one, two = (write_nifti(LABELS, mm_per_px=None, name="disc") for _ in range(2))
    assert one == two
    assert one[3:8] == bytes(5)  # no flags, no file name, no time


def test_names_of_labels_are_listed_as_itk_snap_lists_them() -> None:
    lines = label_file(["Optic disc", 'the "other"']).decode().splitlines()
    assert lines[0].startswith("#")
    assert lines[2].split(maxsplit=7) == ["1", "255", "51", "51", "1", "1", "1", '"Optic disc"']
    assert lines[3].endswith("\"the 'other'\"")
