"""An adjudication: two graders differ, a third person decides with the keyboard, and only then sees what they said."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotator.models import Study, User
from tests import cast
from tests.browser.visitor import Visitor
from tests.consensus.adjudication_scene import TARGET, disputed_study
from tests.consensus.scene import case_of, latest
from tests.consensus.senior import sign

pytestmark = pytest.mark.django_db(transaction=True)
Visit = Callable[..., Visitor]
DIFFERENT = "The readings leave this open"


def people(count: int) -> list[User]:
    return [cast.person(f"Adjudicator {number}") for number in range(1, count + 1)]


def disputed(adjudicators: list[User], changes: dict[str, Any] | None = None) -> Study:
    """Two of three eyes are called differently."""
    return disputed_study(
        (("RG", "NRG"), ("NRG", "NRG"), ("U", "RG")),
        organiser=cast.person("Olga Organiser", can_create_studies=True),
        senior=cast.person("Sven Senior"),
        graders=[cast.person("Gina Grader"), cast.person("Gus Grader")],
        adjudicators=adjudicators,
        changes=changes,
    )


def is_open(page: Page) -> None:
    expect(page.locator("[data-ready=true]")).to_be_visible()
    expect(page.get_by_text(DIFFERENT)).to_be_visible()


def test_two_cases_are_settled_with_four_keys(visit: Visit) -> None:
    (adjudicator,) = people(1)
    study = disputed([adjudicator])
    page = visit(adjudicator).go(f"/studies/{study.public_id}/adjudication/")
    expect(page.get_by_role("heading", name="2 cases wait for you")).to_be_visible()

    page.get_by_role("link", name="Begin").click()
    is_open(page)
    expect(page.get_by_text("Grader A")).to_have_count(0)
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="No referable glaucoma")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")

    said = page.get_by_role("region", name="What the graders had said")
    expect(said.get_by_text("Grader A")).to_be_visible()
    expect(said.get_by_text("Grader B")).to_be_visible()
    assert (latest(case_of(study, 1), TARGET).state, latest(case_of(study, 1), TARGET).label) == ("adjudicated", "NRG")

    page.keyboard.press("Enter")
    is_open(page)
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Ungradable")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing is left to settle")).to_be_visible()
    assert latest(case_of(study, 3), TARGET).label == "U"


def test_a_decision_is_taken_back_and_given_anew(visit: Visit) -> None:
    (adjudicator,) = people(1)
    study = disputed([adjudicator])
    page = visit(adjudicator).go(f"/studies/{study.public_id}/adjudication/{case_of(study, 1).public_id}/")
    is_open(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What the graders had said")).to_be_visible()

    page.get_by_role("button", name="Take the decision back").click()
    is_open(page)
    expect(page.get_by_text("your decision will be marked as not blind")).to_be_visible()
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Ungradable")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What the graders had said")).to_be_visible()

    row = latest(case_of(study, 1), TARGET)
    assert (row.version, row.state, row.label) == (4, "adjudicated", "U")  # undecided, RG, taken back, U
    assert row.measures["not_blind"] is True


def test_after_the_sign_off_a_decision_is_taken_back_with_a_reason(visit: Visit) -> None:
    (adjudicator,) = people(1)
    senior = cast.person("Sven Senior")
    study = disputed_study(
        [("RG", "NRG")],
        organiser=cast.person("Olga Organiser", can_create_studies=True),
        senior=senior,
        graders=[cast.person("Gina Grader"), cast.person("Gus Grader")],
        adjudicators=[adjudicator],
    )
    visitor = visit(adjudicator)
    page = visitor.go(f"/studies/{study.public_id}/adjudication/{case_of(study, 1).public_id}/")
    is_open(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What the graders had said")).to_be_visible()
    sign(study, senior)

    page.get_by_role("button", name="Take the decision back").click()
    asked = page.get_by_role("dialog", name="Why is the decision taken back?")
    expect(asked.get_by_role("button", name="Take back")).to_be_disabled()
    visitor.look()
    asked.get_by_label("Reason").fill("The photograph was taken again.")
    asked.get_by_role("button", name="Take back").click()

    is_open(page)
    expect(asked).to_have_count(0)
    row = latest(case_of(study, 1), TARGET)
    assert (row.version, row.comment) == (3, "The photograph was taken again.")


def test_the_second_adjudicator_is_told_and_can_take_over(visit: Visit) -> None:
    first, second = people(2)
    study = disputed([first, second])
    address = f"/studies/{study.public_id}/adjudication/{case_of(study, 1).public_id}/"
    one, other = visit(first).go(address), visit(second)
    is_open(one)
    two = other.go(address)

    expect(two.get_by_text("open in another tab or on another device")).to_be_visible()
    two.keyboard.press("1")
    expect(two.locator(".wb-label").first).to_have_attribute("aria-pressed", "false")
    two.get_by_role("button", name="Take over").click()
    expect(two.get_by_text("open in another tab or on another device")).to_have_count(0)
    two.keyboard.press("1")
    two.keyboard.press("Enter")
    expect(two.get_by_role("heading", name="What the graders had said")).to_be_visible()

    one.keyboard.press("2")
    one.keyboard.press("Enter")
    expect(one.get_by_role("heading", name="What the graders had said")).to_have_count(0)
    assert latest(case_of(study, 1), TARGET).decided_by == second


def test_its_pages_say_to_everybody_what_they_show(visit: Visit) -> None:
    (adjudicator,) = people(1)
    study = disputed([adjudicator])
    visitor = visit(adjudicator)
    visitor.go(f"/studies/{study.public_id}/adjudication/")
    visitor.look()
    page = visitor.go(f"/studies/{study.public_id}/adjudication/{case_of(study, 1).public_id}/")
    is_open(page)
    visitor.look()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What the graders had said")).to_be_visible()
    visitor.look()


def test_where_the_recipe_says_so_the_labels_stand_beside_the_photograph_from_the_start(visit: Visit) -> None:
    (adjudicator,) = people(1)
    study = disputed([adjudicator], {"review.adjudicator_sees_labels": True})
    visitor = visit(adjudicator)
    page = visitor.go(f"/studies/{study.public_id}/adjudication/{case_of(study, 1).public_id}/")

    is_open(page)
    said = page.get_by_role("region", name="What the graders had said")
    expect(said.get_by_text("The protocol shows you what they said")).to_be_visible()
    expect(said.get_by_text("Grader A")).to_be_visible()
    expect(said.get_by_text("Grader B")).to_be_visible()
    expect(page.get_by_text("not blind")).to_have_count(0)
    visitor.look()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Decided", exact=True)).to_be_visible()
    expect(page.get_by_text(DIFFERENT)).to_have_count(0)

    row = latest(case_of(study, 1), TARGET)
    assert (row.label, row.measures.get("labels_shown"), row.measures.get("not_blind")) == ("NRG", True, None)


def test_an_organiser_sets_a_specialty_and_reads_how_disputes_were_settled(visit: Visit) -> None:
    (adjudicator,) = people(1)
    study = disputed([adjudicator])
    visitor = visit(study.created_by)
    page = visitor.go(f"/studies/{study.public_id}/people/")
    expect(page.get_by_text("nobody who can adjudicate has it")).to_be_visible()
    expect(page.locator("#id_specialty")).to_be_hidden()
    page.get_by_label("Role").select_option("adjudicator")
    expect(page.locator("#id_specialty")).to_be_visible()
    visitor.look()

    page.get_by_role("button", name="Specialty…").click()
    asked = page.get_by_role("dialog", name="Specialty of Adjudicator 1")
    asked.get_by_label("Specialty").fill("glaucoma")
    visitor.look()
    asked.get_by_role("button", name="Save").click()

    expect(page.get_by_text("The specialty of Adjudicator 1 is now “glaucoma”.")).to_be_visible()
    expect(page.get_by_text("nobody who can adjudicate has it")).to_have_count(0)
    page.get_by_role("link", name="Adjudication").click()
    expect(page.get_by_text("Nothing is settled yet")).to_be_visible()
    expect(page.get_by_text("Left open now")).to_be_visible()
    visitor.look()
