"""A senior signs the references off, the organiser takes them along, and afterwards the table asks why one changes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from annotator.models import Job, Membership, Role, Study
from annotator.services.job_run import run_job
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


def test_an_organiser_takes_a_signed_version_along_and_checks_the_file(
    visit: Visit, decided: Study, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_ROOT = tmp_path
    version = sign(decided, seniors_of(decided)[0])
    monkeypatch.setattr("annotator.services.jobs.ring", lambda job_id: None)  # the worker is busy elsewhere
    visitor = visit(Membership.objects.get(study=decided, role=Role.ORGANISER).user)
    page = visitor.go(f"/studies/{decided.public_id}/datasets/{version.public_id}/")
    visitor.press("Export…")
    visitor.look()
    page.get_by_label("Licence").fill("CC BY 4.0")
    visitor.press("Make the archive")
    expect(page.get_by_role("heading", name="Making the archive")).to_be_visible()
    expect(page.locator("[data-job-state]")).to_have_text("Waiting")
    visitor.look()

    run_job(Job.objects.get(kind="export_dataset").pk)

    expect(page.get_by_role("link", name="Download")).to_be_visible()  # the page found out by itself
    visitor.look()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    call_command("verify-export", str(file))
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
