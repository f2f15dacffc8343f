"""Brightness of served pictures, in their own depth."""

import cv2
import numpy as np
import pytest

from annotator.imaging.bad_picture import BadPicture
from annotator.imaging.brightness import brightness


def encoded(ending: str, pixels: np.ndarray) -> bytes:
    return cv2.imencode(ending, pixels)[1].tobytes()


@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_grey_samples_stay_as_they_are(depth: type) -> None:
    samples: np.ndarray = np.array([[0, 7, 250], [np.iinfo(depth).max, 9, 1]], dtype=depth)
    assert np.array_equal(brightness(encoded(".png", samples)), samples)


def test_colours_weigh_as_in_luma() -> None:
    """Rec. 601: 0.299 red, 0.587 green, 0.114 blue."""
    pixels = np.array([[(255, 0, 0), (0, 255, 0), (0, 0, 255)]], dtype=np.uint8)  # OpenCV writes blue first
    assert brightness(encoded(".png", pixels))[0].tolist() == pytest.approx([29, 150, 76], abs=1)


@pytest.mark.parametrize("data", [b"", b"not a picture"])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(BadPicture):
        brightness(data)
