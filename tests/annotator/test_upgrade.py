"""An installation with work in it is brought up to date: tables are altered while other rows point to them."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from annotator.models import Assignment, Draft, Study, User
from annotator.services.backup import back_up
from tests import cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.skipif("connection.vendor != 'sqlite'")]


def triggers() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return {name for (name,) in cursor.fetchall()}


def test_a_table_is_altered_under_rows_and_triggers_that_name_it(study: Study, organiser: User) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    assignment = Assignment.objects.filter(round__study=study).earliest("pk")
    image, target = study.images.get(), study.targets.earliest("pk")
    Draft.objects.create(assignment=assignment, image=image, target=target, version=1)
    before = triggers()

    call_command("migrate", "annotator", "0004", verbosity=0)
    call_command("migrate", verbosity=0)

    assert Draft.objects.get().assignment == assignment
    assert triggers() == before != set()


def test_the_backup_before_an_upgrade_needs_no_table_that_the_upgrade_brings(
    study: Study, organiser: User, tmp_path: Path
) -> None:
    image = cast.add_pictures(study, 1, actor=organiser)[0]
    call_command("migrate", "consensus", "zero", verbosity=0)  # and with it all that stands on it
    try:
        manifest = back_up(file=tmp_path / "before.tar", report=lambda done, total: None)
    finally:
        call_command("migrate", verbosity=0)
    assert manifest["originals"] == [image.sha256]
