"""Pictures of few values, as runs."""

import numpy as np
import pytest

from annotator.geometry.runs import decode, encode
from annotator.geometry.value_runs import value_runs


def test_a_structure_is_read_off_the_runs_of_its_values() -> None:
    runs = value_runs(np.array([[9, 0, 0, 5], [5, 5, 0, 9]], dtype=np.uint8))

    assert runs.starts.tolist() == [0, 1, 3, 6, 7]
    assert runs.values.tolist() == [9, 0, 5, 0, 9]
    assert decode(runs.toggles(runs.values < 9), 4, 2).tolist() == [
        [False, True, True, True],
        [True, True, True, False],
    ]


def test_runs_give_what_the_pixels_give() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        samples = rng.integers(0, 3, rng.integers(1, 9, 2)).astype(np.uint8)
        runs = value_runs(samples)
        for value in range(3):
            assert runs.toggles(runs.values == value).tolist() == encode(samples == value).tolist()


def test_a_picture_without_pixels_is_no_picture() -> None:
    with pytest.raises(ValueError, match="shape"):
        value_runs(np.zeros((0, 4), dtype=np.uint8))
