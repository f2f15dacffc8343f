"""Label pictures: one positive integer for each object, 0 for the background, as PNG, BMP or TIFF of 8 or 16 bits.

The labels of a paletted picture are its indices, whatever colours they stand for. A colour picture is refused, also one
in shades of grey: whether two colours are one object cannot be told from it.
"""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from annotator.formats.grey_picture import decoded
from annotator.geometry.runs import Toggles, decode
from annotator.imaging.bad_picture import bad_picture

_ONE_NUMBER = ("1", "L", "P", "I", "F")


def read_label_picture(data: bytes) -> NDArray[np.uint16]:
    """The labels, H × W; BadPicture when the file is not one whole label picture."""
    return decoded(data, _labels).astype(np.uint16, copy=False)


def write_label_picture(labels: NDArray[np.uint16]) -> bytes:
    """As PNG, of 8 bits where they are enough."""
    out = io.BytesIO()
    Image.fromarray(labels.astype(np.uint8) if labels.max(initial=0) <= 0xFF else labels).save(out, format="PNG")
    return out.getvalue()


def label_picture_of(objects: Sequence[Toggles], width: int, height: int) -> NDArray[np.uint16]:
    """Objects numbered from 1 in their order; they do not overlap."""
    labels = np.zeros((height, width), np.uint16)
    for number, mask in enumerate(objects, start=1):
        labels[decode(mask, width, height)] = number
    return labels


def _labels(picture: Image.Image) -> NDArray[Any]:
    if picture.mode.partition(";")[0] not in _ONE_NUMBER:
        raise bad_picture("colour_labels")
    samples: NDArray[Any] = np.asarray(picture)
    return samples.astype(np.uint8) if samples.dtype == np.bool_ else samples
