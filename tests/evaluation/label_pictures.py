"""Label images as text, so that an eye can check them, at random, and what official-style code makes of them."""

import math

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Labels = NDArray[np.uint16]


def labels(*rows: str) -> Labels:
    """Digits are labels, a dot is background."""
    return np.array([[0 if letter == "." else int(letter) for letter in row] for row in rows], dtype=np.uint16)


@st.composite
def pairs_of_labels(draw: st.DrawFn, largest: int = 14) -> tuple[Labels, Labels]:
    """Two label images of one size: rectangles over one another, holes, slits and single pixels."""
    height, width = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    return _scribble(draw, height, width), _scribble(draw, height, width)


def _scribble(draw: st.DrawFn, height: int, width: int) -> Labels:
    drawn = np.zeros((height, width), dtype=np.uint16)
    rectangle = st.tuples(*(st.integers(0, side - 1) for side in (height, height, width, width)), st.integers(0, 4))
    for top, bottom, left, right, label in draw(st.lists(rectangle, max_size=6)):
        drawn[top : bottom + 1, left : right + 1] = label
    return drawn


def every_distance(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.float64]:
    """From each pixel of one mask to each pixel of the other."""
    steps = np.argwhere(one)[:, np.newaxis] - np.argwhere(other)[np.newaxis]
    distances: NDArray[np.float64] = np.sqrt((steps**2).sum(axis=2))
    return distances


def set_hausdorff(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Eq. 8 of the paper as it stands: all pixels against all pixels."""
    distances = every_distance(one, other)
    return float(max(distances.min(axis=0).max(), distances.min(axis=1).max()))


def matched_label(own: NDArray[np.bool_], others: Labels) -> int:
    """The label that most pixels of the object carry on the other side, of equals the smallest; 0 without overlap."""
    shared = {int(label): int((others[own] == label).sum()) for label in np.unique(others[own]) if label}
    return min(shared, key=lambda label: (-shared[label], label)) if shared else 0


def hausdorff_of_objects(image: Labels, others: Labels) -> list[float]:
    """H of each object of `image`, in the order of the labels, one mask after another."""
    found = []
    for label in np.unique(image[image > 0]):
        own, partner = image == label, matched_label(image == label, others)
        candidates = [partner] if partner else np.unique(others[others > 0]).tolist()
        distances = [set_hausdorff(own, others == candidate) for candidate in candidates]
        found.append(min(distances, default=math.hypot(*image.shape)))
    return found
