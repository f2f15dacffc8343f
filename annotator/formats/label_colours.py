"""Colours for numbered labels, in files that can suggest some to a viewer."""

import colorsys

GOLDEN = 0.618034


def label_colour(number: int) -> tuple[int, int, int]:
    """Red, green and blue of label 1, 2, …; neighbours are far apart."""
    red, green, blue = colorsys.hsv_to_rgb((number - 1) * GOLDEN % 1, 0.8, 1)
    return round(255 * red), round(255 * green), round(255 * blue)
