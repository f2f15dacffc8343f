"""Never losing work: reload, no network, two tabs, two versions, signed out, two people at one computer."""

from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotator.models import Draft, User
from tests.browser.conftest import _session
from tests.browser.reading_scene import drafts, first_case, geometry, sit_down, study_with_cases
from tests.browser.visitor import Visitor
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
AROUND = pytest.approx({"x": 200, "y": 240}, abs=1)


def test_a_reload_in_the_middle_of_the_work_keeps_the_drawing(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    case = first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.drag((400, 150), (520, 290))

    reader.page.reload()  # at once, before the save is due

    expect(reader.page.locator(".wb-target-answer").first).to_contain_text("120")
    reader.is_saved()
    assert geometry(case, "disc")["a"] == pytest.approx(60, abs=1)


def test_without_a_network_drawing_goes_on_and_is_sent_later(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    case = first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.visitor.context.set_offline(True)

    reader.drag((400, 150), (520, 290))
    reader.press("3")
    reader.click(200, 240)
    expect(reader.page.locator(".wb-save")).to_have_text("Offline, 2 changes waiting")
    reader.press("Control+Enter")
    reader.says("Not submitted")
    assert drafts(case) == {}
    reader.visitor.context.set_offline(False)

    reader.is_saved()
    assert set(drafts(case)) == {"disc", "fovea"}
    assert geometry(case, "fovea") == AROUND


def test_a_network_cut_in_mid_drag_loses_nothing(visit: Visit, organiser: User, graders: list[User]) -> None:
    case = first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])
    reader = sit_down(visit(graders[0]), case)

    with reader.dragging((400, 150), (520, 290)):
        reader.visitor.context.set_offline(True)
    expect(reader.page.locator(".wb-save")).to_have_text("Offline, 1 change waiting")
    with reader.dragging((460, 220), (440, 200)):
        reader.visitor.context.set_offline(False)

    reader.is_saved()
    assert geometry(case, "disc")["a"] == pytest.approx(60, abs=1)
    assert geometry(case, "disc")["cx"] == pytest.approx(440, abs=1)


def test_changes_that_waited_survive_the_closing_of_the_page(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 2)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.page.route("**/drafts/**", lambda route: route.abort())
    reader.press("3")
    reader.click(200, 240)
    expect(reader.page.locator(".wb-save")).to_contain_text("1 change waiting")

    page = reader.visitor.context.new_page()
    reader.page.close()
    page.goto(f"{reader.visitor.home}/read/{case.public_id}/")

    expect(page.locator("[data-save=ok]")).to_contain_text("Saved at")
    assert geometry(case, "fovea") == AROUND


def test_a_second_tab_is_told_and_can_take_over(visit: Visit, organiser: User, graders: list[User]) -> None:
    case = first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])
    first = sit_down(visit(graders[0]), case)
    first.drag((400, 150), (520, 290))
    first.is_saved()

    second = sit_down(visit(graders[0]), case)
    second.says("open in another tab")
    second.press("3")
    second.click(300, 300)
    assert set(drafts(case)) == {"disc"}
    second.page.get_by_role("button", name="Take over").click()
    expect(second.page.get_by_role("button", name="Take over")).to_have_count(0)
    second.press("3")
    second.click(200, 240)
    second.is_saved()
    first.press("ArrowLeft")

    first.says("open in another tab")
    assert geometry(case, "fovea") == AROUND


@pytest.mark.parametrize(("choice", "kept"), [("Keep mine", 461), ("Keep the other", 111)])
def test_of_two_versions_the_grader_chooses(
    choice: str, kept: int, visit: Visit, organiser: User, graders: list[User]
) -> None:
    case = first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.drag((400, 150), (520, 290))
    reader.is_saved()
    draft = Draft.objects.get()
    other = {**(draft.content or {}), "geometry": {**geometry(case, "disc"), "cx": 111}}
    Draft.objects.update(version=draft.version + 1, content=other, idempotency_key="of-another-tab")

    reader.press("ArrowRight")
    dialog = reader.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Changed in another tab")
    assert geometry(case, "disc")["cx"] == 111
    dialog.get_by_role("button", name=choice).click()
    reader.is_saved()

    assert geometry(case, "disc")["cx"] == pytest.approx(kept, abs=1)
    expect(reader.page.get_by_label("Centre x")).to_have_value(str(kept))


def test_signed_out_in_the_middle_one_signs_in_again_and_nothing_is_lost(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    case = first_case(study_with_cases("refuge", organiser, graders[:1], 1), graders[0])
    reader = sit_down(visit(graders[0]), case)
    Session.objects.all().delete()

    reader.press("3")
    reader.click(200, 240)
    reader.says("You have been signed out")
    expect(reader.page.locator(".wb-save")).to_have_text("Signed out, 1 change waiting")
    reader.visitor.context.add_cookies([_session(graders[0], reader.visitor.home)])

    reader.is_saved()
    assert geometry(case, "fovea") == AROUND


def test_on_a_shared_computer_the_changes_of_another_person_are_neither_shown_nor_sent(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:2], 1)
    gina, gus = graders[:2]
    reader = sit_down(visit(gina), first_case(study, gina))
    reader.page.route("**/drafts/**", lambda route: route.abort())
    reader.press("3")
    reader.click(200, 240)
    expect(reader.page.locator(".wb-save")).to_contain_text("1 change waiting")
    reader.page.unroute("**/drafts/**")

    reader.visitor.context.add_cookies([_session(gus, reader.visitor.home)])
    other = sit_down(reader.visitor, first_case(study, gus))
    other.press("3")
    other.click(300, 300)
    other.is_saved()

    assert drafts(first_case(study, gina)) == {}
    assert geometry(first_case(study, gus), "fovea") == pytest.approx({"x": 300, "y": 300}, abs=1)


def test_a_case_left_behind_offline_is_sent_from_the_next_one(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 2)
    first, second = own_cases(study, graders[0])
    reader = sit_down(visit(graders[0]), first)
    reader.page.route("**/drafts/**", lambda route: route.abort())
    reader.press("3")
    reader.click(200, 240)
    expect(reader.page.locator(".wb-save")).to_contain_text("1 change waiting")

    reader.press(".")
    reader.is_at_case(2)
    reader.says("1 change of another case waits too")
    reader.page.unroute("**/drafts/**")

    reader.is_saved()
    assert geometry(first, "fovea") == AROUND
    assert drafts(second) == {}
