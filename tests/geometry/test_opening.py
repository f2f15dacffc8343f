"""The angle opening distance against angles worked by hand."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from annotator.geometry.opening import Scale, opening_distance_mm
from annotator.imaging.synthetic.chamber import plan_asoct

FIXTURE = Path(__file__).parent.parent / "fixtures" / "opening.json"
SQUARE = Scale(10.0, 10.0)
SPUR = (100.0, 100.0)
CORNEA = [(100.0, 100.0), (300.0, 100.0)]  # runs to the right, 2000 µm


def iris_at(degrees: float, length: float = 200.0) -> list[tuple[float, float]]:
    turn = math.radians(degrees)
    return [SPUR, (100.0 + length * math.cos(turn), 100.0 + length * math.sin(turn))]


@pytest.mark.parametrize("degrees", [5.0, 30.0, 45.0, 60.0])
def test_an_angle_of_two_straight_lines_opens_by_its_tangent(degrees: float) -> None:
    found = opening_distance_mm(SPUR, CORNEA, iris_at(degrees), towards_x=1000, scale=SQUARE)
    assert found == pytest.approx(0.5 * math.tan(math.radians(degrees)))


@given(some.floats(5, 60), some.floats(0, 360), some.booleans(), some.booleans())
def test_it_does_not_matter_how_the_eye_lies_nor_from_which_end_the_lines_were_drawn(
    degrees: float, turn: float, cornea_back: bool, iris_back: bool
) -> None:
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def turned(x: float, y: float) -> tuple[float, float]:
        dx, dy = x - 100, y - 100
        return 100 + dx * cosine - dy * sine, 100 + dx * sine + dy * cosine

    cornea = [turned(*point) for point in CORNEA]
    iris = [turned(*point) for point in iris_at(degrees)]
    if abs(cornea[0][0] - cornea[1][0]) < 1:
        return  # upright: neither end is nearer to the middle
    middle = 1000 if cornea[1][0] > cornea[0][0] else -1000
    found = opening_distance_mm(
        SPUR,
        cornea[::-1] if cornea_back else cornea,
        iris[::-1] if iris_back else iris,
        towards_x=middle,
        scale=SQUARE,
    )
    assert found == pytest.approx(0.5 * math.tan(math.radians(degrees)), rel=1e-6)


def test_pixels_need_not_be_square() -> None:
    """20 µm wide and 10 µm high: 500 µm are 25 columns; the iris lies 30 rows, 300 µm, below."""
    flat = [(100.0, 130.0), (300.0, 130.0)]
    assert opening_distance_mm(SPUR, CORNEA, flat, towards_x=1000, scale=Scale(20.0, 10.0)) == pytest.approx(0.3)


def test_the_spur_need_not_lie_on_the_line() -> None:
    """Its nearest place does: 20 columns on, so the measure is taken at column 170 and not at 150."""
    iris = [(100.0, 100.0), (300.0, 300.0)]
    assert opening_distance_mm((120.0, 95.0), CORNEA, iris, towards_x=1000, scale=SQUARE) == pytest.approx(0.7)


def test_the_right_angle_is_measured_to_the_left() -> None:
    cornea, iris = [(300.0, 100.0), (100.0, 100.0)], [(300.0, 100.0), (100.0, 200.0)]
    assert opening_distance_mm((300.0, 100.0), cornea, iris, towards_x=0, scale=SQUARE) == pytest.approx(0.25)


def test_a_line_that_ends_too_soon_gives_no_distance() -> None:
    short = [(100.0, 100.0), (149.0, 100.0)]
    assert opening_distance_mm(SPUR, short, iris_at(30), towards_x=1000, scale=SQUARE) is None
    assert opening_distance_mm(SPUR, CORNEA, iris_at(30, length=20), towards_x=1000, scale=SQUARE) is None


def test_a_small_kink_where_it_is_measured_does_not_turn_the_perpendicular() -> None:
    kinked = [(100.0, 100.0), (149.5, 100.0), (150.0, 100.2), (150.5, 100.0), (300.0, 100.0)]
    found = opening_distance_mm(SPUR, kinked, iris_at(30), towards_x=1000, scale=SQUARE)
    assert found == pytest.approx(0.5 * math.tan(math.radians(30)), abs=0.004)


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_distance_with_which_a_chamber_was_constructed(seed: int) -> None:
    """The generator places the iris by the distance it wants; its lines know nothing of how that is measured."""
    truth, _chamber = plan_asoct(seed, seed % 2 == 0, seed % 3 == 0, 6.0, 2130, 998)
    for angle in (truth.left, truth.right):
        found = opening_distance_mm(
            angle.spur,
            [(float(x), float(y)) for x, y in angle.posterior_cornea],
            [(float(x), float(y)) for x, y in angle.anterior_iris],
            towards_x=truth.width / 2,
            scale=Scale(truth.um_per_px, truth.um_per_px),
        )
        assert found == pytest.approx(angle.aod500_um / 1000, abs=0.01)


@pytest.mark.parametrize("case", json.loads(FIXTURE.read_text(encoding="utf-8")), ids=lambda case: case["name"])
def test_the_angles_of_the_fixture_that_the_browser_reads_too(case: dict[str, Any]) -> None:
    found = opening_distance_mm(
        case["spur"],
        case["cornea"],
        case["iris"],
        towards_x=case["towards_x"],
        scale=Scale(case["x_um"], case["y_um"]),
    )
    assert found == (None if case["mm"] is None else pytest.approx(case["mm"], abs=1e-9))
