"""Masks as text, so that an eye can check them."""

import numpy as np
from numpy.typing import NDArray


def mask(*rows: str) -> NDArray[np.bool_]:
    """`#` is foreground, anything else background."""
    return np.array([[letter == "#" for letter in row] for row in rows])


def drawing(pixels: NDArray[np.bool_]) -> list[str]:
    return ["".join("#" if pixel else "." for pixel in row) for row in pixels]
