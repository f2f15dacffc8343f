"""The field of view of pictures whose field is known: drawn by hand, or by the generator."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.imaging.brightness import brightness
from annotator.imaging.field import field_share
from annotator.imaging.synthetic.fundus import draw_series
from annotator.imaging.thumbnail import thumbnail

Grey = NDArray[np.uint8]


def disc(radius: int = 40, size: int = 100) -> Grey:
    grey = np.zeros((size, size), np.uint8)
    cv2.circle(grey, (size // 2, size // 2), radius, 120, -1)
    return grey


def test_a_bright_disc_in_the_dark_is_the_field() -> None:
    grey = disc()
    assert field_share(grey) == np.count_nonzero(grey) / grey.size
    assert field_share(grey) == pytest.approx(np.pi * 40**2 / 100**2, rel=0.02)


def test_what_is_dark_within_the_field_belongs_to_it() -> None:
    grey = disc()
    whole = field_share(grey)
    grey[45:55, 45:55] = 0
    assert field_share(grey) == whole


def test_noise_and_bright_specks_around_the_field_do_not() -> None:
    grey = disc()
    whole = field_share(grey)
    grey[grey == 0] = 9
    grey[2:4, 2:4] = 255
    assert field_share(grey) == whole


def test_a_picture_that_is_all_field_is_covered_whole() -> None:
    assert field_share(np.full((20, 30), 80, np.uint8)) == 1.0


def test_a_black_picture_has_no_field() -> None:
    assert field_share(np.zeros((20, 30), np.uint8)) == 0.0


def test_sixteen_bits_are_measured_as_eight_are() -> None:
    assert field_share(disc().astype(np.uint16) * 256) == field_share(disc())


def test_a_picture_in_colour_is_refused() -> None:
    with pytest.raises(ValueError, match="grey has shape"):
        field_share(np.zeros((4, 4, 3), np.uint8))


@pytest.mark.parametrize("quality", ["good", "dark", "blurred"])
def test_a_drawn_fundus_and_its_small_picture_have_the_field_they_were_drawn_with(quality: str) -> None:
    (picture,) = draw_series(3, 600, 600, laterality="R", glaucoma=False, qualities=(quality,)).pictures
    true = picture.truth.field.mean()
    grey = cv2.cvtColor(picture.image, cv2.COLOR_RGB2GRAY).astype(np.uint8)
    assert field_share(grey) == pytest.approx(true, rel=0.01)
    assert field_share(brightness(thumbnail(picture.image))) == pytest.approx(true, rel=0.01)
