"""Desks in studies that are being read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from annotator.models import Study, User
    from tests.workbench.desk import Desk

SeatedAt = Callable[..., "Desk"]


@pytest.fixture
def desk(request: pytest.FixtureRequest, study: Study, organiser: User, graders: list[User]) -> Desk:
    """The first grader at the first of three cases of a REFUGE study, all of right eyes."""
    from tests import cast
    from tests.remembering import remembered
    from tests.workbench.desk import desk_of, open_study

    def make() -> Study:
        cast.add_pictures(study, 3, actor=organiser)
        return open_study(study, organiser)

    opened = remembered(request, [study, organiser, *graders], make)
    study.refresh_from_db()
    return desk_of(graders[0], opened)


@pytest.fixture
def seated(organiser: User, graders: list[User]) -> SeatedAt:
    """`seated("airogs", photographs=3)`: the first grader at the one case of a new study."""
    from tests import cast
    from tests.workbench.desk import add_eye, desk_of, open_study

    def at(protocol: str, *, photographs: int = 1, side: str = "R", changes: Any = None) -> Desk:
        study = cast.study_of(protocol, organiser=organiser, changes=changes)
        cast.add_cast(study, actor=organiser, graders=graders[:2])
        add_eye(study, photographs, actor=organiser, side=side)
        return desk_of(graders[0], open_study(study, organiser))

    return at


@pytest.fixture
def stored() -> Callable[[], Any]:
    """All that a change could touch, row by row."""
    from annotator.models import Assignment, AuditEvent, Draft, Reading, Revision

    def look() -> Any:
        tables: list[Any] = [Assignment, AuditEvent, Draft, Reading, Revision]
        return [list(table.objects.order_by("pk").values()) for table in tables]

    return look
