"""An ellipse as run-length toggles, without a picture of the whole image."""

import numpy as np

from annotator.geometry.ellipse import Ellipse, rasterised_box
from annotator.geometry.runs import Toggles


def ellipse_toggles(ellipse: Ellipse, width: int, height: int) -> Toggles:
    """The same mask as `rasterise_ellipse`, at the cost of its bounding box."""
    if width < 1 or height < 1:
        raise ValueError(f"picture of {width}×{height} pixels has no pixel")
    rows, columns, inside = rasterised_box(ellipse, width, height)
    if not inside.any():
        return np.zeros(0, dtype=np.int32)
    edged = np.zeros((inside.shape[0], inside.shape[1] + 2), dtype=np.bool_)
    edged[:, 1:-1] = inside
    row, column = np.nonzero(edged[:, 1:] != edged[:, :-1])
    toggles = (row + rows.start) * width + column + columns.start
    # Where a run reaches the right border and the next row begins with one, the two are one run of the picture.
    kept = np.ones(len(toggles), dtype=np.bool_)
    joined = np.flatnonzero(toggles[1:] == toggles[:-1])
    kept[joined] = kept[joined + 1] = False
    kept &= toggles < width * height
    whole: Toggles = toggles[kept].astype(np.int32)
    return whole
