"""Painting with a real pointer: what lies under the pointer's way is what is stored, pixel by pixel."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Assignment, User
from tests.browser.painting_scene import Hand, differs, drafted, read, view_of
from tests.browser.reading_scene import drafts, first_case, sit_down, study_with_cases, submitted
from tests.browser.visitor import Visitor
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    """An ADAM case whose first target, the disc, is in hand when it is opened."""
    return first_case(study_with_cases("adam", organiser, graders[:1], 1), graders[0])


@pytest.fixture
def hand(case: Assignment, visit: Visit, graders: list[User]) -> Hand:
    reader = sit_down(visit(graders[0]), case)
    return Hand(reader, view_of(reader.page))


def test_brush_and_eraser_store_what_they_passed_over(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    stroke = [near(120, 130), near(300, 180), near(260, 320)]
    erased = [near(200, 100), near(230, 220)]

    reader.press("d", "]", "]", "]")
    hand.stroke(stroke)
    reader.press("e")
    hand.stroke(erased)
    reader.is_saved()

    assert differs(drafted(case, "disc"), hand.swept(stroke, 15) & ~hand.swept(erased, 15)) == 0


def test_the_right_button_erases_while_it_is_held(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    stroke, erased = [near(120, 130), near(300, 180)], [near(200, 100), near(210, 220)]

    hand.stroke(stroke)
    hand.stroke(erased, button="right")
    expect(reader.page.get_by_role("button", name="Undo: Erase")).to_be_visible()
    reader.is_saved()

    assert differs(drafted(case, "disc"), hand.swept(stroke, 12) & ~hand.swept(erased, 12)) == 0


def test_shift_draws_a_straight_line(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    reader.page.keyboard.down("Shift")
    hand.stroke([near(120, 130), near(400, 60), near(300, 300)])
    reader.page.keyboard.up("Shift")
    reader.is_saved()

    assert differs(drafted(case, "disc"), hand.swept([near(120, 130), near(300, 300)], 12)) == 0


def test_a_polygon_adds_and_with_alt_takes_away(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    outer = [near(100, 80), near(420, 110), near(460, 330), near(240, 260), near(90, 380)]
    inner = [near(200, 150), near(330, 160), near(280, 230)]

    reader.press("a")
    hand.click_all([*outer, outer[-1]])  # the second click in the same place closes it
    reader.page.keyboard.down("Alt")
    hand.click_all(inner[:1])
    reader.page.keyboard.up("Alt")
    hand.click_all(inner[1:])
    reader.press("Enter")
    reader.is_saved()

    assert differs(drafted(case, "disc"), hand.within(outer) & ~hand.within(inner)) == 0


def test_corners_are_dragged_put_in_and_taken_back_before_the_polygon_is_closed(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    a, b, c, stray = near(100, 80), near(420, 110), near(300, 300), near(500, 400)
    moved, bulge = near(450, 90), near(270, 30)
    on_edge = ((a[0] + moved[0]) // 2, (a[1] + moved[1]) // 2)

    reader.press("a")
    hand.click_all([a, b, c, stray])
    reader.press("Backspace")
    hand.stroke([b, moved])
    hand.stroke([on_edge, bulge])
    reader.press("Enter")
    reader.is_saved()

    assert differs(drafted(case, "disc"), hand.within([a, bulge, moved, c])) == 0


def test_the_ring_is_the_brush_at_every_zoom(hand: Hand) -> None:
    page = hand.reader.page
    ring = page.locator(".wb-stage circle").last
    page.mouse.move(*hand.view.near(200, 200))

    def radius() -> float:
        return float(ring.get_attribute("r") or 0)

    until(radius, pytest.approx(12 * hand.view.scale))
    page.keyboard.down("Shift")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Shift")
    expect(page.get_by_role("slider", name="Brush radius")).to_have_attribute("aria-valuetext", "13 px")
    until(radius, pytest.approx(13 * hand.view.scale))
    hand.reader.press("z")
    expect(page.locator(".wb-zoom")).to_have_text("100%")
    until(radius, pytest.approx(13))


def test_what_was_painted_is_there_after_a_reload_and_in_the_reading(
    hand: Hand, case: Assignment, graders: list[User]
) -> None:
    near, reader = hand.view.near, hand.reader
    stroke = [near(420, 130), near(300, 180)]
    hand.stroke(stroke)
    reader.is_saved()

    reader.page.reload()
    expect(reader.page.locator("[data-ready=true]")).to_be_visible()
    more = [near(300, 180), near(200, 200)]
    reader.press("1")
    hand.stroke(more)
    reader.press("2")
    reader.click(150, 200)
    for key in "34567":
        reader.press(key, "x")
    reader.press("Control+Enter")
    reader.says("All cases are read")

    painted = hand.swept([*stroke, more[1]], 12)
    assert differs(read(case, "disc"), painted) == 0
    assert submitted(case)["drusen"].answer == "absent"
    reader.page.get_by_role("button", name="Undo", exact=True).click()
    expect(reader.page.get_by_role("button", name="Withdraw")).to_have_count(0)
    reader.press("1", "e")
    hand.stroke(more)
    reader.is_saved()
    assert differs(drafted(case, "disc"), painted & ~hand.swept(more, 12)) == 0


def test_undo_leads_back_through_strokes_marks_and_answers_and_redo_forth(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    first, second = [near(420, 130), near(300, 180)], [near(320, 170), near(200, 200)]
    hand.stroke(first)
    hand.stroke(second)
    reader.press("2")
    reader.click(150, 200)
    reader.press("1", "x")
    reader.is_saved()
    assert drafts(case)["disc"]["answer"] == "not-visible"

    undo = reader.page.get_by_role("button", name="Undo: ")
    reader.press("Control+z")
    expect(undo).to_have_accessible_name("Undo: Place the point")
    reader.is_saved()
    assert differs(drafted(case, "disc"), hand.swept(first, 12) | hand.swept(second, 12)) == 0
    reader.press("Control+z", "Control+z")
    expect(undo).to_have_accessible_name("Undo: Paint")
    reader.is_saved()
    assert differs(drafted(case, "disc"), hand.swept(first, 12)) == 0
    reader.press("Control+z")
    expect(reader.page.get_by_role("button", name="Nothing to undo")).to_be_visible()
    reader.is_saved()
    assert drafts(case) == {}

    reader.press("Control+y", "Control+y", "Control+y")
    expect(undo).to_have_accessible_name("Undo: Place the point")
    reader.is_saved()
    assert differs(drafted(case, "disc"), hand.swept(first, 12) | hand.swept(second, 12)) == 0


def test_a_locked_or_hidden_layer_is_not_painted_on(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader

    reader.press("Shift+L")
    hand.stroke([near(420, 130), near(300, 180)])
    reader.says("is locked")
    reader.press("Shift+L", "v")
    hand.stroke([near(420, 130), near(300, 180)])
    reader.says("is hidden")

    expect(reader.page.get_by_role("button", name="Nothing to undo")).to_be_visible()
    assert drafts(case) == {}


def test_an_erased_area_is_asked_about_when_submitted(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    hand.stroke([near(420, 130), near(300, 180)])
    reader.press("e", "]", "]", "]", "]", "]", "]")
    hand.stroke([near(425, 130), near(295, 180)])
    expect(reader.page.locator(".wb-target-answer").first).to_have_text("Nothing painted")
    reader.press("2")
    reader.click(150, 200)
    for key in "34567":
        reader.press(key, "x")

    reader.press("Control+Enter")

    reader.says("said to be there, but nothing is drawn")
