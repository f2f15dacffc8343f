"""Traced surfaces against the surfaces by which the pictures were constructed."""

import functools
import itertools
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
import skimage
from numpy.typing import NDArray

from annotator.geometry.opening import AT_UM, Scale, opening_distance_mm
from annotator.imaging.synthetic.asoct import AsOctPicture, draw_asoct
from annotator.imaging.synthetic.chamber import Angle, AsOctTruth
from annotator.imaging.tracing.angle import TracedAngle, trace_angle
from annotator.imaging.tracing.untraceable import Reason, UntraceableError

Grey = NDArray[np.uint8] | NDArray[np.uint16]
Points = NDArray[np.float64]
NEEDED_UM = AT_UM + 100.0  # the cornea's direction is taken over 100 µm on both sides of where the distance is


@functools.cache
def scan(seed: int, left_closed: bool = False, right_closed: bool = False, width: int = 2130) -> AsOctPicture:
    height = round(998 * width / 2130)
    return draw_asoct(seed, left_closed=left_closed, right_closed=right_closed, width=width, height=height)


def traced(picture: AsOctPicture, angle: Angle, grey: Grey | None = None) -> TracedAngle:
    return trace_angle(picture.image if grey is None else grey, angle.spur, towards_x=picture.truth.width / 2)


def from_spur_um(truth: AsOctTruth, angle: Angle, points: Points) -> Points:
    """Along the corneal circle, towards its apex."""
    centre = np.array(truth.cornea_centre)
    turn, spur = (np.arctan2(*(some - centre).T[::-1]) for some in (points, np.array([angle.spur])))
    return np.asarray((turn - spur) * (1 if angle.side == "left" else -1) * truth.cornea_radius_px * truth.um_per_px)


def every_half_pixel(line: Sequence[tuple[float, float]]) -> Points:
    between = [np.linspace(a, b, math.ceil(2 * math.dist(a, b)) + 1) for a, b in itertools.pairwise(line)]
    return np.concatenate(between)


def off_line(points: Points, line: Points) -> Points:
    """Distance of each point from the nearest segment."""
    start, step = line[:-1], np.diff(line, axis=0)
    share = ((points[:, None] - start) * step).sum(axis=2) / np.maximum((step**2).sum(axis=1), 1e-12)
    feet = start + np.clip(share, 0, 1)[..., None] * step
    return np.asarray(np.hypot(*(points[:, None] - feet).transpose(2, 0, 1)).min(axis=1))


def worst_px(truth: AsOctTruth, angle: Angle, found: TracedAngle) -> tuple[float, float]:
    """The place furthest off, of cornea and iris, from the spur to as far as the distance at 500 µm needs; vertices and
    what lies between them."""
    cornea, iris = every_half_pixel(found.cornea), every_half_pixel(found.iris)
    off_cornea = np.abs(np.hypot(*(cornea - truth.cornea_centre).T) - truth.cornea_radius_px)
    off_iris = off_line(iris, angle.anterior_iris)
    needed = [
        (at > -truth.um_per_px) & (at < NEEDED_UM)
        for at in (from_spur_um(truth, angle, cornea), from_spur_um(truth, angle, iris))
    ]
    return float(off_cornea[needed[0]].max()), float(off_iris[needed[1]].max())


def check(picture: AsOctPicture, grey: Grey | None = None) -> None:
    truth = picture.truth
    scale = Scale(truth.um_per_px, truth.um_per_px)
    for angle in (truth.left, truth.right):
        found = traced(picture, angle, grey)
        assert max(worst_px(truth, angle, found)) < 1
        opening = opening_distance_mm(angle.spur, found.cornea, found.iris, towards_x=truth.width / 2, scale=scale)
        assert opening is not None
        # A pixel for each of the two surfaces.
        assert opening * 1000 == pytest.approx(angle.aod500_um, abs=2 * truth.um_per_px)


@pytest.mark.parametrize(
    ("seed", "left_closed", "right_closed"),
    [(1, False, False), (2, True, False), (3, False, True), (4, True, True), (22, True, False)],
)
def test_both_surfaces_are_found_within_one_pixel(seed: int, left_closed: bool, right_closed: bool) -> None:
    check(scan(seed, left_closed, right_closed))


NOISES: dict[str, Callable[[Grey, np.random.Generator], Grey]] = {
    "gaussian 10": lambda grey, rng: np.clip(grey + rng.normal(0, 10, grey.shape), 0, 255).astype(np.uint8),
    "gaussian 40": lambda grey, rng: np.clip(grey + rng.normal(0, 40, grey.shape), 0, 255).astype(np.uint8),
    "speckle": lambda grey, rng: np.clip(grey * rng.gamma(4, 1 / 4, grey.shape), 0, 255).astype(np.uint8),
    "dim": lambda grey, _rng: (grey * 0.3).astype(np.uint8),
    "sixteen bits": lambda grey, _rng: grey.astype(np.uint16) * 200,
    "jpeg": lambda grey, _rng: np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 70])[1], cv2.IMREAD_GRAYSCALE),
        dtype=np.uint8,
    ),
}


@pytest.mark.parametrize("noise", NOISES)
def test_noise_and_gain_do_not_lead_it_astray(noise: str) -> None:
    picture = scan(2, True, False)
    check(picture, NOISES[noise](picture.image, np.random.default_rng(5)))


@pytest.mark.parametrize("seed", range(8))
def test_a_scan_of_half_the_size_is_followed_as_well(seed: int) -> None:
    check(scan(seed, seed % 2 == 0, seed % 3 == 0, width=1065))


