"""The organiser imports clinical truth; a senior finds it folded away beside the case."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Membership, Role
from tests.browser.table_scene import ellipse, read_refuge, seniors_of, sit_down
from tests.browser.visitor import Visitor
from tests.consensus.scene import case_of, latest

pytestmark = pytest.mark.django_db(transaction=True)
Visit = Callable[..., Visitor]


def test_truth_is_previewed_imported_and_seen_by_the_senior(visit: Visit) -> None:
    study = read_refuge([ellipse(200 + shift, 240, 60, 70) for shift in (-4, 0, 4)])
    organiser = Membership.objects.get(study=study, role=Role.ORGANISER).user
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/truth/")
    visitor.look()
    page.get_by_label("Source").fill("Visual field and IOP")
    table = {"name": "truth.csv", "mimeType": "text/csv", "buffer": b"case,glaucoma\n1,1\n"}
    page.get_by_label("Table (CSV)").set_input_files(table)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Nothing has been changed yet.")).to_be_visible()
    visitor.look()
    page.get_by_role("button", name="Import 1 answer").click()
    expect(page.get_by_text("1 answer was imported.")).to_be_visible()
    assert latest(case_of(study, 1), "glaucoma").source == "Visual field and IOP"

    seat = sit_down(visit, seniors_of(study)[0], study)
    told = seat.page.get_by_text("Source: Visual field and IOP")
    expect(told).not_to_be_visible()
    seat.page.get_by_text("Clinical truth, imported").click()
    expect(told).to_be_visible()
