"""Instructions are written in Markdown with an example, and read by a grader."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from annotator.models import Study, User
from tests import cast
from tests.browser.visitor import Visitor
from tests.pages.work_scene import in_full_swing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
TEXT = "# The rim\n\nMark the **inner** edge.\n\n- not the halo\n- not the vessels\n\n<script>alert(1)</script>"


def test_a_grader_reads_what_the_organiser_wrote(
    visit: Visit, organiser: User, graders: list[User], study: Study, tmp_path: Path
) -> None:
    in_full_swing(study, organiser)
    (tmp_path / "rim.png").write_bytes(cast.tiny_png(9))
    writer, reader = visit(organiser), visit(graders[0])
    page = writer.go(f"/studies/{study.public_id}/instructions/")
    writer.look()
    writer.press("Edit")
    writer.look()
    page.get_by_label("Instructions").fill(TEXT)
    writer.press("Preview")
    expect(page.locator(".prose strong")).to_have_text("inner")
    writer.press("Save")
    target = study.targets.exclude(instructions="").get()
    writer.go(f"/studies/{study.public_id}/instructions/{target.key}/")
    page.get_by_label("Picture").set_input_files(tmp_path / "rim.png")
    page.get_by_label("Caption").fill("A sharp rim")
    writer.press("Add the picture")
    writer.look()

    seen = reader.go(f"/studies/{study.public_id}/instructions/")

    expect(seen.locator(".prose li")).to_have_text(["not the halo", "not the vessels"])
    expect(seen.locator(".prose")).to_contain_text("<script>alert(1)</script>")
    example = seen.get_by_role("img", name="A sharp rim")
    assert (
        example.evaluate("image => { image.loading = 'eager'; return image.decode().then(() => image.naturalWidth) }")
        == 32
    )
    assert (target.instructions.replace("\r\n", "\n"), target.examples.get().caption) == (TEXT, "A sharp rim")
    reader.look()
