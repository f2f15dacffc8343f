"""Which protocols may show cases mirrored, and that stored answers are turned as sent ones are."""

import pytest

from annotator.answers import Given, check_answer
from annotator.mirrored import may_be_mirrored, mirror_given, mirror_stored
from protocols import PUBLISHED
from protocols.names import Kind
from tests.workbench.desk import HEIGHT, WIDTH, marked


@pytest.mark.parametrize("protocol", ["refuge", "adam", "glas", "airogs"])
def test_where_no_question_is_about_a_side_cases_may_be_mirrored(protocol: str) -> None:
    assert may_be_mirrored(PUBLISHED[protocol])


def test_where_left_and_right_are_asked_for_they_may_not() -> None:
    assert not may_be_mirrored(PUBLISHED["age"])


def test_a_line_is_mirrored_as_sent_and_as_stored() -> None:
    target = next(one for one in PUBLISHED["age"].targets if one.kind is Kind.POLYLINE)
    given = Given(target.key, geometry={"points": [[1.0, 2.0], [3.5, 4.0]]})
    turned = check_answer(target, mirror_given(target.kind, given, WIDTH, HEIGHT), WIDTH, HEIGHT)
    stored = check_answer(target, given, WIDTH, HEIGHT)
    content = marked(stored.geometry)

    mirrored, runs = mirror_stored(target.kind, content, None, WIDTH, HEIGHT)

    assert turned.geometry == {"points": [[31.0, 2.0], [28.5, 4.0]]}
    assert (mirrored, runs) == (content | {"geometry": turned.geometry}, None)
