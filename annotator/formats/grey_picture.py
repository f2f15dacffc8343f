"""Pictures whose samples are numbers, not colours: masks and label maps as PNG, BMP or TIFF.

Read as grey of 8 or 16 bits; a colour picture whose three channels are equal is grey. Written as PNG or BMP of 8 bits.
"""

import io
import warnings
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from annotator.formats.fault import Fault
from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.limits import MAX_BYTES, check_size

_FORMATS = ("PNG", "BMP", "TIFF")
Samples = NDArray[np.uint8] | NDArray[np.uint16]


def read_grey(data: bytes) -> Samples:
    """The samples, H × W, of 8 or 16 bits; BadPicture when the file is not one whole grey picture."""
    return decoded(data, grey)


def decoded(data: bytes, samples: Callable[[Image.Image], NDArray[Any]]) -> Samples:
    """What `samples` takes from the opened picture; BadPicture when the file is not one whole picture."""
    if not data:
        raise bad_picture("empty")
    if len(data) > MAX_BYTES:
        raise bad_picture("file_too_large", limit=MAX_BYTES)
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            warnings.simplefilter("ignore")  # the size is checked here, and a doubtful tag changes no sample
            check_size(*picture.size)
            if getattr(picture, "n_frames", 1) > 1:
                raise bad_picture("unsupported_format", kind="several pictures in one file")
            return _whole_numbers(samples(picture))
    except Fault:  # it has its own words, also where the samples are looked at by somebody else's rule
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError):
        raise bad_picture("not_a_mask") from None
    except (OSError, ValueError, SyntaxError, EOFError, ArithmeticError, LookupError) as error:
        raise bad_picture("corrupt", detail=str(error) or type(error).__name__) from None


def write_grey(samples: NDArray[np.uint8]) -> bytes:
    out = io.BytesIO()
    Image.fromarray(samples).save(out, format="PNG")
    return out.getvalue()


def write_bitmap(samples: NDArray[np.uint8]) -> bytes:
    """As BMP of 8 bits, without compression."""
    return cv2.imencode(".bmp", samples)[1].tobytes()


def grey(picture: Image.Image) -> NDArray[Any]:
    """One number for each pixel; BadPicture when its channels differ."""
    if picture.mode in ("P", "PA"):
        picture = picture.convert("RGBA" if "transparency" in picture.info or picture.mode == "PA" else "RGB")
    array: NDArray[Any] = np.asarray(picture)
    if array.dtype == np.bool_:
        array = array.astype(np.uint8) * 255
    if array.ndim == 3 and array.shape[2] in (2, 4):
        if (array[:, :, -1] != array[:, :, -1].max(initial=0)).any():
            raise bad_picture("not_grey")
        array = array[:, :, :-1]
    if array.ndim == 3:
        if (array != array[:, :, :1]).any():
            raise bad_picture("not_grey")
        array = array[:, :, 0]
    return array


def _whole_numbers(array: NDArray[Any]) -> Samples:
    if array.dtype == np.uint8:
        return array
    if not np.issubdtype(array.dtype, np.integer) or array.min(initial=0) < 0 or array.max(initial=0) > 0xFFFF:
        raise bad_picture("unsupported_format", kind=f"samples of kind {array.dtype}")
    return array.astype(np.uint16, copy=False)
