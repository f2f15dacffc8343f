"""A discussion: whoever's turn it is reads what the other said and why, keeps the own label with a reason, and the
other comes round."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotator.models import Study, User
from tests import cast
from tests.browser.visitor import Visitor
from tests.consensus.adjudication_scene import TARGET
from tests.consensus.discussion_scene import about, asked, talking_study
from tests.consensus.scene import case_of, latest

pytestmark = pytest.mark.django_db(transaction=True)
Visit = Callable[..., Visitor]
KEYS = {"RG": "1", "NRG": "2"}
NAMES = {"RG": "Referable glaucoma", "NRG": "No referable glaucoma"}


@pytest.fixture
def two() -> dict[str, User]:
    """By the label that each gives."""
    return {"RG": cast.person("Gina Grader"), "NRG": cast.person("Gus Grader")}


@pytest.fixture
def study(two: dict[str, User]) -> Study:
    return talking_study(
        [("RG", "NRG")],
        organiser=cast.person("Olga Organiser", can_create_studies=True),
        senior=cast.person("Sven Senior"),
        graders=list(two.values()),
        adjudicator=cast.person("Ada Adjudicator"),
    )


def is_open(page: Page) -> None:
    expect(page.locator("[data-ready=true]")).to_be_visible()
    expect(page.get_by_role("heading", name="Others see this differently")).to_be_visible()


def test_one_keeps_the_label_and_the_other_comes_round(visit: Visit, study: Study, two: dict[str, User]) -> None:
    first = asked(study, 1)
    own = next(label for label, user in two.items() if user == first)
    page = visit(first).go(f"/worklist/{study.public_id}/")
    expect(page.get_by_text("1 case waits for your word")).to_be_visible()
    page.get_by_role("link", name="Discuss", exact=True).click()
    page.get_by_role("link", name="Begin").click()
    is_open(page)
    thread = page.get_by_role("region", name="Others see this differently")
    expect(thread.get_by_text("Grader 1")).to_be_visible()
    expect(thread.get_by_text("Large cup")).to_be_visible()  # ticked by who said RG
    expect(page.get_by_role("button", name=re.compile(f"^{NAMES[own]}"))).to_have_attribute("aria-pressed", "true")

    page.keyboard.press(KEYS[own])  # once more takes nothing back: it is the label that is kept
    expect(page.get_by_role("button", name=re.compile(f"^{NAMES[own]}"))).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")  # without a reason nothing is said
    expect(page.get_by_text("Say why, in a few words")).to_be_visible()
    expect(page.get_by_label("Reason, read by the others")).to_be_focused()
    page.keyboard.type("The rim is thin below.")
    page.get_by_role("button", name="Say this").click()
    expect(page.get_by_text("The others are asked now")).to_be_visible()
    assert about(study, 1).statements.count() == 1

    second = asked(study, 1)
    assert second != first
    other = visit(second).go(f"/studies/{study.public_id}/discussions/{about(study, 1).public_id}/")
    is_open(other)
    expect(other.get_by_text("The rim is thin below.")).to_be_visible()
    expect(other.get_by_text(first.name)).to_have_count(0)
    other.keyboard.press(KEYS[own])
    expect(other.get_by_role("button", name=re.compile(f"^{NAMES[own]}"))).to_have_attribute("aria-pressed", "true")
    other.keyboard.press("c")
    expect(other.get_by_label("Reason, read by the others")).to_be_focused()
    other.keyboard.type("I see it now.")
    other.keyboard.press("Control+Enter")
    expect(other.get_by_text("All agree. This is the final label.")).to_be_visible()

    row = latest(case_of(study), TARGET)
    assert (row.state, row.label, row.decided_by) == ("discussed", own, None)
