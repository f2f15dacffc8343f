"""One area, or the objects, of a picture from elsewhere, where what is marked must not be guessed.

A mask has two values, 0 outside and one other (1, 255 or 65535 as a rule) inside; a picture of one bit is one. Of a
palette the indices count, if index 0 is the darkest of the colours in use: then both ways of reading it agree. Objects
are read as `label_picture` does, each number one object.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from annotator.formats.bad_mark import bad_mark
from annotator.formats.grey_picture import Samples, decoded, grey
from annotator.formats.label_picture import read_label_picture
from annotator.geometry.runs import Toggles
from annotator.geometry.value_runs import value_runs

FULL = frozenset({1, 255, 65535})
MOST_NAMED = 5
MOST_OBJECTS = 5000


def read_mask(data: bytes, *, dark: bool = False) -> tuple[Toggles, tuple[int, int]]:
    """The mask and its picture's size; a Fault when it is no binary mask. `dark`: the structure is the value 0."""
    samples = decoded(data, _indices_or_grey)
    runs = value_runs(samples)  # the pixels are looked at once, whatever is asked of them
    _refuse_other_values(samples, np.unique(runs.values))
    height, width = samples.shape
    return runs.toggles((runs.values == 0) if dark else (runs.values != 0)), (width, height)


def read_objects(data: bytes) -> tuple[tuple[Toggles, ...], tuple[int, int]]:
    """In the order of their numbers."""
    labels = read_label_picture(data)
    height, width = labels.shape
    runs = value_runs(labels)
    numbers = np.unique(runs.values)
    numbers = numbers[numbers > 0]
    if len(numbers) > MOST_OBJECTS:
        raise bad_mark("too_many_objects", count=len(numbers), limit=MOST_OBJECTS)
    if len(numbers) == 1 and int(numbers[0]) in FULL - {1}:
        parts = cv2.connectedComponents((labels > 0).astype(np.uint8))[0] - 1
        if parts > 1:
            raise bad_mark("unnumbered", value=int(numbers[0]), count=parts)
    return tuple(runs.toggles(runs.values == number) for number in numbers), (width, height)


def _refuse_other_values(samples: Samples, values: NDArray[Any]) -> None:
    high = int(values[-1])
    if len(values) == 1 and high not in {0, *FULL}:
        raise bad_mark("one_shade", value=high)
    if len(values) == 1 or (len(values) == 2 and values[0] == 0):
        return
    shown = [str(value) for value in values]
    if len(shown) > MOST_NAMED:
        shown = [*shown[: MOST_NAMED - 2], "…", shown[-1]]
    if len(values) == 2:
        raise bad_mark("no_background", values=", ".join(shown))
    between = int(np.count_nonzero((samples != 0) & (samples != high)))
    raise bad_mark("not_binary", count=len(values), values=", ".join(shown), pixels=between, high=high)


def _indices_or_grey(picture: Image.Image) -> NDArray[Any]:
    if picture.mode == "1":
        return np.asarray(picture).view(np.uint8)
    if picture.mode != "P":
        return grey(picture)
    indices: NDArray[np.uint8] = np.asarray(picture)
    used = np.flatnonzero(np.bincount(indices.ravel()))
    colours = np.asarray(picture.getpalette("RGB"), np.int64).reshape(-1, 3)
    if len(used) > 2 or used[-1] >= len(colours):
        raise bad_mark("palette")
    light = colours.sum(axis=1)
    others = [index for index in used if index]
    if any(light[index] <= light[0] for index in others):
        raise bad_mark("palette")
    marked: NDArray[np.uint8] = (indices != 0).astype(np.uint8)
    return marked
