"""Where the parts of a chart stand."""

import pytest

from consensus import charts
from consensus.charts import Axis


@pytest.mark.parametrize(
    ("rough", "step"), [(0.9, 1), (1, 1), (1.2, 2), (2.1, 2.5), (3, 5), (7, 10), (0.021, 0.025), (130, 200)]
)
def test_steps_are_round_and_never_too_small(rough: float, step: float) -> None:
    assert charts.round_step(rough) == pytest.approx(step)


def test_ticks_are_round_numbers_inside_the_axis() -> None:
    ticks = Axis(-0.12, 0.31, 0, 430).ticks()

    assert [words for _at, words in ticks] == ["−0.1", "0.0", "0.1", "0.2", "0.3"]
    assert [at for at, _words in ticks] == pytest.approx([20, 120, 220, 320, 420])


def test_quarters_keep_their_last_digit() -> None:
    assert [words for _at, words in Axis(0, 1, 0, 1).ticks(4)] == ["0.00", "0.25", "0.50", "0.75", "1.00"]


def test_upwards_means_that_larger_values_stand_higher() -> None:
    axis = charts.upwards([0, 10])

    assert axis.at(10) < axis.at(0)


def test_an_axis_of_one_value_still_has_a_length() -> None:
    axis = charts.across([3.0])

    assert axis.low < 3 < axis.high


def test_the_bulls_eye_is_round_and_its_rings_are_named() -> None:
    x, y = charts.square(30)
    rings = charts.rings(30, y, x)

    assert abs(x.at(10) - x.at(0)) == pytest.approx(abs(y.at(10) - y.at(0)), abs=0.02)
    assert [ring.words for ring in rings] == ["10", "20", "30"]
    assert rings[1].radius == pytest.approx(2 * rings[0].radius, abs=0.02)
