"""A senior signs the references off, and afterwards the table asks why something changes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Study
from consensus.models import DatasetVersion, Reference
from consensus.services.accepting import accept_cases
from tests import cast
from tests.browser.table_scene import ellipse, read_refuge, seniors_of, sit_down
from tests.browser.visitor import Visitor
from tests.consensus.scene import latest
from tests.consensus.senior import sign

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Visit = Callable[..., Visitor]
DISCS = [ellipse(200 + shift, 240, 60, 70) for shift in (-4, 0, 4)]


@pytest.fixture
def decided() -> Study:
    study = read_refuge(DISCS)
    accept_cases(study=study, actor=seniors_of(study)[0], above=0.0)
    return study


def test_a_study_is_signed_off_with_the_password(visit: Visit, decided: Study) -> None:
    visitor = visit(seniors_of(decided)[0])
    page = visitor.go(f"/studies/{decided.public_id}/datasets/")
    visitor.look()
    visitor.press("Sign off…")
    visitor.look()
    words = page.locator("blockquote").inner_text()
    page.get_by_label("Your password").fill("not-the-right-phrase")
    visitor.press("Sign off")
    expect(page.get_by_text("This is not your password.")).to_be_visible()
    assert not DatasetVersion.objects.exists()

    page.get_by_label("Your password").fill(cast.PASSWORD)
    visitor.press("Sign off")

    expect(page.locator("blockquote")).to_have_text(words)
    visitor.look()
    version = DatasetVersion.objects.get()
    assert (version.meaning, version.signed_by) == (words, visitor.user)
    assert visitor.faults == []


def test_after_the_sign_off_the_table_asks_why(visit: Visit, decided: Study) -> None:
    senior = seniors_of(decided)[0]
    sign(decided, senior)
    before = Reference.objects.count()
    table = sit_down(visit, senior, decided)
    table.press("1")
    table.press("1")  # the first of the reasons that are asked for
    table.press("Enter")

    expect(table.page.get_by_text("The study is signed off. Say why this case changes.")).to_be_visible()
    reason = table.page.get_by_label("Reason for the change")
    expect(reason).to_be_focused()
    assert Reference.objects.count() == before

    table.page.keyboard.type("Seen at the follow-up.")
    table.page.get_by_role("button", name="Accept", exact=True).click()
    expect(table.page.get_by_text("Case 1 accepted.")).to_be_visible()
    assert latest(table.case, "disc").comment == "Seen at the follow-up."
