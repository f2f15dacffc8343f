"""Changing a study, and two people who change it at once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Role, Study, User
from annotator.services.people import add_member
from protocols.recipe_data import from_data
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def test_a_study_is_duplicated_with_its_people_and_changed(visit: Visit, organiser: User, study: Study) -> None:
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/settings/")
    visitor.look()
    visitor.press("Duplicate this study")
    visitor.look()
    visitor.press("Duplicate")
    copy = Study.objects.exclude(pk=study.pk).get()
    expect(page.get_by_role("heading", name=f"{study.name} (copy)")).to_be_visible()

    visitor.go(f"/studies/{copy.public_id}/settings/")
    page.get_by_label("Graders per case").fill("5")
    visitor.press("Change the protocol")

    copy.refresh_from_db()
    study.refresh_from_db()
    assert copy.memberships.count() == study.memberships.count()
    assert from_data(copy.recipe).readers.graders_per_case == 5
    assert from_data(study.recipe).readers.graders_per_case == 7


def test_the_second_of_two_organisers_is_told_and_nothing_is_overwritten(
    visit: Visit, organiser: User, outsider: User, study: Study
) -> None:
    add_member(study=study, user=outsider, role=Role.ORGANISER, actor=organiser)
    first, second = visit(organiser), visit(outsider)
    for visitor in (first, second):
        visitor.go(f"/studies/{study.public_id}/settings/")
    first.page.get_by_label("Name", exact=True).fill("The first name")
    first.press("Save")

    second.page.get_by_label("Name", exact=True).fill("The second name")
    with second.page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        second.press("Save")

    study.refresh_from_db()
    assert (answer.value.status, study.name) == (409, "The first name")
    expect(second.page.get_by_role("alert")).to_contain_text("changed")
    second.look()
