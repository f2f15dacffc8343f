"""An ellipse as run-length toggles, without a picture of the image."""

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse, row_span
from annotator.geometry.runs import Toggles

Floats = NDArray[np.float64]
_NEAR = np.arange(-2, 3)  # columns beside a computed border in which the true one lies


def ellipse_toggles(ellipse: Ellipse, width: int, height: int) -> Toggles:
    """The same mask as `rasterise_ellipse`, row by row instead of pixel by pixel.

    A row of an ellipse is one run. Where it begins and ends follows from a quadratic equation; the pixels beside these
    places are then decided by the rule of `rasterise_ellipse` itself, so that rounding cannot make a difference.
    """
    if width < 1 or height < 1:
        raise ValueError(f"picture of {width}×{height} pixels has no pixel")
    top, bottom = row_span(ellipse, height)
    if top >= bottom:
        return np.zeros(0, dtype=np.int32)
    rows = np.arange(top, bottom)
    dy: Floats = (rows + 0.5 - ellipse.cy).astype(np.float64)
    columns = _columns_near_the_border(ellipse, dy)
    inside = _is_inside(ellipse, columns + 0.5 - ellipse.cx, dy[:, None])
    first = np.where(inside, columns, np.inf).min(axis=1)
    last = np.where(inside, columns, -np.inf).max(axis=1)
    seen = (first < width) & (last >= 0)  # of a row without any pixel the first column is infinite
    starts = rows[seen] * width + np.maximum(first[seen], 0)
    ends = rows[seen] * width + np.minimum(last[seen], width - 1) + 1
    return _joined(np.stack((starts, ends), axis=1).ravel().astype(np.int64), width * height)


def _columns_near_the_border(ellipse: Ellipse, dy: Floats) -> Floats:
    """A few columns around both crossings of each row, as whole numbers; around its nearest point if it has none."""
    cosine, sine = ellipse.direction
    a, b = ellipse.a, ellipse.b
    square = (cosine * b) ** 2 + (sine * a) ** 2
    middle = -dy * cosine * sine * (b**2 - a**2) / square
    rest = (middle**2 * square - dy**2 * ((sine * b) ** 2 + (cosine * a) ** 2) + (a * b) ** 2) / square
    half = np.sqrt(np.maximum(rest, 0.0))
    borders = np.stack((middle - half, middle + half), axis=1) + ellipse.cx - 0.5
    near: Floats = (np.round(borders)[:, :, None] + _NEAR).reshape(len(dy), -1)
    return near


def _is_inside(ellipse: Ellipse, dx: Floats, dy: Floats) -> NDArray[np.bool_]:
    """Word for word the rule of `rasterise_ellipse`."""
    cosine, sine = ellipse.direction
    a, b = ellipse.a, ellipse.b
    p = dx * cosine + dy * sine
    q = dy * cosine - dx * sine
    inside: NDArray[np.bool_] = (p * b) ** 2 + (q * a) ** 2 <= (a * b) ** 2
    return inside


def _joined(toggles: NDArray[np.int64], pixels: int) -> Toggles:
    """Where a run reaches the right border and the next row begins with one, the two are one run of the picture."""
    kept = toggles < pixels
    meet = np.flatnonzero(toggles[1:] == toggles[:-1])
    kept[meet] = kept[meet + 1] = False
    whole: Toggles = toggles[kept].astype(np.int32)
    return whole
