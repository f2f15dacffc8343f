"""Masks and label maps as pictures."""

import io

import numpy as np
import pytest
from PIL import Image

from annotator.formats.grey_picture import read_grey, write_grey
from annotator.imaging.bad_picture import BadPicture


def saved(picture: Image.Image, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    picture.save(out, format=kind)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF"])
def test_grey_is_read_from_every_format(kind: str) -> None:
    samples = np.array([[0, 1, 128], [255, 2, 3]], dtype=np.uint8)

    assert read_grey(saved(Image.fromarray(samples), kind)).tolist() == samples.tolist()


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_are_kept(kind: str) -> None:
    samples = np.array([[0, 300], [65535, 2]], dtype=np.uint16)

    assert read_grey(saved(Image.fromarray(samples), kind)).tolist() == samples.tolist()


def test_one_bit_and_equal_channels_and_a_grey_palette_are_grey() -> None:
    grey = Image.fromarray(np.array([[0, 255], [255, 0]], dtype=np.uint8))

    for mode in ("1", "RGB", "RGBA", "P"):
        assert read_grey(saved(grey.convert(mode))).tolist() == [[0, 255], [255, 0]]


def test_colours_and_real_transparency_are_refused() -> None:
    for picture in (Image.new("RGB", (2, 2), (1, 2, 3)), Image.fromarray(np.eye(4, dtype=np.uint8)[None].repeat(2, 0))):
        with pytest.raises(BadPicture, match="not grey"):
            read_grey(saved(picture))


def test_a_truncated_file_is_refused() -> None:
    whole = saved(Image.fromarray(np.random.default_rng(0).integers(0, 255, (50, 50), dtype=np.uint8)))

    with pytest.raises(BadPicture):
        read_grey(whole[: len(whole) // 2])


def test_a_bomb_is_refused_by_its_claimed_size() -> None:
    small = saved(Image.new("L", (1, 1)))
    bomb = small[:16] + (30_000).to_bytes(4, "big") * 2 + small[24:]

    with pytest.raises(BadPicture):
        read_grey(bomb)


def test_what_was_written_is_read_again() -> None:
    samples = np.array([[0, 255, 7]], dtype=np.uint8)

    assert read_grey(write_grey(samples)).tolist() == samples.tolist()
