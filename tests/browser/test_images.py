"""Bringing many images in, finding one among them, and turning from one to the next."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from annotator.models import Job, Study, User
from annotator.services import arrivals
from tests import cast
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def test_an_upload_is_looked_at_first_paused_and_goes_on_after_the_server_was_away(
    visit: Visit, organiser: User, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_ROOT = tmp_path
    study = cast.study_of("airogs", organiser=organiser)
    folder = tmp_path / "photographs"
    folder.mkdir()
    for seed, name in enumerate(("P1_OD_1", "P1_OD_2", "P1_OS_1", "P2_OD_1", "holiday"), start=1):
        (folder / f"{name}.png").write_bytes(cast.tiny_png(seed))
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/upload/")

    page.locator("#upload-folder").set_input_files(folder)
    expect(counted(page, "cases")).to_have_text("5")
    page.get_by_role("heading", name="About these files").click()
    page.get_by_label("Pattern of the file names").fill("{subject}_{eye}_{position}")
    expect(counted(page, "faults")).to_have_text("1")
    assert [counted(page, what).inner_text() for what in ("files", "subjects", "eyes", "cases")] == ["5", "2", "3", "3"]
    say_table(page, "file,device\nP1_OD_1.png,Canon,more\n")
    expect(page.get_by_role("alert")).to_contain_text("line 2")
    expect(page.get_by_role("button", name="Upload 4 files")).to_be_disabled()
    visitor.look()
    say_table(page, "file,device,subject\n" + "".join(f"{place.name},Canon,\n" for place in folder.iterdir()))
    expect(page.get_by_role("row", name="holiday.png")).to_contain_text("does not fit the pattern")
    visitor.look()

    away(page, "**/upload/")
    page.get_by_role("button", name="Upload 4 files").click()
    expect(page.get_by_role("status").last).to_contain_text("It goes on by itself")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", name="Paused")).to_be_visible()
    page.unroute("**/upload/")
    assert study.images.count() == 0
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("heading", name="Upload finished")).to_be_visible()
    expect(page.locator("[data-count=accepted]")).to_have_text("4")
    assert set(study.images.values_list("device", flat=True)) == {"Canon"}
    assert sorted(case.images.count() for case in study.cases.all()) == [1, 1, 2]

    page.reload()
    page.locator("#upload-folder").set_input_files(folder)
    page.get_by_role("button", name="Upload 5 files").click()
    expect(page.locator("[data-count=duplicate]")).to_have_text("4")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the report").click()
    report = Path(saved.value.path()).read_text("utf-8-sig")
    assert sorted(line.split(",")[1] for line in report.splitlines()) == ["added", *["already there"] * 4, "outcome"]


def test_an_archive_goes_on_where_it_ended_after_the_page_was_loaded_anew(
    visit: Visit, organiser: User, study: Study, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_ROOT = tmp_path
    monkeypatch.setattr(arrivals, "PART_BYTES", 2000)
    monkeypatch.setattr("annotator.views.upload_arrivals.PART_BYTES", 2000)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for seed in (1, 2, 3):
            archive.writestr(f"eyes/P{seed}_OS.png", cast.tiny_png(seed))
    eyes = {"name": "eyes.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}
    page = visit(organiser).go(f"/studies/{study.public_id}/upload/")
    away(page, re.compile("offset=2000"))

    page.locator("#upload-files").set_input_files([eyes])
    page.get_by_role("button", name="Upload 1 file").click()
    expect(page.locator("[data-archive-list]")).to_contain_text("It goes on by itself")
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.locator("[data-interrupted]")).to_contain_text("Choose the same files")
    page.unroute(re.compile("offset=2000"))
    offsets: list[str] = []
    page.on("request", lambda request: offsets.extend(re.findall(r"offset=(\d+)", request.url)))
    page.locator("#upload-files").set_input_files([eyes])
    page.get_by_role("button", name="Upload 1 file").click()
    expect(page.get_by_role("row", name="eyes/P1_OS.png")).to_contain_text("a subject of its own")
    page.get_by_role("heading", name="About these files").click()
    page.get_by_label("Pattern of the file names").fill("{subject}_{eye}")
    expect(page.get_by_role("row", name="eyes/P1_OS.png")).to_contain_text("P1Left1")
    page.get_by_role("button", name="Import 3 images").click()
    expect(page.locator("main")).to_contain_text("3 images were added.")

    assert offsets[0] == "2000"
    assert sorted(map(str, study.images.values_list("subject__pseudonym", flat=True))) == ["P1", "P2", "P3"]
    assert Job.objects.get().state == Job.State.DONE


def counted(page: Page, what: str) -> Any:
    return page.locator(f"[data-planned={what}]")


def say_table(page: Page, table: str) -> None:
    page.get_by_label("Table of the images").set_input_files(
        {"name": "images.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )


def away(page: Page, address: Any) -> None:
    """Nobody answers there."""

    def lost(route: Route) -> None:
        route.abort("connectionrefused")

    page.route(address, lost)


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
