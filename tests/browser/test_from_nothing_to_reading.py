"""The organiser's way from a paper to readers at work, and the grader's first minutes."""

import base64
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotator.models import Assignment, Membership, Study, User
from protocols.recipe_data import from_data
from tests import cast
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
DROP = """(files) => {
    const transfer = new DataTransfer();
    for (const [name, content] of files) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
    }
    return transfer;
}"""
# It says so for two seconds only, in which the page itself looks often enough.
COPIED = "() => [...document.querySelectorAll('button')].some((button) => button.innerText.trim() === 'Copied')"


def drop(page: Page, *files: tuple[str, bytes]) -> None:
    packed = [[name, base64.b64encode(content).decode()] for name, content in files]
    transfer = page.evaluate_handle(DROP, packed)
    page.locator("[data-dropzone]").dispatch_event("dragover", {"dataTransfer": transfer})
    page.locator("[data-dropzone]").dispatch_event("drop", {"dataTransfer": transfer})


def confirm(page: Page, label: str) -> None:
    """The preview says how many files there are; then it is pressed."""
    page.get_by_role("button", name=label, exact=True).click()


def test_an_organiser_makes_a_study_from_refuge_and_sees_the_difference_from_the_paper(
    visit: Visit, organiser: User
) -> None:
    visitor = visit(organiser)
    page = visitor.go("/")
    visitor.look()
    visitor.press("New study")
    visitor.look()
    visitor.press("Use REFUGE")
    page.get_by_label("Name", exact=True).fill("Glaucoma in Lyon")
    page.get_by_label("Graders per case").fill("3")
    visitor.press("Show the differences first")
    shown = visitor.text()
    visitor.look()

    visitor.press("Create the study")

    study = Study.objects.get()
    assert "1 difference from the paper" in shown
    assert (study.name, from_data(study.recipe).readers.graders_per_case) == ("Glaucoma in Lyon", 3)
    expect(page.get_by_role("heading", name="Glaucoma in Lyon")).to_be_visible()
    expect(page.get_by_role("link", name="Add images")).to_be_visible()
    visitor.look()


def test_a_study_without_a_name_is_refused_at_its_field(visit: Visit, organiser: User) -> None:
    visitor = visit(organiser)
    page = visitor.go("/studies/new/?protocol=refuge")
    page.evaluate("document.querySelector('form.split').noValidate = true")

    visitor.press("Create the study")

    field = page.get_by_label("Name", exact=True)
    expect(field).to_be_focused()
    page.get_by_label("Description").focus()
    assert field.evaluate("node => getComputedStyle(node).borderColor") == _danger(page)
    assert Study.objects.count() == 0


def _danger(page: Page) -> str:
    """The token's colour as the browser writes colours."""
    return str(
        page.evaluate("""() => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.className = "field-error";
            const colour = getComputedStyle(probe).color;
            probe.remove();
            return colour;
        }""")
    )


