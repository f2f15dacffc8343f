import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.imaging.synthetic.asoct import draw_asoct
from annotator.imaging.synthetic.chamber import Angle, AsOctTruth, plan_asoct

FULL = (7.5, 2130, 998)


def plan(seed: int, left_closed: bool = False, right_closed: bool = False) -> AsOctTruth:
    return plan_asoct(seed, left_closed, right_closed, *FULL)[0]


def measured_aod_um(truth: AsOctTruth, angle: Angle) -> float:
    """AOD500 by walking: fine steps along the circle from the spur, then the perpendicular to the iris polyline."""
    centre, radius = np.array(truth.cornea_centre), truth.cornea_radius_px
    spur = np.array(angle.spur)
    start = math.atan2(spur[1] - centre[1], spur[0] - centre[0])
    apexward = 1 if angle.side == "left" else -1
    turn = start + apexward * np.linspace(0, 600 / truth.um_per_px / radius, 200_001)
    walk = centre + radius * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    travelled = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(walk, axis=0), axis=1)))) * truth.um_per_px
    here = np.array([np.interp(500.0, travelled, walk[:, axis]) for axis in (0, 1)])
    index = int(np.searchsorted(travelled, 500.0))
    tangent = walk[index + 1] - walk[index - 2]
    normal = np.array([-tangent[1], tangent[0]]) / np.linalg.norm(tangent)
    if normal @ (centre - here) < 0:
        normal = -normal
    return _ray_length(here, normal, angle.anterior_iris) * truth.um_per_px


def _ray_length(here: NDArray[np.float64], normal: NDArray[np.float64], line: NDArray[np.float64]) -> float:
    lengths = []
    for first, second in itertools.pairwise(line):
        matrix = np.stack((normal, first - second), axis=1)
        if abs(np.linalg.det(matrix)) < 1e-12:
            continue
        t, share = np.linalg.solve(matrix, first - here)
        if -1e-9 <= share <= 1 + 1e-9 and t > -1:
            lengths.append(float(t))
    return min(lengths)


@pytest.mark.parametrize("seed", range(6))
def test_the_stated_aod_of_an_open_angle_is_what_walking_measures(seed: int) -> None:
    truth = plan(seed)
    for angle in (truth.left, truth.right):
        assert measured_aod_um(truth, angle) == pytest.approx(angle.aod500_um, rel=1e-6)
        assert 100 < angle.aod500_um < 1000


@pytest.mark.parametrize("seed", range(6))
def test_a_closed_angle_opens_less_than_an_open_one(seed: int) -> None:
    truth = plan(seed, left_closed=True)
    assert truth.left.closed
    assert not truth.right.closed
    assert 0 <= truth.left.aod500_um < truth.right.aod500_um


def test_the_aod_is_zero_where_iris_and_cornea_still_touch() -> None:
    angles = [plan(seed, left_closed=True).left for seed in range(12)]
    assert any(angle.aod500_um == 0 for angle in angles)


@pytest.mark.parametrize("seed", range(4))
def test_both_spurs_lie_on_the_posterior_corneal_surface(seed: int) -> None:
    truth = plan(seed, right_closed=True)
    for angle in (truth.left, truth.right):
        centre_distance = math.dist(angle.spur, truth.cornea_centre)
        to_polyline = np.hypot(*(angle.posterior_cornea - angle.spur).T).min()
        assert centre_distance == pytest.approx(truth.cornea_radius_px, abs=1e-9)
        assert to_polyline < 2


@pytest.mark.parametrize("seed", range(4))
def test_cornea_and_iris_begin_together_at_the_recess(seed: int) -> None:
    truth = plan(seed, left_closed=True)
    for angle in (truth.left, truth.right):
        assert angle.posterior_cornea[0] == pytest.approx(angle.recess)
        assert angle.anterior_iris[0] == pytest.approx(angle.recess)


def test_a_closed_angle_has_its_iris_on_the_spur_and_an_open_one_does_not() -> None:
    truth = plan(3, left_closed=True)
    left = np.hypot(*(truth.left.anterior_iris - truth.left.spur).T).min()
    right = np.hypot(*(truth.right.anterior_iris - truth.right.spur).T).min()
    assert left < 2
    assert right > 5


@pytest.mark.parametrize("seed", range(12))
def test_spurs_and_surfaces_lie_inside_the_picture(seed: int) -> None:
    truth = plan(seed, right_closed=seed % 2 == 0)
    points = np.concatenate([truth.left.anterior_iris, truth.right.anterior_iris, truth.left.posterior_cornea])
    assert (points > 0).all()
    assert (points < (2130, 998)).all()
    assert truth.left.spur[0] < truth.width / 2 < truth.right.spur[0]


def test_the_same_seed_draws_the_same_bytes_and_another_does_not() -> None:
    first, second, other = (draw_asoct(seed, width=710, height=333) for seed in (1, 1, 2))
    assert first.image.tobytes() == second.image.tobytes()
    assert first.image.tobytes() != other.image.tobytes()
    assert first.image.shape == (333, 710)
    assert first.image.dtype == np.uint8


def test_the_cornea_is_brighter_than_the_chamber_behind_it() -> None:
    picture = draw_asoct(4, width=710, height=333)
    truth = picture.truth
    rows, columns = np.mgrid[:333, :710] + 0.5
    above = np.hypot(columns - truth.cornea_centre[0], rows - truth.cornea_centre[1]) - truth.cornea_radius_px
    middle = np.abs(columns - truth.cornea_centre[0]) < 150
    wall, chamber = middle & (above > 2) & (above < 20), middle & (above < -5) & (above > -40)
    assert picture.image[wall].mean() > 3 * picture.image[chamber].mean()


def test_a_smaller_picture_has_larger_pixels() -> None:
    assert draw_asoct(1, width=710, height=333).truth.um_per_px == pytest.approx(22.5)


@pytest.mark.parametrize("um_per_px", [0, -1, math.nan])
def test_an_impossible_pixel_size_is_refused(um_per_px: float) -> None:
    with pytest.raises(ValueError, match="um_per_px"):
        draw_asoct(1, um_per_px=um_per_px)
