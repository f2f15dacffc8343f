"""Label pictures: numbers of objects, not shades."""

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from annotator.formats.label_picture import read_label_picture
from annotator.imaging.bad_picture import BadPicture

LABELS = np.array([[0, 1, 2], [7, 200, 255]], dtype=np.uint8)


def saved(picture: Image.Image, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    picture.save(out, format=kind)
    return out.getvalue()


def paletted(labels: NDArray[np.uint8]) -> Image.Image:
    """Colours that have nothing to do with the labels, the background in the brightest."""
    picture = Image.fromarray(labels).convert("P")
    picture.putdata(labels.ravel().tolist())
    picture.putpalette([(255 - 37 * place) % 256 for place in range(768)])
    return picture


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF"])
def test_grey_levels_are_labels(kind: str) -> None:
    assert read_label_picture(saved(Image.fromarray(LABELS), kind)).tolist() == LABELS.tolist()


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF"])
def test_indices_of_a_palette_are_labels_whatever_the_colours(kind: str) -> None:
    assert read_label_picture(saved(paletted(LABELS), kind)).tolist() == LABELS.tolist()


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_are_kept(kind: str) -> None:
    labels = np.array([[0, 256], [65535, 3]], dtype=np.uint16)

    assert read_label_picture(saved(Image.fromarray(labels), kind)).tolist() == labels.tolist()


def test_one_bit_is_one_object() -> None:
    assert read_label_picture(saved(Image.fromarray(LABELS > 1))).tolist() == [[0, 0, 1], [1, 1, 1]]


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA"])
def test_colour_is_refused_also_in_shades_of_grey(mode: str) -> None:
    with pytest.raises(BadPicture, match="in colour"):
        read_label_picture(saved(Image.fromarray(LABELS).convert(mode)))


@pytest.mark.parametrize("labels", [np.array([[0.5]], dtype=np.float32), np.array([[70_000]], dtype=np.int32)])
def test_fractions_and_labels_beyond_sixteen_bits_are_refused(labels: NDArray[np.float32]) -> None:
    with pytest.raises(BadPicture, match="not supported"):
        read_label_picture(saved(Image.fromarray(labels), "TIFF"))


def test_another_kind_of_file_and_a_cut_one_are_refused() -> None:
    whole = saved(Image.fromarray(np.random.default_rng(0).integers(0, 255, (50, 50), dtype=np.uint8)))

    for data in (b"", b"not a picture", saved(Image.fromarray(LABELS), "JPEG"), whole[: len(whole) // 2]):
        with pytest.raises(BadPicture):
            read_label_picture(data)
