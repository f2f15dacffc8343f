"""One headless Chromium per worker, and people who sit at it. Whatever a page does wrong fails the test at its end."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as current
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from annotator.models import User
from tests.browser.visitor import Visitor
from tests.servers.binaries import lightest
from tests.waiting import PATIENCE_SECONDS

PATIENCE_MS = 1000 * PATIENCE_SECONDS
expect.set_options(timeout=PATIENCE_MS)
# It is noon where they sit, so that no test is the one that midnight falls into.
NOON = f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"
# Nothing moves from one place or colour to another: what is pressed or inspected on its way there is nowhere.
PLACE: Any = {
    "viewport": {"width": 1280, "height": 900},
    "locale": "en-GB",
    "timezone_id": NOON,
    "reduced_motion": "reduce",
}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    # Playwright's loop runs in this thread until the end, which Django takes for asynchronous code; nothing here is.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        # The sandbox needs rights that a container does not have; the pages are our own.
        browser = playwright.chromium.launch(
            executable_path=lightest("Chromium"), args=["--no-sandbox"], timeout=4 * PATIENCE_MS
        )
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _own_place(chromium: Browser, db: None, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    cache.clear()  # refused sign-ins of one test would slow down the next


@pytest.fixture(scope="session")
def inspected(shared_folder: Path) -> Path:
    """Which kinds of page have been inspected."""
    folder = shared_folder / "inspected"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer, inspected: Path) -> Iterator[Callable[..., Visitor]]:
    """`visit(organiser)` is a browser of its own in which the organiser is signed in; `visit()` nobody."""
    visitors: list[Visitor] = []

    def arrive(user: User | None = None, **options: Any) -> Visitor:
        context = chromium.new_context(**PLACE, **options)
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_server.url)
        if user is not None:
            context.add_cookies([_session(user, live_server.url)])
        visitors.append(Visitor(context, live_server.url, user, inspected))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.context.close()
    assert [fault for visitor in visitors for fault in visitor.faults] == []


def _session(user: User, address: str) -> Any:
    client = Client()
    client.force_login(user)
    return {"name": current.SESSION_COOKIE_NAME, "value": client.session.session_key, "url": address}
