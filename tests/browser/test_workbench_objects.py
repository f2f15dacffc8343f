"""Glands as objects with a real pointer: each its own pixels, none over another."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

from annotator.answers import masks_of
from annotator.geometry import runs
from annotator.models import Assignment, Draft, User
from tests.browser.painting_scene import Hand, Pixels, differs, view_of
from tests.browser.reading_scene import HEIGHT, WIDTH, drafts, first_case, sit_down, study_with_cases, submitted
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    return first_case(study_with_cases("glas", organiser, graders[:1], 1), graders[0])


@pytest.fixture
def hand(case: Assignment, visit: Visit, graders: list[User]) -> Hand:
    reader = sit_down(visit(graders[0]), case)
    return Hand(reader, view_of(reader.page))


def unpacked(masks: list[bytes]) -> list[Pixels]:
    return [runs.decode(runs.unpack(mask, WIDTH, HEIGHT), WIDTH, HEIGHT) for mask in masks]


def glands(case: Assignment) -> list[Pixels]:
    draft = Draft.objects.get(assignment=case, target__key="glands")
    content = draft.content or {}
    return unpacked(masks_of("objects", content["geometry"], bytes(draft.runs or b"")))


def test_a_later_gland_takes_only_free_pixels_and_all_of_it_is_submitted(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    first = [near(80, 80), near(300, 90), near(280, 260), near(90, 240)]
    second = [near(520, 60), near(560, 330), near(180, 300), near(250, 150)]

    hand.click_all(first)  # the polygon is GlaS's first tool
    reader.press("Enter")
    hand.click_all(second)
    reader.press("Enter")
    reader.is_saved()
    earlier, later = hand.within(first), hand.within(second)
    stored = glands(case)
    assert [differs(stored[0], earlier), differs(stored[1], later & ~earlier)] == [0, 0]

    reader.page.reload()
    expect(reader.page.locator("[data-ready=true]")).to_be_visible()
    expect(reader.page.locator(".wb-target-answer").first).to_contain_text("2 objects")
    reader.visitor.look()
    reader.press("2", "1", "Control+Enter")
    reader.says("All cases are read")
    revision = submitted(case)["glands"]
    submitted_masks = unpacked(masks_of("objects", revision.geometry, bytes(revision.runs or b"")))
    assert [differs(*pair) for pair in zip(submitted_masks, stored, strict=True)] == [0, 0]


def test_a_stroke_extends_the_gland_it_begins_in_and_begins_a_new_one_beside_all(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    reader.press("d")
    first, beside = [near(100, 100), near(200, 110)], [near(100, 300), near(200, 310)]
    longer = [near(200, 110), near(220, 300)]

    hand.stroke(first)
    hand.stroke(beside)
    hand.stroke(longer)
    reader.is_saved()

    other = hand.swept(beside, 12)
    expected = [hand.swept(first, 12) | (hand.swept(longer, 12) & ~other), other]
    assert [differs(*pair) for pair in zip(glands(case), expected, strict=True)] == [0, 0]


def test_a_line_splits_a_gland_and_another_line_merges_it_again(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    corners = [near(80, 80), near(400, 80), near(400, 300), near(80, 300)]
    hand.click_all(corners)
    reader.press("Enter")
    whole = hand.within(corners)

    reader.press("y")
    hand.stroke([near(240, 60), near(241, 320)])
    expect(reader.page.get_by_role("option")).to_have_count(2)
    reader.is_saved()
    pieces = glands(case)
    assert differs(pieces[0] | pieces[1], whole) == 0
    assert not (pieces[0] & pieces[1]).any()
    halves = sorted(int(np.nonzero(piece)[1].mean()) for piece in pieces)
    assert halves == pytest.approx([160, 320], abs=2)

    reader.press("Shift+Y")
    hand.stroke([near(150, 200), near(350, 200)])
    expect(reader.page.get_by_role("option")).to_have_count(1)
    reader.is_saved()
    assert differs(glands(case)[0], whole) == 0


def test_objects_keep_their_numbers_and_colours_when_the_page_is_loaded_again(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    options = reader.page.get_by_role("option")
    reader.press("d")
    for x in (100, 250, 400):
        hand.stroke([near(x, 100), near(x, 140)])
    options.nth(1).click()
    reader.press("Delete")
    expect(options).to_have_count(2)
    reader.is_saved()

    reader.page.reload()
    expect(reader.page.locator("[data-ready=true]")).to_be_visible()
    reader.press("b")  # back from the question that is still open

    expect(options).to_contain_text(["Object 1", "Object 3"])
    expect(options.nth(1).locator(".contour-3")).to_be_visible()
    reader.press("d")
    hand.stroke([near(250, 100), near(250, 140)])
    expect(options).to_contain_text(["Object 1", "Object 3", "Object 4"])
    reader.is_saved()
    assert [entry["id"] for entry in drafts(case)["glands"]["geometry"]["objects"]] == [1, 3, 4]
    swept = [hand.swept([near(x, 100), near(x, 140)], 12) for x in (100, 400, 250)]
    assert [differs(*pair) for pair in zip(glands(case), swept, strict=True)] == [0, 0, 0]


def test_the_list_chooses_merges_and_deletes_by_keyboard(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    reader.press("d")
    for x in (100, 250, 400):
        hand.stroke([near(x, 100), near(x, 140)])
    options = reader.page.get_by_role("option")
    expect(options).to_have_count(3)
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")

    reader.page.mouse.click(*near(100, 120))
    expect(options.nth(0)).to_have_attribute("aria-selected", "true")
    options.nth(0).focus()
    reader.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    reader.press("Delete")
    expect(options).to_have_count(2)
    options.nth(0).click()
    options.nth(1).click(modifiers=["Shift"])
    reader.page.get_by_role("button", name="Merge", exact=True).click()
    expect(options).to_have_count(1)
    reader.is_saved()

    left, right = (hand.swept([near(x, 100), near(x, 140)], 12) for x in (100, 400))
    assert differs(glands(case)[0], left | right) == 0
    for _step in range(5):
        reader.press("Control+z")
    expect(reader.page.get_by_role("button", name="Nothing to undo")).to_be_visible()
    reader.is_saved()
    assert drafts(case) == {}
