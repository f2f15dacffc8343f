"""Reading without a mouse, and what the page says to those who do not see it, in each of its states."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import User
from tests.browser.reading_scene import Reader, first_case, sit_down, study_with_cases, submitted
from tests.browser.visitor import SHOWS_FOCUS, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
FOCUSED = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"


def _tab_to(reader: Reader, name: str) -> None:
    """By the Tab key alone; wherever it stops on the way, one sees where it is."""
    for _ in range(60):
        reader.press("Tab")
        assert reader.page.evaluate(SHOWS_FOCUS) == ""
        if reader.page.evaluate(FOCUSED) == name:
            return
    raise AssertionError(f"the Tab key does not come to “{name}”")


def _place(reader: Reader, **numbers: float) -> None:
    """By the button for it and the number fields, in their order."""
    _tab_to(reader, "Place by numbers instead")
    reader.press("Enter")
    first = reader.page.locator(".wb-numbers input").first
    expect(first).to_be_focused()
    for name, value in numbers.items():
        field = reader.page.locator(f".wb-numbers input[name={name}]")
        expect(field).to_be_focused()
        reader.press("Control+a")
        reader.page.keyboard.type(str(value))
        reader.press("Tab")
    reader.press("Escape")


def test_a_whole_refuge_case_by_the_keyboard_alone(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)

    _place(reader, cx=440, cy=220, a=50, b=60, theta_deg=10)
    expect(reader.page.locator(".wb-stage")).to_be_focused()
    reader.press("ArrowRight", "ArrowRight", "Shift+ArrowDown")  # to (442, 230)
    reader.press("Alt+ArrowRight", "Alt+Shift+ArrowUp")  # semi-axes 51 and 70
    reader.press("e", "e", "Shift+Q")  # 10 + 2 − 10 degrees
    reader.press("Enter")
    _place(reader, cx=445, cy=232, a=20, b=25, theta_deg=0)
    expect(reader.page.locator(".wb-stage")).to_be_focused()
    reader.press("Enter")
    _place(reader, x=200, y=240)
    reader.press("Control+Enter")
    reader.says("All cases are read")

    stored = submitted(case)
    assert stored["disc"].geometry == {"cx": 442, "cy": 230, "a": 51, "b": 70, "theta_deg": 2}
    assert stored["cup"].geometry == {"cx": 445, "cy": 232, "a": 20, "b": 25, "theta_deg": 0}
    assert stored["fovea"].geometry == {"x": 200, "y": 240}


def test_nothing_grave_is_wrong_with_the_page_in_any_of_its_states(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    look = reader.visitor.look

    reader.page.get_by_title("Adjust the display").click()
    look()
    reader.press("Escape", "k", "m", "ArrowRight")
    expect(reader.page.locator(".ruler text")).to_be_visible()
    look()
    reader.press("Escape", "t")
    expect(reader.page.get_by_role("tab", name="Instructions")).to_have_attribute("aria-selected", "true")
    look()
    reader.press("t", "x")
    look()
    reader.drag((100, 100), (160, 180))
    reader.press("2")
    reader.drag((300, 100), (360, 180))  # outside the disc: a warning that may be confirmed
    reader.press("3")
    reader.click(200, 240)
    reader.press("Control+Enter")
    expect(reader.page.get_by_role("dialog")).to_be_visible()
    look()
    reader.page.get_by_role("button", name="Confirm and submit").click()
    reader.says("All cases are read")
    look()
    other = sit_down(visit(graders[0]), case)
    other.says("Submitted")
    other.visitor.look()
