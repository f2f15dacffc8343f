"""A REFUGE study of three graders, one of whom is wrong, fused; and a senior at its table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from django.conf import LazySettings
    from django.test import Client

    from annotator.models import Study, User
    from consensus.models import DatasetVersion
    from tests.consensus.senior import Table


@pytest.fixture
def fused_study(request: pytest.FixtureRequest, organiser: User, senior: User, graders: list[User]) -> Study:
    from tests.consensus import scene
    from tests.consensus.senior import SHIFTS, STEPS
    from tests.remembering import remembered

    def make() -> Study:
        study = scene.read_study(
            "refuge",
            organiser=organiser,
            senior=senior,
            graders=graders,
            answers=[scene.refuge_answers(shift) for shift in SHIFTS],
            changes={"review.steps": STEPS},
        )
        scene.fuse_all(study, actor=senior)
        return study

    return remembered(request, [organiser, senior, *graders], make)


@pytest.fixture
def table(fused_study: Study, senior: User, browser_of: Callable[[User], Client]) -> Table:
    from tests.consensus.senior import Table

    return Table(browser_of(senior), fused_study)


@pytest.fixture
def own_data_root(settings: LazySettings, tmp_path: Path) -> None:
    """For files that are kept beside the database."""
    settings.DATA_ROOT = tmp_path / "data"


@pytest.fixture
def version(
    request: pytest.FixtureRequest,
    organiser: User,
    senior: User,
    graders: list[User],
    browser_of: Callable[[User], Client],
) -> DatasetVersion:
    """Frozen after a correction, to be exported."""
    from tests.consensus.exported import frozen_version
    from tests.remembering import remembered

    make = partial(frozen_version, organiser, senior, graders, browser_of)
    return remembered(request, [organiser, senior, *graders], make)
