"""The senior's table: adjusting by hand, two seniors at once, the keyboard alone, deferring and sending back."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

from annotator.answers import Given
from annotator.models import Assignment
from consensus.models import CaseReview
from tests.browser.painting_scene import Hand, view_of
from tests.browser.table_scene import (
    ellipse,
    more_than_half,
    read_by,
    read_refuge,
    seniors_of,
    sit_down,
    stored,
)
from tests.browser.visitor import Visitor
from tests.consensus.scene import latest

pytestmark = pytest.mark.django_db(transaction=True)

Visit = Callable[..., Visitor]

SPURS = [(100.0, 200.0), (104.0, 200.0), (100.0, 208.0), (104.0, 208.0)]
DISCS = [ellipse(200 + shift, 240, 60, 70) for shift in (-4, 0, 4)]


def test_the_mean_of_four_is_dragged_and_its_way_is_recorded(visit: Visit) -> None:
    study = read_by(
        "age",
        [
            (Given("spur_left", geometry={"x": x, "y": y}), Given("spur_right", geometry={"x": x + 300, "y": y}))
            for x, y in SPURS
        ],
    )
    table = sit_down(visit, seniors_of(study)[0], study)
    table.whole()
    expect(table.number("point")).to_have_text("(102, 204)")

    table.press("d")
    table.drag((102, 204), (132, 244))
    expect(table.page.locator("[data-moved]")).to_contain_text("moved by")
    table.press("Escape")
    table.accept()

    spur = latest(table.case, "spur_left")
    assert spur.displacement is not None
    assert spur.geometry is not None
    assert spur.state == "adjusted"
    # The pointer goes by whole pixels of the window, and the picture is shown at about 1.5.
    assert spur.displacement["distance_px"] == pytest.approx(50, abs=1.5)
    assert (spur.geometry["x"], spur.geometry["y"]) == pytest.approx((132, 244), abs=1.5)
    assert latest(table.case, "spur_right").state == "accepted"


def test_a_painted_adjustment_is_stored_pixel_by_pixel(visit: Visit) -> None:
    study = read_refuge(DISCS, changes={"review.steps": ("check", "fine-adjustment")})
    table = sit_down(visit, seniors_of(study)[0], study)
    table.press("d")
    expect(table.page.get_by_role("button", name="Brush")).to_have_attribute("aria-pressed", "true")
    table.whole()
    radius = table.brush_radius()
    hand = Hand(table, view_of(table.page))
    way = [hand.view.near(200, 160), hand.view.near(260, 150)]

    hand.stroke(way)
    expect(table.page.locator("[data-moved]")).to_contain_text("changed")
    table.press("Escape")
    table.accept()

    wanted = more_than_half(DISCS) | hand.swept(way, radius)
    assert np.array_equal(stored(table.case, "disc"), wanted)
    moved = latest(table.case, "disc").displacement
    assert moved is not None
    assert moved["changed_px"] == int((wanted ^ more_than_half(DISCS)).sum())


def test_a_case_is_in_one_seniors_hands_at_a_time(visit: Visit) -> None:
    study = read_refuge(DISCS)
    first, second = seniors_of(study)
    one = sit_down(visit, first, study)
    expect(one.page.get_by_text("Another senior has this case in hand")).to_have_count(0)
    other = sit_down(visit, second, study)
    expect(other.page.get_by_text("Another senior has this case in hand")).to_be_visible()
    other.press("1")
    other.says("Another senior has this case in hand.")

    other.page.get_by_role("button", name="Take over").click()
    expect(other.page.get_by_role("button", name="Take over")).to_have_count(0)
    one.page.keyboard.press("Enter")
    expect(one.page.get_by_role("button", name="Take over")).to_be_visible()
    assert latest(one.case, "disc").version == 1
    other.accept()

    assert latest(one.case, "disc").decided_by == second
    one.visitor.faults = [fault for fault in one.visitor.faults if "409" not in fault]
    other.visitor.faults = [fault for fault in other.visitor.faults if "409" not in fault]


def test_everything_is_done_by_keys_and_the_page_fits_everybody(visit: Visit) -> None:
    study = read_refuge(DISCS, cases=2)
    table = sit_down(visit, seniors_of(study)[0], study)
    table.visitor.look()

    table.press("1")
    expect(table.page.locator(".tb-reasons")).to_be_visible()
    table.visitor.look()
    table.press("Escape")
    expect(table.page.locator(".tb-reasons")).to_have_count(0)
    table.press("n")
    expect(table.page.locator("[data-target=cup]")).to_have_attribute("aria-current", "true")
    table.press("j")
    expect(table.page.get_by_label("Note, for whoever takes it up again")).to_be_focused()
    table.page.keyboard.type("look at it together")
    table.press("Control+Enter")
    expect(table.page.get_by_text("deferred.")).to_be_visible()

    assert CaseReview.objects.get(case=table.case).deferred_note == "look at it together"


def test_a_case_is_sent_back_to_one_grader_with_a_comment(visit: Visit) -> None:
    study = read_refuge(DISCS)
    table = sit_down(visit, seniors_of(study)[0], study)
    before = Assignment.objects.filter(case=table.case).count()

    table.page.get_by_role("button", name="Send back to Grader B").click()
    table.page.get_by_label("Comment to the grader").fill("Please look at the rim once more.")
    table.page.get_by_role("button", name="Send back", exact=True).click()
    table.says("was sent back")

    assert Assignment.objects.filter(case=table.case).count() == before + 1
