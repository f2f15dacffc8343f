"""Two versions of one answer: both are shown over the picture, to everybody, and the one that is chosen is kept."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from annotator.geometry import runs
from annotator.models import Assignment, Draft, User
from tests.browser.painting_scene import Hand, differs, drafted, view_of
from tests.browser.reading_scene import Reader, first_case, geometry, sit_down, study_with_cases
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    return first_case(study_with_cases("adam", organiser, graders[:1], 1), graders[0])


@pytest.fixture
def reader(visit: Visit, graders: list[User], case: Assignment) -> Reader:
    return sit_down(visit(graders[0]), case)


def dialog_of(reader: Reader) -> Locator:
    """With both versions drawn."""
    dialog = reader.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Changed in another tab")
    expect(dialog.get_by_role("img", name="Both versions over the picture").locator(".wb-both-line")).to_have_count(2)
    return dialog


def test_of_two_painted_versions_the_other_is_taken_pixel_by_pixel(reader: Reader, case: Assignment) -> None:
    hand = Hand(reader, view_of(reader.page))
    near = hand.view.near
    mine, others = [near(200, 200), near(320, 240)], [near(260, 150), near(280, 330)]
    hand.stroke(mine)
    reader.is_saved()
    packed, before = runs.pack(runs.encode(hand.swept(others, 20))), Draft.objects.get()
    Draft.objects.update(version=before.version + 1, runs=packed, idempotency_key="of-another-tab")

    hand.stroke([near(200, 300), near(210, 300)])
    dialog = dialog_of(reader)
    expect(dialog.locator("dd")).to_contain_text(["px", f"{hand.swept(others, 20).sum():,} px"])
    # One closed line, so that its dashes tell it from the other without its colour.
    expect(dialog.locator(".wb-both-line.wb-both-other").first).to_have_attribute("d", re.compile(r"^M[^M]+Z$"))
    reader.visitor.look()
    dialog.get_by_role("button", name="Keep the other").click()
    expect(dialog).to_have_count(0)
    assert differs(drafted(case, "disc"), hand.swept(others, 20)) == 0

    more = [near(500, 100), near(520, 100)]
    hand.stroke(more)
    reader.is_saved()
    assert differs(drafted(case, "disc"), hand.swept(others, 20) | hand.swept(more, 12)) == 0


def test_of_two_points_mine_is_kept(reader: Reader, case: Assignment) -> None:
    reader.press("2")
    reader.click(200, 240)
    reader.is_saved()
    before = Draft.objects.get()
    other = {**(before.content or {}), "geometry": {"x": 260.0, "y": 250.0}}
    Draft.objects.update(version=before.version + 1, content=other, idempotency_key="of-another-tab")

    reader.press("ArrowRight")
    dialog = dialog_of(reader)
    reader.visitor.look()
    dialog.get_by_role("button", name="Keep mine").click()
    expect(dialog).to_have_count(0)
    reader.is_saved()

    assert geometry(case, "fovea") == pytest.approx({"x": 201, "y": 240}, abs=1)


def test_the_word_that_a_case_is_open_elsewhere_reaches_everybody(
    reader: Reader, visit: Visit, graders: list[User], case: Assignment
) -> None:
    reader.press("2")
    reader.click(200, 240)
    reader.is_saved()

    second = sit_down(visit(graders[0]), case)

    second.says("open in another tab")
    second.visitor.look()
    assert second.visitor.faults == []
