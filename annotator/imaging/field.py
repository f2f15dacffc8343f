"""How much of a fundus photograph is the field of view: what the camera saw, without the dark around it."""

import cv2
import numpy as np

from annotator.imaging.brightness import Grey

DARK_SHARE = 0.1  # of nearly the brightest pixel: darker ones are the surround, with the noise of its compression
NEARLY_ALL = 99  # per cent: a few glaring pixels do not decide


def field_share(grey: Grey) -> float:
    """Pixels of the field of view / pixels of the picture, 0 … 1; 0 where nothing is seen.

    Outside is what is dark and reaches the picture's edge through the dark; so a dark macula or vessel lies within. The
    largest 8-connected part of the rest is the field, so bright specks of the surround do not count.
    """
    if grey.ndim != 2 or grey.size == 0:
        raise ValueError(f"grey has shape {grey.shape}, expected height × width")
    bright = np.percentile(grey, NEARLY_ALL)
    if bright <= 0:
        return 0.0
    dark = np.pad((grey <= DARK_SHARE * bright).astype(np.uint8), 1, constant_values=1)
    _count, parts = cv2.connectedComponents(dark, connectivity=4)
    inside = ((parts != parts[0, 0]) | (dark == 0)).astype(np.uint8)
    _count, _parts, sizes, _middles = cv2.connectedComponentsWithStats(inside, connectivity=8)
    return float(sizes[1:, cv2.CC_STAT_AREA].max(initial=0) / grey.size)
