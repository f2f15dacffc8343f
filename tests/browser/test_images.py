"""Finding an image among many, and turning from one to the next."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Study, User
from tests import cast
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def test_an_image_is_found_by_key_filter_and_page(visit: Visit, organiser: User, study: Study) -> None:
    cast.add_pictures(study, 100, actor=organiser)
    cast.add_pictures(study, 20, actor=organiser, first_seed=101, side="L")
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/images/")
    expect(page.get_by_text("120 images")).to_be_visible()
    visitor.look()

    page.keyboard.press("/")
    expect(page.get_by_label("Search")).to_be_focused()
    page.keyboard.type("P0007")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("1 image", exact=True)).to_be_visible()
    visitor.go(f"/studies/{study.public_id}/images/")
    with page.expect_navigation():
        page.get_by_label("Eye").select_option("L")
    expect(page.get_by_text("20 images")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("nobody")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing fits")).to_be_visible()
    visitor.look()


def test_pages_and_pictures_are_turned(visit: Visit, organiser: User, study: Study) -> None:
    cast.add_pictures(study, 120, actor=organiser)
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/images/?view=list")
    visitor.look()
    seen = set(page.locator("tbody tr td:nth-child(3)").all_inner_texts())
    while page.get_by_role("link", name="Next page").count():
        with page.expect_navigation():
            page.get_by_role("link", name="Next page").click()
        seen |= set(page.locator("tbody tr td:nth-child(3)").all_inner_texts())
    assert seen == {f"P{number:04d}" for number in range(1, 121)}

    visitor.go(f"/studies/{study.public_id}/images/")
    with page.expect_navigation():
        page.locator("a.thumb").nth(1).click()
    visitor.look()
    expect(page.get_by_role("img", name="Case 2")).to_be_visible()
    for key, case in (("ArrowRight", "Case 3"), ("ArrowLeft", "Case 2"), ("ArrowLeft", "Case 1")):
        with page.expect_navigation():
            page.keyboard.press(key)
        expect(page.get_by_role("img", name=case)).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_label("Actual size")).to_be_checked()
