"""What was read, logged, agreed on or frozen does not go, whatever program asks for it."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotator.models import AnnotationImport, AuditEvent, Reading, Revision, Role, Study, User
from annotator.models.triggers import FROZEN_TABLES, KEPT_TABLES
from annotator.services.job_run import run_job
from consensus.models import DatasetCase, Exam, ExamResult, Reference, SplitCase, SplitUnit
from consensus.services.drawings import request_drawings
from consensus.services.freezing import freeze_dataset
from evaluation.services.grader_scores import request_scores
from evaluation.services.reference_files import yardstick_of
from tests import cast
from tests.consensus.handmade import alerts_by_hand, discussion_by_hand, export_by_hand, removal_by_hand, split_by_hand
from tests.evaluation.challenge_scene import opened, score_all, sent, team_of

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


@pytest.fixture
def full(fused_study: Study, senior: User, organiser: User, graders: list[User]) -> Study:
    """A row in every table that a study read, fused and frozen fills, a split of it, and a challenge on it."""
    version = freeze_dataset(study=fused_study, actor=senior, name="First")
    split = split_by_hand(version)
    case = DatasetCase.objects.filter(version=version).select_related("case")[0].case
    subject = case.images.get().subject
    unit = SplitUnit.objects.create(split=split, subject=subject, part=split.plan["parts"][0]["key"])
    SplitCase.objects.create(split=split, unit=unit, case=case)
    _compete(fused_study, organiser)
    run_job(request_scores(study=fused_study, actor=organiser).pk)
    run_job(request_drawings(study=fused_study, actor=organiser).pk)
    alerts_by_hand(graders[0], organiser)
    export_by_hand(version)
    _examine(fused_study, organiser)
    discussion_by_hand(case)
    removal_by_hand(fused_study.memberships.filter(role=Role.GRADER).earliest("pk"), organiser)
    AnnotationImport.objects.create(
        study=fused_study, actor=organiser, format="masks", file_name="discs.zip", sha256="0" * 64, source="A clinic"
    )
    return fused_study


def _examine(study: Study, organiser: User) -> None:
    """One of its graders sat it as an exam of another study."""
    other = cast.study_of("refuge", organiser=organiser, name="Another one")
    exam = Exam.objects.create(study=other, held_in=study, limits={}, set_up_by=organiser)
    ExamResult.objects.create(
        exam=exam,
        candidate=study.memberships.filter(role=Role.GRADER).earliest("pk"),
        number=1,
        handed_in_at=timezone.now(),
        marks={},
        passed_as_grader=True,
        passed_as_adjudicator=False,
        images=0,
        truth_digest="0" * 64,
    )


def _compete(study: Study, organiser: User) -> None:
    """A team sends in the reference itself."""
    phase = opened(study, organiser=organiser).phases.get()
    ours = yardstick_of(phase).reference()
    files = {name: ours.read(name) for name in ours.names if name != "subjects.csv"}
    sent(phase, team_of(study, "Ours", organiser=organiser), files)
    score_all()


def has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")
        return cursor.fetchone() is not None


def test_no_row_of_a_kept_table_can_be_deleted(full: Study) -> None:
    tables = (*FROZEN_TABLES, *KEPT_TABLES)
    filled = [table for table in tables if has_rows(table)]
    assert set(tables) - set(filled) <= {"consensus_agreementreport"}  # made in the background, on demand
    for table in filled:
        refused = pytest.raises(IntegrityError, match="this row is kept and cannot be deleted")
        with refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize("model", [Reading, Revision, AuditEvent, Reference])
def test_a_single_row_cannot_be_deleted_either(full: Study, model: type[Reading]) -> None:
    row = model._default_manager.earliest("pk")
    with pytest.raises(IntegrityError, match="cannot be deleted"), transaction.atomic():
        model._default_manager.filter(pk=row.pk)._raw_delete(using="default")
    assert model._default_manager.filter(pk=row.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_between_two_tests_that_commit_the_guards_are_back(full: Study) -> None:
    """Emptying the tables after a test puts them aside; Django's own flush is called as after each such test."""
    from django.core.management import call_command

    call_command("flush", verbosity=0, interactive=False)
    assert not has_rows("annotator_auditevent")
    event = AuditEvent.objects.create(
        chain="none", number=1, at="2026-01-01T00:00:00Z", action="test.kept", subject="thing", digest="a" * 64
    )
    with pytest.raises(IntegrityError, match="cannot be deleted"), transaction.atomic():
        AuditEvent.objects.filter(pk=event.pk)._raw_delete(using="default")
