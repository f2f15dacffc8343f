"""The worklist in use: a question and its answer, skipping and coming back, the next case by key."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from annotator.models import Assignment, Draft, Flag, Reading, User
from annotator.services.studies import write_instructions
from tests import cast
from tests.browser.reading_scene import HEIGHT, WIDTH, Reader, add_photograph, sit_down, study_with_cases
from tests.browser.visitor import Visitor
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def test_a_question_goes_to_the_organiser_and_its_answer_comes_back(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 2)
    first = own_cases(study, graders[0])[0]
    reader = sit_down(visit(graders[0]), first)

    reader.press("Shift+F")
    dialog = reader.page.get_by_role("dialog", name="Flag this case")
    expect(dialog.get_by_label("What should the organiser look at?")).to_be_focused()
    reader.visitor.look()
    reader.page.keyboard.type("Wrong eye?")
    reader.press("Control+Enter")
    expect(dialog).to_have_count(0)
    expect(reader.page.get_by_role("button", name="Flagged, not yet answered")).to_be_visible()

    office = visit(organiser)
    office.go(f"/studies/{study.public_id}/")
    office.press("1 flag waits for an answer")
    office.look()
    office.page.get_by_role("button", name="Answer").click()
    office.page.get_by_label("Answer", exact=True).fill("It is the left one.")
    office.press("Send the answer")
    expect(office.page.get_by_text("No flag waits for an answer")).to_be_visible()

    page = reader.visitor.go(f"/worklist/{study.public_id}/")
    expect(page.get_by_role("region", name="Answers of the organiser")).to_contain_text("It is the left one.")
    reader.visitor.look()
    page.locator(".case-open").first.click()
    expect(page.get_by_role("region", name="Answer of the organiser")).to_contain_text("It is the left one.")
    reader.visitor.look()
    with page.expect_response(re.compile(r"/flags/seen/$")):
        page.get_by_role("button", name="I have read it").click()
    expect(page.get_by_role("region", name="Answer of the organiser")).to_have_count(0)
    assert Flag.objects.get().seen_at is not None
    reader.visitor.go(f"/worklist/{study.public_id}/")
    expect(page.get_by_text("It is the left one.")).to_have_count(0)


def test_a_skipped_case_comes_again_after_the_others(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 3)
    first = own_cases(study, graders[0])[0]
    reader = sit_down(visit(graders[0]), first)

    reader.press("j")
    reader.is_at_case(2)
    reader.says("Case 1 skipped")
    reader.press("2", "Enter")
    reader.is_at_case(3)
    reader.press("2", "Enter")
    reader.is_at_case(1)
    expect(reader.page.get_by_text("Skipped", exact=True)).to_be_visible()

    page = reader.visitor.go(f"/worklist/{study.public_id}/?state=skipped")
    expect(page.locator(".case-tile")).to_have_count(1)
    reader.visitor.press("Put case 1 back in its turn")
    expect(page.get_by_text("No case of yours is in this state.")).to_be_visible()
    assert Assignment.objects.get(pk=first.pk).skipped_at is None


def test_skipping_is_undone_from_the_notice(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 2)
    first = own_cases(study, graders[0])[0]
    reader = sit_down(visit(graders[0]), first)
    reader.press("j")
    reader.is_at_case(2)

    reader.page.get_by_role("button", name="Undo", exact=True).click()

    reader.is_at_case(1)
    expect(reader.page.get_by_text("Skipped", exact=True)).to_have_count(0)
    assert Assignment.objects.get(pk=first.pk).skipped_at is None


def test_u_opens_the_next_case_to_be_read_from_the_list_and_from_a_case(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 3)
    visitor = visit(graders[0])
    page = visitor.go(f"/worklist/{study.public_id}/")
    expect(page.get_by_text("Time today", exact=True)).to_be_visible()
    expect(page.locator("[data-today-cases]")).to_have_text("0 cases submitted")

    page.keyboard.press("u")
    reader = Reader(visitor, page)
    reader.is_at_case(1)
    reader.press("u")
    reader.is_at_case(2)
    reader.press(",")
    reader.is_at_case(1)
    reader.press("2", "Enter")
    reader.is_at_case(2)

    visitor.go(f"/worklist/{study.public_id}/?q=3")
    expect(page.locator(".case-title")).to_have_text(["Case 3"])
    expect(page.locator("[data-today-cases]")).to_have_text("1 case submitted")


def test_practice_is_the_same_page_and_stores_nothing(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    visitor = visit(graders[0])
    page = visitor.go(f"/worklist/{study.public_id}/")
    visitor.press("Practise")
    reader = Reader(visitor, page)
    expect(page.locator(".wb-count")).to_have_text("Practice case 1")
    expect(page.locator("[data-ready=true]")).to_be_visible()
    reader.says("Practice: nothing is stored")
    visitor.look()

    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    reader.drag((400, 150), (520, 290))
    reader.press("Control+Enter")
    reader.says("Not answered yet: Optic cup, Fovea.")
    reader.press("2")
    reader.drag((430, 180), (490, 260))
    reader.press("3")
    reader.click(200, 240)
    reader.press("Control+Enter")

    truth = page.get_by_role("region", name="What is true")
    expect(truth.locator("dt")).to_have_text(["Optic disc", "Optic cup", "Fovea"])
    visitor.look()
    page.get_by_role("button", name="Go on marking").click()
    expect(truth).to_have_count(0)
    expect(page.locator(".wb-submit")).to_contain_text("Everything is answered.")
    assert set(sent) <= {"GET"}
    assert (Draft.objects.count(), Reading.objects.count()) == (0, 0)
    assert set(Assignment.objects.values_list("state", flat=True)) == {"waiting"}


def test_the_fellow_eye_is_shown_while_the_key_is_held_and_recorded(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    allowed: dict[str, Any] = {"viewer.fellow_eye": True}
    study = study_with_cases("airogs", organiser, graders[:2], 1, **allowed)
    other = cast.tiny_png(99, width=WIDTH, height=HEIGHT)
    add_photograph(study, organiser, other, subject="P1", side="L", seed=99)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    case = Assignment.objects.get(grader__user=graders[0], case__images__eye__side="R")
    reader = sit_down(visit(graders[0]), case)
    fellow = reader.page.get_by_role("img", name="The other eye of the same person")
    expect(fellow).to_have_count(0)

    reader.page.keyboard.down("Shift")
    reader.page.keyboard.down("H")
    expect(fellow).to_be_visible()
    expect(fellow).to_have_js_property("naturalWidth", WIDTH)
    reader.page.keyboard.up("H")
    reader.page.keyboard.up("Shift")
    expect(fellow).to_have_count(0)

    reader.page.reload()
    expect(reader.page.locator("[data-ready=true]")).to_be_visible()
    reader.press("2", "Enter")
    reader.is_at_case(2)
    assert Reading.objects.get().adjustments == {"fellow-eye": True}


def test_a_label_with_confidence_and_comment_beside_its_instructions(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    asked: dict[str, Any] = {"targets[0].asks_confidence": True}
    study = study_with_cases("airogs", organiser, graders[:2], 2, **asked)
    target = study.targets.get(key="referable_glaucoma")
    write_instructions(target=target, version=target.version, text="Look at the **rim** first.", actor=organiser)
    reader = sit_down(visit(graders[0]), own_cases(study, graders[0])[0])

    reader.press("t")
    expect(reader.page.locator(".wb-instructions strong")).to_have_text("rim")
    reader.press("t", "1")
    reader.page.get_by_label("How sure are you?").select_option("0.75")
    reader.page.get_by_label("Comment, kept with the reading").fill("A small disc.")
    reader.is_saved()
    reader.press("Control+Enter")
    reader.is_at_case(2)

    reading = Reading.objects.get()
    assert reading.comment == "A small disc."
    assert (reading.revisions.get().label, reading.revisions.get().confidence) == ("RG", 0.75)
