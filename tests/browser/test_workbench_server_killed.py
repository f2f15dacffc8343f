"""The server is killed while somebody draws, and started again: the page says how things stand, and nothing is lost."""

import contextlib
import json
import os
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE_MS
from tests.browser.reading_scene import Reader
from tests.browser.visitor import Visitor
from tests.running.installation import Installation, wait_until_served
from tests.running.nursery import nursery

pytestmark = [pytest.mark.browser]
MAKE = """
from django.test import Client
from tests import cast
from tests.browser.reading_scene import first_case, study_with_cases
organiser, grader = cast.person("Olga Organiser", can_create_studies=True), cast.person("Gina Grader")
case = first_case(study_with_cases("refuge", organiser, [grader], 1), grader)
client = Client()
client.force_login(grader)
print(client.cookies["quorum_session"].value, case.public_id)
"""
STORED = """
SELECT target.key, draft.content FROM annotator_draft draft JOIN annotator_target target ON target.id = draft.target_id
"""


def test_a_server_killed_in_mid_drag_and_started_again_has_everything(
    chromium: Browser, empty_database: Path, tmp_path: Path
) -> None:
    # In this mode scripts and styles are served from where they lie; collecting them would take longer than the rest.
    keys = {"QUORUM_AUDIT_KEY": "5e" * 32, "QUORUM_SECRET_KEY": "of-the-test-" * 5}
    installation = Installation(tmp_path, QUORUM_DEBUG="1", **keys)
    installation.begin_with(empty_database)
    session, case = installation.run(MAKE).split()[-2:]
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    context.add_cookies([{"name": "quorum_session", "value": session, "url": installation.address}])
    with contextlib.closing(context), nursery(installation) as servers, servers.server() as server:
        wait_until_served(installation.address)
        reader = arrived(Visitor(context, installation.address, None, tmp_path), case)
        reader.drag((400, 150), (520, 290))
        reader.is_saved()

        reader.press("2")
        with reader.dragging((430, 190), (490, 250)):
            os.killpg(server, signal.SIGKILL)
        expect(reader.page.locator(".wb-save")).to_have_text("Offline, 1 change waiting")
        reader.press("3")
        reader.click(200, 240)
        expect(reader.page.locator(".wb-save")).to_have_text("Offline, 2 changes waiting")
        assert set(stored(installation)) == {"disc"}

        with servers.server():
            reader.is_saved()
            reader.page.reload()
            expect(reader.page.locator(".wb-target-answer")).to_contain_text(["120", "60", "200"])
            assert reader.visitor.faults == []
    assert stored(installation)["cup"]["geometry"]["a"] == pytest.approx(30, abs=1)
    assert stored(installation)["fovea"]["geometry"] == pytest.approx({"x": 200, "y": 240}, abs=1)


def arrived(visitor: Visitor, case: str) -> Reader:
    page = visitor.go(f"/read/{case}/")
    expect(page.locator("[data-ready=true]")).to_be_visible()
    return Reader(visitor, page)


def stored(installation: Installation) -> dict[str, Any]:
    """As another reader than our own finds the drafts on disk."""
    with contextlib.closing(sqlite3.connect(installation.folder / "quorum.sqlite3")) as connection:
        return {target: json.loads(content) for target, content in connection.execute(STORED)}
