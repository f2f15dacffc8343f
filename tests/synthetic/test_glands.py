import numpy as np
import pytest
from scipy import ndimage

from annotator.imaging.synthetic.glands import GlandsPicture, draw_glands


def small(seed: int, *, malignant: bool = False) -> GlandsPicture:
    return draw_glands(seed, malignant=malignant, width=390, height=260)


@pytest.mark.parametrize("malignant", [False, True])
def test_every_gland_is_one_piece_and_numbered_without_gaps(malignant: bool) -> None:
    labels = small(1, malignant=malignant).truth.labels
    assert labels.dtype == np.int32
    assert sorted(np.unique(labels)) == list(range(labels.max() + 1))
    assert all(ndimage.label(labels == number)[1] == 1 for number in range(1, labels.max() + 1))


def test_malignant_glands_touch() -> None:
    labels = small(3, malignant=True).truth.labels
    beside = labels[:, :-1] != labels[:, 1:]
    touching = beside & (labels[:, :-1] > 0) & (labels[:, 1:] > 0)
    assert touching.any()


def test_the_same_seed_draws_the_same_bytes_and_another_does_not() -> None:
    first, second, other = (small(seed) for seed in (1, 1, 2))
    assert first.image.tobytes() == second.image.tobytes()
    assert np.array_equal(first.truth.labels, second.truth.labels)
    assert first.image.tobytes() != other.image.tobytes()


def test_a_section_has_the_size_of_the_challenge_by_default() -> None:
    picture = draw_glands(2)
    assert picture.image.shape == (522, 775, 3)
    assert picture.truth.labels.shape == (522, 775)
    assert picture.truth.count > 5


def test_the_rim_of_a_gland_is_darker_than_its_lumen() -> None:
    picture = small(5)
    inside = picture.truth.labels > 0
    depth = ndimage.distance_transform_edt(np.pad(inside, 1, mode="edge"))[1:-1, 1:-1]
    red = picture.image[..., 0].astype(float)
    assert red[inside & (depth > 2) & (depth < 8)].mean() < red[depth > 30].mean() - 40


def test_a_picture_too_small_for_glands_is_refused() -> None:
    with pytest.raises(ValueError, match="50×50"):
        draw_glands(1, width=50, height=50)