def test_dropped_images_are_added_and_the_others_stand_in_a_table_with_reasons(
    visit: Visit, organiser: User, study: Study
) -> None:
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/upload/")
    visitor.look()
    picture = cast.tiny_png(1)

    drop(page, ("one.png", picture), ("two.png", cast.tiny_png(2)), ("cut.png", cast.tiny_png(3)[:-60]))
    expect(page.get_by_role("heading", name="Before anything is sent")).to_be_visible()
    visitor.look()
    assert study.images.count() == 0
    confirm(page, "Upload 3 files")
    expect(page.get_by_role("heading", name="Upload finished")).to_be_visible()
    drop(page, ("one again.png", picture))
    confirm(page, "Upload 1 file")
    expect(page.locator("[data-count=duplicate]")).to_have_text("1")

    rows = page.locator("[data-refused] tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["cut.png", "one"]
    assert ("Refused" in rows[0], "Already there" in rows[1]) == (True, True)
    assert sorted(study.images.values_list("original_name", flat=True)) == ["one.png", "two.png"]
    visitor.look()
    visitor.press("See the images")
    assert page.locator(".thumb").count() == 2


def test_files_are_chosen_by_the_picker_too(visit: Visit, organiser: User, study: Study, tmp_path: Path) -> None:
    (tmp_path / "left.png").write_bytes(cast.tiny_png(4))
    page = visit(organiser).go(f"/studies/{study.public_id}/upload/")

    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(tmp_path / "left.png")
    confirm(page, "Upload 1 file")

    expect(page.locator("[data-count=accepted]")).to_have_text("1")
    assert study.images.get().original_name == "left.png"


def test_a_dropped_archive_leads_to_its_job(
    visit: Visit, organiser: User, study: Study, settings: object, tmp_path: Path
) -> None:
    settings.DATA_ROOT = tmp_path  # type: ignore[attr-defined]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.png", cast.tiny_png(1))
        archive.writestr("letter.txt", "Dear colleague")
    visitor = visit(organiser)
    page = visitor.go(f"/studies/{study.public_id}/upload/")

    drop(page, ("eyes.zip", packed.getvalue()))
    confirm(page, "Upload 1 file")
    expect(page.get_by_role("heading", name="eyes.zip: what would be imported")).to_be_visible()
    visitor.look()
    confirm(page, "Import 1 image")

    expect(page.get_by_role("heading", name="Import of images")).to_be_visible()
    expect(page.locator("main")).to_contain_text("1 image was added. 1 file was rejected.")
    expect(page.get_by_role("cell", name="letter.txt")).to_be_visible()
    assert study.images.count() == 1
    visitor.look()


def test_a_bad_archive_is_refused_on_the_spot(visit: Visit, organiser: User, study: Study) -> None:
    page = visit(organiser).go(f"/studies/{study.public_id}/upload/")

    drop(page, ("eyes.zip", b"Dear colleague, this is a letter."))
    confirm(page, "Upload 1 file")

    expect(page.locator("[data-archives]")).to_contain_text("not a .zip, .tar or .tar.gz archive")


def test_an_invited_grader_joins_by_the_link_gets_cases_and_reads(visit: Visit, organiser: User) -> None:
    study = cast.study_of("refuge", organiser=organiser, changes={"readers.graders_per_case": 1})
    cast.add_pictures(study, 3, actor=organiser)
    visitor = visit(organiser)

    link = _invite(visitor, study, "nora@example.org")
    grader = _join(visit(), link)
    _assign_and_open(visitor, study)

    page = grader.go("/")
    grader.look()
    grader.press("Start reading")
    expect(page.get_by_text("Case 1 of 3").last).to_be_visible()
    expect(page.locator("[data-ready=true]")).to_be_visible()
    grader.look()
    page.keyboard.press(".")
    expect(page.get_by_text("Case 2 of 3").last).to_be_visible()
    page.keyboard.press(",")
    expect(page.get_by_text("Case 1 of 3").last).to_be_visible()
    assert Assignment.objects.filter(grader__user__email="nora@example.org").count() == 3


def _invite(visitor: Visitor, study: Study, email: str) -> str:
    page = visitor.go(f"/studies/{study.public_id}/people/")
    visitor.look()
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Role").select_option("grader")
    visitor.press("Invite")
    visitor.look()
    page.get_by_role("button", name="Copy").click()
    page.wait_for_function(COPIED)
    return str(page.evaluate("navigator.clipboard.readText()"))


def _join(guest: Visitor, link: str) -> Visitor:
    page = guest.go(link)
    guest.look()
    page.keyboard.type("Nora Novak")
    page.keyboard.press("Tab")
    page.keyboard.type("seven quiet lanterns")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("Welcome to the study")).to_be_visible()
    assert Membership.objects.get(user__email="nora@example.org").role == "grader"
    return guest


def _assign_and_open(visitor: Visitor, study: Study) -> None:
    page = visitor.go(f"/studies/{study.public_id}/assign/")
    visitor.look()
    visitor.press("Preview")
    expect(page.get_by_text("Nothing has been assigned yet.")).to_be_visible()
    visitor.look()
    visitor.press("Make 3 assignments")
    visitor.go(f"/studies/{study.public_id}/")
    page.get_by_role("button", name="Open for reading").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="Open for reading").click()
    study.refresh_from_db()
    assert study.state == Study.State.READING
