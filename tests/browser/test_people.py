"""Who reads does not see the others' work, unless a reason is on record; who leaves loses access at the next click."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Membership, Role, Study, User
from tests.browser.visitor import Visitor
from tests.pages.work_scene import in_full_swing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
REASON = "Only three specialists in the country"


def test_reading_and_overseeing_asks_for_a_reason_that_the_study_page_shows(
    visit: Visit, organiser: User, senior: User, study: Study
) -> None:
    visitor, invited = visit(organiser), visit(senior)
    page = visitor.go(f"/studies/{study.public_id}/people/")
    page.get_by_label("E-mail address").fill(senior.email)
    page.get_by_label("Role").select_option("grader")
    visitor.press("Invite")
    reason = page.get_by_label("Reason for reading and seeing the work of others")
    expect(reason).to_be_focused()
    visitor.look()

    reason.fill(REASON)
    visitor.press("Invite")
    link = page.locator(".copy input").input_value()
    invited.go(link)
    invited.look()
    invited.press("Accept as Sven Senior")
    visitor.go(f"/studies/{study.public_id}/")

    assert Membership.objects.get(study=study, user=senior, role=Role.GRADER).both_sides_reason == REASON
    assert f"Reason: {REASON}" in visitor.text()
    visitor.look()


def test_a_leaver_loses_access_at_the_next_click_and_keeps_the_readings(
    visit: Visit, organiser: User, graders: list[User], study: Study
) -> None:
    in_full_swing(study, organiser)
    leaver, visitor = visit(graders[0]), visit(organiser)
    leaver.go("/")
    leaver.press("Start reading")
    expect(leaver.page.locator("[data-ready=true]")).to_be_visible()
    page = visitor.go(f"/studies/{study.public_id}/people/")
    row = page.get_by_role("row").filter(has_text=graders[0].name)

    row.get_by_role("button", name="Deactivate").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    row.get_by_role("button", name="Deactivate").click()
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    with leaver.page.expect_navigation():
        leaver.page.locator("a[href*='/worklist/']").first.click()

    assert "Case 2" not in leaver.page.inner_text("body")
    leaver.look()
    assert not Membership.objects.get(study=study, user=graders[0]).active
    expect(page.get_by_role("row").filter(has_text=graders[0].name)).to_contain_text("Left")
    leaver.go("/")
    assert "You are not part of a study" in leaver.text()
