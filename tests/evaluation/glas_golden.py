"""Four small label images and what the organisers' MATLAB functions gave for them, run in Octave.

`published` holds the functions' F1, object Dice and object Hausdorff distance of each image. They know no adjusted Rand
index, and pool nothing: those values follow from the paper's formulas (`POOLED`, `MEAN`), to seven digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.uint16]
Box = tuple[int, int, int, int]
"""First row, end of rows, first column, end of columns."""

KEYS = ("f1", "object_dice", "object_hausdorff", "ari")


def boxes(*drawn: Box) -> Labels:
    """Rectangles on 40 × 50 pixels, labelled 1, 2, … in the order given."""
    image = np.zeros((40, 50), dtype=np.uint16)
    for label, (top, bottom, left, right) in enumerate(drawn, start=1):
        image[top:bottom, left:right] = label
    return image


@dataclass(frozen=True, eq=False)
class Golden:
    candidate: Labels
    found: tuple[int, int, int]
    """TP, FP, FN of the published edition: a true positive covers more than half."""
    f1: float
    object_dice: float
    object_hausdorff: float


REFERENCE = boxes((5, 15, 5, 15), (20, 35, 20, 40))
_SMALL, _LARGE = (6, 15, 6, 17), (22, 36, 18, 38)
GOLDEN: Mapping[str, Golden] = {
    "g1_plain": Golden(boxes(_SMALL, _LARGE), (2, 0, 0), 1.0, 0.808730224226, 2.61667546852),
    "g2_missed_gt": Golden(boxes(_SMALL), (1, 0, 1), 0.666666666667, 0.508793969849, 12.6798129906),
    "g3_extra_seg": Golden(boxes(_SMALL, _LARGE, (2, 6, 42, 47)), (2, 1, 0), 0.8, 0.788460288218, 3.46350551496),
    "g4_exact_half": Golden(boxes((20, 35, 20, 30), (5, 15, 5, 15)), (1, 1, 1), 0.5, 0.775, 6.75),
}
POOLED = dict(zip(KEYS, (0.875, 0.7178311, 6.4674995, 0.5930205), strict=True))
MEAN = dict(zip(KEYS, (0.7416667, 0.7202461, 6.3774985, 0.5801685), strict=True))
