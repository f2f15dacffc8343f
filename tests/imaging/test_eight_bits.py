"""16-bit pictures on pages that only look at them."""

import io

import numpy as np
from PIL import Image

from annotator.imaging.eight_bits import in_eight_bits, is_deep
from tests.imaging.dicom_files import grey16
from tests.imaging.files import jpeg, pixels_of, png, scene


def test_only_16_bits_are_written_anew() -> None:
    assert is_deep(png(grey16()))
    assert not any(is_deep(data) for data in (png(), png(scene(channels=1)), jpeg(), b""))


def test_the_samples_in_use_are_spread_from_black_to_white() -> None:
    slope = np.tile(np.arange(1000, 3000, dtype=np.uint16), (10, 1))  # of 65536: nearly black as it is
    shown = pixels_of(in_eight_bits(png(slope)))
    assert shown.dtype == np.uint8
    # NumPy's nearest rank is the witness for where black and white begin.
    low, high = np.percentile(slope, (0.5, 99.5), method="inverted_cdf")
    expected = np.clip((slope.astype(float) - low) / (high - low), 0, 1) * 255
    assert np.abs(shown - expected).max() <= 0.5
    assert (shown[0, 0], shown[0, -1]) == (0, 255)


def test_a_picture_of_one_shade_can_be_shown() -> None:
    with Image.open(io.BytesIO(in_eight_bits(png(np.full((4, 5), 700, np.uint16))))) as shown:
        assert shown.size == (5, 4)
