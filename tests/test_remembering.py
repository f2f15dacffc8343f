"""Rows that are written again are the rows that were made."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import transaction

from annotator.models import Study, User
from annotator.selectors.audit import audit_faults
from tests import cast
from tests.remembering import remembered

pytestmark = pytest.mark.django_db


def all_rows() -> dict[str, list[Any]]:
    return {kind._meta.label: list(kind._base_manager.order_by("pk").values()) for kind in apps.get_models()}


def test_what_is_remembered_is_written_as_it_was_made(
    request: pytest.FixtureRequest, organiser: User, graders: list[User]
) -> None:
    made: list[Study] = []

    def make() -> Study:
        study = cast.study_of("refuge", organiser=organiser)
        cast.add_cast(study, actor=organiser, graders=graders)
        cast.add_pictures(study, 2, actor=organiser)
        cast.assign_all(study, actor=organiser)
        made.append(study)
        return study

    begin = transaction.savepoint()
    first = remembered(request, [organiser], make)
    as_made = all_rows()
    transaction.savepoint_rollback(begin)
    assert all_rows() != as_made
    again = remembered(request, [organiser], make)

    assert (len(made), again) == (1, first)
    assert all_rows() == as_made
    assert list(audit_faults()) == []


def test_in_another_state_it_is_made_anew(request: pytest.FixtureRequest, organiser: User) -> None:
    made: list[Study] = []

    def make() -> Study:
        made.append(cast.study_of(["refuge", "adam"][len(made)], organiser=organiser))
        return made[-1]

    assert [remembered(request, [organiser], make) for _ in range(2)] == made
    assert len(made) == 2
