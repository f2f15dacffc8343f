"""A full disk refuses what comes, in a sentence; what was there before stays, and with room again work goes on."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client

from annotator.models import AuditEvent, Image, Study, User
from annotator.selectors.audit import audit_faults
from annotator.services.studies import changed_recipe, create_study
from tests import cast
from tests.safety.inspection import header_faults

pytestmark = pytest.mark.django_db(transaction=True)
UNLIMITED = 1073741823


@pytest.fixture
def full_database(study: Study) -> Iterator[Callable[[], None]]:
    """Called, it gives the room back. SQLite counts pages and refuses the next one as on a full disk."""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite's own limit")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA max_page_count = 1")  # no fewer than there are

    def give_room() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {UNLIMITED}")

    yield give_room
    give_room()


def browser(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def duplicate(client: Client, study: Study) -> Any:
    return client.post(f"/studies/{study.public_id}/duplicate/", {"name": "A copy", "with_people": "on"})


def test_a_page_says_that_the_disk_is_full_and_saves_when_there_is_room_again(
    study: Study, organiser: User, full_database: Callable[[], None]
) -> None:
    events = AuditEvent.objects.count()
    client = browser(organiser)

    refused = duplicate(client, study)

    assert refused.status_code == 507
    assert "The disk is full" in refused.content.decode()
    assert header_faults(refused) == []
    assert (Study.objects.count(), AuditEvent.objects.count()) == (1, events)
    assert list(audit_faults()) == []
    assert client.get(f"/studies/{study.public_id}/").status_code == 200  # earlier work can be looked at

    full_database()
    assert duplicate(client, study).status_code == 302
    assert Study.objects.count() == 2
    assert list(audit_faults()) == []


def test_the_api_says_that_the_disk_is_full(study: Study, organiser: User, full_database: Callable[[], None]) -> None:
    client = browser(organiser)
    body = {"name": "Another", "protocol": "refuge"}

    refused = client.post("/api/v1/studies/", body, content_type="application/json")

    assert (refused.status_code, refused.json()["code"]) == (507, "disk_full")
    full_database()
    assert client.post("/api/v1/studies/", body, content_type="application/json").status_code == 201


def test_a_service_that_fails_on_a_full_disk_leaves_nothing_half_done(
    study: Study, organiser: User, full_database: Callable[[], None]
) -> None:
    recipe = changed_recipe(protocol="adam", changes={})
    with pytest.raises(OperationalError, match="full"):
        create_study(name="Another", recipe=recipe, actor=organiser)
    full_database()
    create_study(name="Another", recipe=recipe, actor=organiser)
    assert Study.objects.count() == 2


@pytest.mark.parametrize("words", ["database or disk is full", 'could not extend file "x": No space left on device'])
def test_a_session_that_cannot_be_saved_is_answered_with_the_sentence(
    organiser: User, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """The session is saved outside any view."""

    def full(*args: object, **kwargs: object) -> None:
        raise OperationalError(words)

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.save", full)
    client = Client(raise_request_exception=False)
    refused = client.post("/account/login/", {"login": organiser.email, "password": cast.PASSWORD})
    assert refused.status_code == 507
    assert "The disk is full" in refused.content.decode()


def files() -> set[Path]:
    return {path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


@pytest.mark.parametrize("call", ["fsync", "rename"])
@pytest.mark.parametrize("door", ["/studies/{study}/upload/", "/api/v1/studies/{study}/images/"])
def test_a_full_store_keeps_nothing_of_a_picture_and_takes_it_later(
    study: Study, organiser: User, monkeypatch: pytest.MonkeyPatch, call: str, door: str
) -> None:
    client, before = browser(organiser), files()
    seed = 900 + hash_of(call + door)
    address = door.format(study=study.public_id)

    def upload() -> Any:
        file = SimpleUploadedFile("a.png", cast.tiny_png(seed))
        return client.post(address, {"file": file}, headers={"Accept": "application/json"})

    with monkeypatch.context() as full:
        _fill(full, call)
        refused = upload()

    assert (refused.status_code, refused.json()["code"]) == (507, "disk_full")
    assert (Image.objects.count(), files()) == (0, before)
    assert upload().status_code == 201
    assert Image.objects.count() == 1


def hash_of(text: str) -> int:
    """The same in every process, unlike Python's own."""
    return sum(text.encode())


def _fill(full: pytest.MonkeyPatch, call: str) -> None:
    """The store's own system calls fail as on a full disk."""

    def no_room(*args: Any, **kwargs: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    full.setattr(f"annotator.store.os.{call}", no_room)


SMALL_DISK = """
import os, subprocess, sys
from annotator.store import Store, StoreFull
disk = sys.argv[1]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], check=True)
store = Store(disk)
first = store.put(b"a" * 150_000)
try:
    store.put(b"b" * 150_000)
except StoreFull:
    print("full")
print(store.open(first).read() == b"a" * 150_000, list(store.verify()))
print(sum(len(names) for _folder, _folders, names in os.walk(disk)))
subprocess.run(["mount", "-o", "remount,size=1m", disk], check=True)
print(store.exists(store.put(b"b" * 150_000)))
"""


def test_a_disk_that_is_really_full_keeps_what_it_had(tmp_path: Path) -> None:
    """A tiny file system in a name space of its own, which goes with the process."""
    root = Path(__file__).resolve().parents[2]
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("this machine gives no name spaces; the simulated full store is tested above")
    done = subprocess.run(
        [*alone, sys.executable, "-c", SMALL_DISK, str(tmp_path)], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["full", "True []", "1", "True"]
