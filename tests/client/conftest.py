"""A study whose readings became references, frozen; its archive; and people with tokens."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.client.archives import EXAMPLES

FORMATS = ["masks", "tables", "readings", "votes", "staple", "images"]

if TYPE_CHECKING:
    from annotator.models import User


@pytest.fixture(scope="module")
def exported(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that the client reads of a REFUGE study: `all.zip`, and `halves.zip` with one of two parts hidden."""
    from django.db import transaction
    from django.test import Client, override_settings

    from tests import cast
    from tests.consensus.exported import frozen_version, in_halves, made

    def browser_of(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    folder = tmp_path_factory.mktemp("exported")
    places = override_settings(MEDIA_ROOT=folder / "media", DATA_ROOT=folder / "data")
    with django_db_blocker.unblock(), places, transaction.atomic():
        organiser = cast.person("Olga Organiser", can_create_studies=True)
        graders = [cast.person(f"{name} Grader") for name in ("Gina", "Gus", "Greta")]
        version = frozen_version(organiser, cast.person("Sven Senior"), graders, browser_of)
        split = in_halves(version)
        for name, wish in {"all": {}, "halves": {"split": split, "withheld": ["onsite"]}}.items():
            (folder / f"{name}.zip").write_bytes(made(version, organiser, formats=FORMATS, **wish).content)
        transaction.set_rollback(True)
    return folder


@pytest.fixture
def example(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What an example prints: example("submit", address, …, token=…)."""

    def run(name: str, *arguments: object, token: str = "") -> list[str]:
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        monkeypatch.setenv("QUORUM_TOKEN", token)
        runpy.run_path(str(EXAMPLES / f"{name}.py"))
        return capsys.readouterr().out.splitlines()

    return run
