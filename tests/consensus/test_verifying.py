"""`dataset verify` finds what was changed behind the program's back."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotator.answers import Given
from annotator.geometry import runs
from annotator.models import Image, Revision, Study, User
from annotator.models.triggers import install_triggers, put_triggers_aside
from annotator.services.images import image_store
from consensus.models import DatasetReading, DatasetVersion, Reference
from consensus.services.freezing import freeze_dataset
from consensus.services.verifying import faults_of
from tests.consensus import scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(fused_study: Study, senior: User) -> DatasetVersion:
    return freeze_dataset(study=fused_study, actor=senior, name="First")


def behind_its_back(statement: str, *values: str | int | bytes) -> None:
    """As somebody with the database's own tools would do it, the triggers taken away first."""
    put_triggers_aside(plan=["anything"])
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    install_triggers()


def original(study: Study) -> Path:
    return image_store().path(Image.objects.get(study=study).sha256)


def verified(*arguments: str) -> str:
    said = io.StringIO()
    call_command("dataset", "verify", *arguments, stdout=said)
    return said.getvalue()


def square(left: int, top: int) -> bytes:
    mask = np.zeros((scene.HEIGHT, scene.WIDTH), bool)
    mask[top : top + 6, left : left + 6] = True
    return runs.pack(runs.encode(mask))


def test_an_untouched_version_is_whole(version: DatasetVersion) -> None:
    assert list(faults_of(version)) == []
    assert "version 1 is whole: 1 images, 3 references, 3 readings." in verified("--study", version.study.name)


def test_objects_and_labels_are_computed_as_they_were_when_they_were_given(
    organiser: User, senior: User, graders: list[User]
) -> None:
    given = [Given("glands", masks=[square(2, 2), square(20, 12)]), Given("grade", label="benign")]
    changes = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 3}
    people = {"organiser": organiser, "senior": senior}
    study = scene.read_study("glas", **people, graders=graders, answers=[given] * 3, changes=changes)  # type: ignore[arg-type]
    scene.fuse_all(study, actor=senior)
    version = freeze_dataset(study=study, actor=senior, name="First")
    assert {row.reference.kind for row in version.references.all()} == {"objects", "label"}
    assert list(faults_of(version)) == []


def test_a_changed_image_file_is_found(version: DatasetVersion) -> None:
    path = original(version.study)
    before = path.read_bytes()
    path.chmod(0o640)
    path.write_bytes(before + b"\0")
    with pytest.raises(CommandError, match="image of case 1, photograph 1: the file has been changed"):
        verified()
    path.write_bytes(before)


def test_a_missing_image_file_is_found(version: DatasetVersion) -> None:
    path = original(version.study)
    away = path.with_suffix(".away")
    path.rename(away)
    assert list(faults_of(version)) == ["image of case 1, photograph 1: the file is missing"]
    away.rename(path)


def test_a_moved_point_of_a_reference_is_found(version: DatasetVersion) -> None:
    fovea = Reference.objects.get(target__key="fovea")
    behind_its_back("UPDATE consensus_reference SET geometry = %s WHERE id = %s", '{"x": 1.0, "y": 2.0}', fovea.pk)
    assert list(faults_of(version)) == ["reference of case 1, fovea: its content has been changed"]


@pytest.mark.parametrize("packed", [square(1, 1), b"damaged"])
def test_other_pixels_of_a_reference_are_found(version: DatasetVersion, packed: bytes) -> None:
    disc = Reference.objects.get(target__key="disc")
    behind_its_back("UPDATE consensus_reference SET runs = %s WHERE id = %s", packed, disc.pk)
    assert list(faults_of(version)) == ["reference of case 1, disc: its content has been changed"]


def test_a_changed_answer_of_a_reading_is_found_and_its_grader_named_by_letter_alone(version: DatasetVersion) -> None:
    answer = Revision.objects.filter(target__key="fovea").earliest("pk")
    behind_its_back("UPDATE annotator_revision SET geometry = %s WHERE id = %s", '{"x": 1.0, "y": 2.0}', answer.pk)
    (fault,) = faults_of(version)
    assert fault.startswith("reading of case 1, grader ")
    assert fault.removeprefix("reading of case 1, grader ")[0] in "ABC"


def test_a_row_taken_out_of_a_version_is_found(version: DatasetVersion) -> None:
    behind_its_back("DELETE FROM consensus_datasetreading WHERE id = %s", DatasetReading.objects.earliest("pk").pk)
    assert list(faults_of(version)) == ["manifest: the rows of the version are not those that were frozen"]


def test_a_changed_digest_of_a_version_is_found(version: DatasetVersion) -> None:
    behind_its_back("UPDATE consensus_datasetversion SET digest = %s WHERE id = %s", "0" * 64, version.pk)
    version.refresh_from_db()
    assert list(faults_of(version)) == ["manifest: the rows of the version are not those that were frozen"]


def test_a_version_that_is_not_there_is_refused(version: DatasetVersion) -> None:
    with pytest.raises(CommandError, match="no such version"):
        verified("--number", "7")
