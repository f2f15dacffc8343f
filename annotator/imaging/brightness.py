"""How bright each pixel of a picture is, for programs that look at it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.imaging.bad_picture import bad_picture

Grey = NDArray[np.uint8] | NDArray[np.uint16]


def brightness(data: bytes) -> Grey:
    """Of a picture as it is served, upright, H × W in its own depth; colours by their luma. BadPicture when it cannot
    be decoded."""
    if not data:
        raise bad_picture("empty")
    flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_ANYDEPTH | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        grey = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), flags)
    except cv2.error as error:
        raise bad_picture("corrupt", detail=str(error)) from None
    if grey is None:
        raise bad_picture("corrupt", detail="not a picture")
    return grey.astype(np.uint16, copy=False) if grey.dtype == np.uint16 else grey.astype(np.uint8, copy=False)
