"""How far two lines lie apart, worked by hand."""

import pytest

from annotator.geometry.polyline import apart_px

LEVEL = [(0.0, 0.0), (10.0, 0.0)]


def test_the_same_way_by_other_vertices_is_no_distance() -> None:
    assert apart_px(LEVEL, [(0.0, 0.0), (3.0, 0.0), (10.0, 0.0)]) == 0


def test_a_vertex_that_was_moved_counts_by_its_distance_from_the_other_line() -> None:
    assert apart_px(LEVEL, [(0.0, 0.0), (5.0, 2.0), (10.0, 0.0)]) == pytest.approx(2)
    assert apart_px([(0.0, 0.0), (5.0, 2.0), (10.0, 0.0)], LEVEL) == pytest.approx(2)


def test_a_line_that_ends_before_the_other_is_as_far_away_as_its_end() -> None:
    """From (10, 0) to the end (7, 4): 3, 4, 5."""
    assert apart_px(LEVEL, [(0.0, 0.0), (0.0, 4.0), (7.0, 4.0)]) == pytest.approx(5)


def test_a_single_point_is_no_line() -> None:
    with pytest.raises(ValueError, match="other"):
        apart_px(LEVEL, [(1.0, 2.0)])
