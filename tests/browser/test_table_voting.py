"""The senior's table: readings are left out with a reason, the vote is made anew under the hand, and accepted."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

from annotator.answers import Given
from consensus.models import ReferenceInput
from tests.browser.painting_scene import differs
from tests.browser.table_scene import (
    ellipse,
    more_than_half,
    pixels_of,
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

SIX = [ellipse(200 + shift, 240 + shift, 60 + shift, 70) for shift in (-6, -3, 0, 2, 5, 8)]
ASTRAY = ellipse(420, 100, 55, 40)


def test_one_of_seven_is_left_out_and_the_vote_of_the_six_becomes_the_reference(visit: Visit) -> None:
    study = read_refuge([*SIX, ASTRAY])
    table = sit_down(visit, seniors_of(study)[0], study)
    astray = table.astray()
    before = table.number("gci").inner_text()

    table.press(table.key_of(astray))
    expect(table.page.locator("[data-vote]")).to_contain_text("6 of 7 readings")
    expect(table.number("gci")).not_to_have_text(before)
    table.page.locator("[data-reason=failed]").click()
    table.page.get_by_role("button", name="leave out of all targets").click()
    table.accept()

    assert np.array_equal(stored(table.case, "disc"), more_than_half(SIX))
    assert latest(table.case, "disc").state == "accepted"
    left_out = ReferenceInput.objects.filter(reference__case=table.case, included=False)
    assert [row.reason for row in left_out] == ["failed"] * 3
    assert latest(table.case, "cup").version == latest(table.case, "disc").version == 2


def test_on_a_tablet_the_row_and_the_reasons_come_into_sight_when_a_reading_is_switched_off(visit: Visit) -> None:
    study = read_refuge([*SIX, ASTRAY])
    table = sit_down(visit, seniors_of(study)[0], study)
    table.page.set_viewport_size({"width": 820, "height": 1180})
    expect(table.page.locator("[data-reading]").first).to_be_in_viewport(ratio=1)

    table.press("7")

    expect(table.row("G")).to_be_in_viewport(ratio=1)
    expect(table.page.locator("[data-reason=other]")).to_be_in_viewport(ratio=1)
    expect(table.page.locator("[data-vote]")).to_contain_text("6 of 7 readings")


def test_forty_readings_vote_and_the_last_of_them_can_be_left_out(visit: Visit) -> None:
    """More than a word has bits: twenty discs here, twenty there, so that one reading decides."""
    left, right = ellipse(200, 240, 60, 70), ellipse(230, 240, 60, 70)
    study = read_refuge([left, right] * 20)
    table = sit_down(visit, seniors_of(study)[0], study)
    even = int((pixels_of(left) ^ pixels_of(right)).sum())
    expect(table.number("tied")).to_have_text(f"{even:,} px")
    last = table.page.locator("[data-reading]").last
    expect(last).to_have_attribute("data-reading", "AN")

    last.get_by_role("checkbox").uncheck()
    expect(table.number("tied")).to_have_count(0)
    table.page.locator("[data-reason=failed]").click()
    table.accept()

    voted = {differs(stored(table.case, "disc"), pixels_of(disc)) for disc in (left, right)}
    assert voted == {0, even}  # it was the one's or the other's


def test_an_even_vote_of_six_is_shown_and_stays_background(visit: Visit) -> None:
    left, right = ellipse(200, 240, 60, 70), ellipse(230, 240, 60, 70)
    study = read_refuge([left, left, left, right, right, right])
    table = sit_down(visit, seniors_of(study)[0], study)

    even = int((pixels_of(left) ^ pixels_of(right)).sum())
    expect(table.number("tied")).to_have_text(f"{even:,} px")
    table.accept()

    assert np.array_equal(stored(table.case, "disc"), pixels_of(left) & pixels_of(right))


def test_a_tie_on_a_label_must_be_decided_and_is_decided_by_key(visit: Visit) -> None:
    study = read_by("airogs", [[Given("referable_glaucoma", label="RG")], [Given("referable_glaucoma", label="NRG")]])
    table = sit_down(visit, seniors_of(study)[0], study)
    expect(table.page.get_by_text("No majority.")).to_be_visible()

    table.press("Enter")
    table.says("is undecided. Decide it first.")
    table.press("2")
    expect(table.page.locator("[data-option=NRG]")).to_have_attribute("aria-checked", "true")
    table.accept()

    assert latest(table.case, "referable_glaucoma").label == "NRG"
    assert latest(table.case, "referable_glaucoma").state == "adjusted"  # the senior has seen what the graders said


def test_what_was_begun_outlives_a_reload_and_a_decision_can_be_taken_back(visit: Visit) -> None:
    study = read_refuge([*SIX, ASTRAY])
    table = sit_down(visit, seniors_of(study)[0], study)
    astray = table.astray()
    table.press(table.key_of(astray), "5")
    table.page.get_by_label("Reason in your words").fill("drew the <b>macula</b>")
    table.press("Enter")
    expect(table.row(astray)).to_contain_text("Left out: Other (drew the <b>macula</b>)")

    table.page.reload()
    table.is_open()
    expect(table.row(astray)).to_contain_text("Left out: Other (drew the <b>macula</b>)")
    table.accept()
    assert latest(table.case, "disc").version == 2
    table.page.get_by_role("button", name="Undo", exact=True).click()
    table.says("The decision was taken back.")

    assert latest(table.case, "disc").version == 3
    assert np.array_equal(stored(table.case, "disc"), more_than_half([*SIX, ASTRAY]))
