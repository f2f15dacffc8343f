"""Reading on a tablet: one finger draws, two move and zoom, a pen draws alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Assignment, User
from tests.browser.hand import Hand, Place
from tests.browser.reading_scene import BOX, Reader, drafts, first_case, geometry, sit_down, study_with_cases
from tests.browser.visitor import TABLET, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    return first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])


@pytest.fixture
def reader(visit: Visit, graders: list[User], case: Assignment) -> Reader:
    visitor = visit(graders[0], has_touch=True)
    visitor.resize(TABLET)
    return sit_down(visitor, case)


@pytest.fixture
def hand(reader: Reader) -> Hand:
    return Hand(reader.page)


def _pixel(reader: Reader, at: Place) -> str:
    """The pixel under a place of the window, as the page names it; the mouse only looks."""
    reader.page.mouse.move(0, 0)
    expect(reader.page.locator(".wb-cursor")).to_have_text("")
    reader.page.mouse.move(*at)
    expect(reader.page.locator(".wb-cursor")).to_contain_text("x ")
    return str(reader.page.locator(".wb-cursor").text_content())


def _zoomed_in(reader: Reader) -> Place:
    """Well beyond the fitted size; returns the middle of the stage, on whole pixels of the screen."""
    reader.press("z", "+", "+", "+", "+", "+", "+")
    expect(reader.page.locator(".wb-zoom")).to_have_text("381%")
    x, y = reader.at(320, 240)
    return round(x), round(y)


def test_one_finger_draws(reader: Reader, hand: Hand, case: Assignment) -> None:
    hand.slide([reader.at(400, 150)], [reader.at(520, 290)])
    reader.is_saved()

    assert geometry(case, "disc") == pytest.approx({"cx": 460, "cy": 220, "a": 60, "b": 70, "theta_deg": 0}, abs=1)


def test_two_fingers_zoom_about_themselves_and_draw_nothing(reader: Reader, hand: Hand, case: Assignment) -> None:
    # Fingers 60 pixels of the picture apart go to where 240 were: four times as large, about their middle.
    start = [reader.at(290.5, 240.5), reader.at(350.5, 240.5)]
    end = [reader.at(200.5, 240.5), reader.at(440.5, 240.5)]

    hand.slide(start, end)

    assert [_pixel(reader, finger) for finger in end] == ["x 290  y 240", "x 350  y 240"]
    expect(reader.page.locator("[data-save=none]")).to_be_visible()
    assert drafts(case) == {}


def test_two_fingers_move_the_picture(reader: Reader, hand: Hand) -> None:
    middle = _zoomed_in(reader)
    fingers = [(middle[0] - 80, middle[1]), (middle[0] + 80, middle[1])]
    before = _pixel(reader, middle)

    hand.slide(fingers, [(x + 60, y + 30) for x, y in fingers])

    assert _pixel(reader, (middle[0] + 60, middle[1] + 30)) == before


def test_a_second_finger_turns_a_drawing_into_a_pinch(reader: Reader, hand: Hand, case: Assignment) -> None:
    hand.put(reader.at(400, 150))
    hand.move(reader.at(450, 200))
    hand.put(reader.at(450, 200), reader.at(500, 200))
    hand.move(reader.at(440, 200), reader.at(520, 200))
    hand.lift()

    reader.click(200, 240)  # the tool is ready again: one click begins a fit
    expect(reader.page.locator("[data-save=none]")).to_be_visible()
    assert drafts(case) == {}


def test_once_a_pen_was_seen_it_alone_draws_and_fingers_move_the_picture(
    reader: Reader, hand: Hand, case: Assignment
) -> None:
    hand.pen_drag(reader.at(400, 150), reader.at(520, 290))
    reader.is_saved()
    drawn = geometry(case, "disc")
    start = _zoomed_in(reader)
    before = _pixel(reader, start)

    hand.slide([start], [(start[0] + 50, start[1] + 20)])

    assert _pixel(reader, (start[0] + 50, start[1] + 20)) == before
    assert drawn == pytest.approx({"cx": 460, "cy": 220, "a": 60, "b": 70, "theta_deg": 0}, abs=1)
    assert geometry(case, "disc") == drawn
    expect(reader.page.get_by_role("button", name="Undo: Draw the ellipse")).to_be_visible()


def test_a_palm_on_the_glass_while_the_pen_draws_does_nothing(reader: Reader, hand: Hand, case: Assignment) -> None:
    start, middle, end = reader.at(400, 150), reader.at(460, 220), reader.at(520, 290)
    hand.put(reader.at(500, 400))  # the palm comes down first
    hand.pen("mouseMoved", start, pressed=False)
    hand.pen("mousePressed", start, pressed=True)
    hand.move(reader.at(480, 380))
    hand.pen("mouseMoved", middle, pressed=True)
    hand.put(reader.at(480, 380), reader.at(560, 420))
    hand.move(reader.at(470, 380), reader.at(590, 420))
    hand.pen("mouseMoved", end, pressed=True)
    hand.pen("mouseReleased", end, pressed=False)
    hand.lift()
    reader.is_saved()

    assert geometry(case, "disc") == pytest.approx({"cx": 460, "cy": 220, "a": 60, "b": 70, "theta_deg": 0}, abs=1)


def test_the_whole_bar_is_within_a_tablets_width(reader: Reader) -> None:
    buttons = reader.page.locator(".wb-bar .wb-tool").all()
    boxes = [box for box in (button.bounding_box() for button in buttons) if box is not None]
    assert len(boxes) >= 12
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= TABLET["width"] for box in boxes)
    assert all(min(box["width"], box["height"]) >= 40 for box in boxes)  # enough for a finger


SAY = "(node, words) => { node.textContent = words; }"


def test_whatever_the_bar_says_of_saving_the_picture_stays_where_it_is(reader: Reader) -> None:
    """Not so, it would move under a hand that draws, when the network goes in the middle of a stroke."""
    stage, words = reader.page.locator(".wb-stage"), reader.page.locator(".wb-save > span")
    for width in range(820, 1440, 40):
        reader.visitor.resize({"width": width, "height": 900})
        lay = []
        for said in (
            "Saving…",
            "Saved at 14:03:22",
            "Offline, 2 changes waiting",
            "Changed elsewhere, 12 changes waiting",
        ):
            words.evaluate(SAY, said)
            lay.append(stage.evaluate(BOX))
        assert lay[1:] == lay[:-1], width
