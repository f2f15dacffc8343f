"""Pictures of an archive as arrays."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from quorum_client.errors import Damaged


def decoded(content: bytes, path: str, width: int, height: int) -> NDArray[Any]:
    """Rows downwards: (height, width), or (height, width, 3) in colour; bool, 8 or 16 bits as the file has them."""
    try:
        with Image.open(io.BytesIO(content)) as picture:
            size = picture.size
            if size == (width, height):
                return np.asarray(picture.convert("RGB") if picture.mode in ("P", "CMYK", "YCbCr") else picture)
    except (OSError, ValueError, SyntaxError) as fault:
        raise Damaged(f"{path}: cannot be decoded: {fault}") from None
    raise Damaged(f"{path}: has {size[0]} × {size[1]} pixels, images.csv says {width} × {height}")