def test_in_a_closed_angle_iris_and_cornea_are_one_line_as_far_as_they_touch() -> None:
    """The fourth scan's right iris lies on the cornea beyond 500 µm: it is not open there at all."""
    picture = scan(4, True, True)
    angle = picture.truth.right
    assert angle.aod500_um == 0
    found = traced(picture, angle)
    assert found.touches_px * picture.truth.um_per_px > AT_UM
    opening = opening_distance_mm(
        angle.spur, found.cornea, found.iris, towards_x=picture.truth.width / 2, scale=Scale(7.5, 7.5)
    )
    assert opening == pytest.approx(0, abs=1e-9)


def test_an_open_angle_touches_nowhere_and_its_lines_have_few_vertices() -> None:
    picture = scan(1)
    found = traced(picture, picture.truth.left)
    assert found.touches_px == 0
    assert 3 <= len(found.cornea) <= 25
    assert 3 <= len(found.iris) <= 25


def test_pixels_need_not_be_square() -> None:
    """Every row painted twice: surfaces are where they were, at twice the row."""
    picture = scan(3, False, True, width=1065)
    tall = np.repeat(picture.image, 2, axis=0)
    angle = picture.truth.left
    found = trace_angle(tall, (angle.spur[0], angle.spur[1] * 2), towards_x=1065 / 2, aspect=0.5)
    level = TracedAngle(
        tuple((x, y / 2) for x, y in found.cornea), tuple((x, y / 2) for x, y in found.iris), found.touches_px
    )
    assert max(worst_px(picture.truth, angle, level)) < 1


def test_a_spur_placed_beside_the_true_one_finds_the_same_surfaces() -> None:
    picture = scan(1)
    angle = picture.truth.left
    moved = trace_angle(picture.image, (angle.spur[0] + 12, angle.spur[1] - 4), towards_x=picture.truth.width / 2)
    assert max(worst_px(picture.truth, angle, moved)) < 1


def test_lines_end_where_the_picture_ends() -> None:
    """Cut off three columns behind the spur, where they would go on for twenty."""
    picture = scan(1, width=1065)
    x, y = picture.truth.left.spur
    cut = int(x) - 3
    found = trace_angle(picture.image[:, cut:], (x - cut, y), towards_x=1065 / 2 - cut)
    columns = [column for column, _row in (*found.cornea, *found.iris)]
    assert 0 <= min(columns) < 2
    shifted = [tuple((column + cut, row) for column, row in line) for line in (found.cornea, found.iris)]
    assert max(worst_px(picture.truth, picture.truth.left, TracedAngle(shifted[0], shifted[1], 0))) < 1


def refusal(grey: Grey, spur: tuple[float, float]) -> Reason:
    with pytest.raises(UntraceableError) as refused:
        trace_angle(grey, spur, towards_x=grey.shape[1] / 2)
    return refused.value.reason


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_blank_picture_is_refused(level: int) -> None:
    assert refusal(np.full((499, 1065), level, dtype=np.uint8), (150.0, 280.0)) is Reason.FLAT


@pytest.mark.parametrize("seed", range(3))
def test_noise_alone_is_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert refusal(rng.integers(0, 256, (499, 1065)).astype(np.uint8), (150.0, 280.0)) is Reason.FLAT


def test_a_tiny_picture_is_refused() -> None:
    assert refusal(scan(1, width=1065).image[:40, :60], (10.0, 10.0)) is Reason.SMALL


@pytest.mark.parametrize("spur", [(-1.0, -1.0), (5000.0, 100.0), (100.0, 499.0), (math.nan, 3.0), (530.0, 250.0)])
def test_a_spur_out_of_its_half_of_the_picture_is_refused(spur: tuple[float, float]) -> None:
    assert refusal(scan(1, width=1065).image, spur) is Reason.OUTSIDE


@pytest.mark.parametrize(("right", "down"), [(0, -75), (0, 75), (75, 0), (-75, 0)])
def test_a_spur_far_from_the_cornea_is_refused(right: float, down: float) -> None:
    picture = scan(1, width=1065)
    x, y = picture.truth.left.spur
    assert refusal(picture.image, (x + right, y + down)) in {Reason.SPUR, Reason.SURFACE, Reason.OUTSIDE}


def test_a_scan_upside_down_or_without_its_angle_is_refused() -> None:
    picture = scan(1, width=1065)
    x, y = picture.truth.left.spur
    assert refusal(picture.image[::-1], (x, 499 - y)) in {Reason.SURFACE, Reason.CHAMBER}
    assert refusal(picture.image[::-1, ::-1], (1065 - x, 499 - y)) in {Reason.SURFACE, Reason.CHAMBER}
    dark = picture.image.copy()
    dark[:, : int(x) + 60] = 0
    assert refusal(dark, (x, y)) in {Reason.SURFACE, Reason.CHAMBER}


@pytest.mark.parametrize("spur", [(300.0, 500.0), (500.0, 400.0), (1700.0, 500.0)])
def test_a_picture_of_something_else_is_refused(spur: tuple[float, float]) -> None:
    for other in (skimage.data.camera(), cv2.cvtColor(skimage.data.retina(), cv2.COLOR_RGB2GRAY)):
        refusal(np.asarray(cv2.resize(other, (2130, 998)), dtype=np.uint8), spur)


def test_what_is_no_grey_picture_is_an_error_of_its_own() -> None:
    with pytest.raises(ValueError, match="dimensions"):
        trace_angle(np.zeros((500, 1000, 3), dtype=np.uint8), (1.0, 1.0), towards_x=500)
    with pytest.raises(ValueError, match="aspect"):
        trace_angle(np.zeros((500, 1000), dtype=np.uint8), (1.0, 1.0), towards_x=500, aspect=0)
