"""Painted layers on the screen: seen where they were painted, at every zoom, and only while they are to be seen."""

from collections.abc import Callable, Sequence

import pytest

from annotator.models import Assignment, User
from tests.browser.painting_scene import Hand, view_of
from tests.browser.reading_scene import sit_down, study_with_cases
from tests.browser.visitor import Visitor
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
# How opaque the layers are at each place of the window: the second canvas of the stage, once it lies in its place.
OPAQUE = """(places) => {
    const canvas = document.querySelectorAll(".wb-stage canvas")[1];
    if (canvas.style.display === "none") return places.map(() => 0);
    if (canvas.style.transform !== "") return null;
    const box = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    return places.map(([x, y]) => {
        copy.clearRect(0, 0, 1, 1);
        copy.drawImage(canvas, -Math.floor(x - box.x), -Math.floor(y - box.y));
        return copy.getImageData(0, 0, 1, 1).data[3];
    });
}"""
IS_SEEN = f"""([inside, outside]) => {{
    const opaque = ({OPAQUE})([...inside, ...outside]);
    return opaque !== null && opaque.every((value, i) => (value > 0) === (i < inside.length));
}}"""
Places = Sequence[tuple[float, float]]


@pytest.fixture
def cases(organiser: User, graders: list[User]) -> list[Assignment]:
    return own_cases(study_with_cases("adam", organiser, graders[:1], 2), graders[0])


@pytest.fixture
def hand(cases: list[Assignment], visit: Visit, graders: list[User]) -> Hand:
    reader = sit_down(visit(graders[0]), cases[0])
    hand = Hand(reader, view_of(reader.page))
    reader.press("d", "]", "]", "]")
    return hand


def test_what_is_painted_is_seen_there_and_nowhere_else_at_every_zoom(hand: Hand) -> None:
    stroke = [hand.view.near(280, 230), hand.view.near(340, 250)]

    hand.stroke(stroke)
    _sees(hand, stroke, [hand.view.near(310, 290), hand.view.near(240, 230)])
    middle = _middle(hand)
    for factor in (1.25, 1.25**2, 1.25**3):
        hand.reader.press("+")
        inside = [_zoomed(place, middle, factor) for place in stroke]
        outside = [_zoomed(hand.view.near(x, y), middle, factor) for x, y in ((310, 290), (250, 230))]
        _sees(hand, inside, outside)


def test_a_layer_is_seen_no_more_when_it_is_hidden_taken_back_or_of_another_case(hand: Hand) -> None:
    place, page = hand.view.near(300, 240), hand.reader.page
    hand.stroke([place, hand.view.near(330, 240)])
    _sees(hand, [place], [])

    page.keyboard.down("h")
    _sees(hand, [], [place])
    page.keyboard.up("h")
    _sees(hand, [place], [])
    hand.reader.press("Control+z")
    _sees(hand, [], [place])
    hand.reader.press("Control+Shift+z")
    _sees(hand, [place], [])
    hand.reader.press("PageDown")
    hand.reader.is_at_case(2)
    _sees(hand, [], [place])


def test_a_stored_layer_is_seen_when_its_case_is_opened_again(
    hand: Hand, cases: list[Assignment], visit: Visit, graders: list[User]
) -> None:
    place = hand.view.near(300, 240)
    hand.stroke([place, hand.view.near(330, 240)])
    hand.reader.is_saved()

    again = sit_down(hand.reader.visitor, cases[0])

    _sees(Hand(again, hand.view), [place], [hand.view.near(300, 320)])


def _sees(hand: Hand, inside: Places, outside: Places) -> None:
    hand.reader.page.wait_for_function(IS_SEEN, arg=[inside, outside])


def _middle(hand: Hand) -> tuple[float, float]:
    box = hand.reader.page.locator(".wb-stage").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _zoomed(place: tuple[float, float], middle: tuple[float, float], factor: float) -> tuple[float, float]:
    return middle[0] + (place[0] - middle[0]) * factor, middle[1] + (place[1] - middle[1]) * factor
