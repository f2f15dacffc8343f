"""Clinical truth: imported as a whole or not at all, versioned, and left alone by every vote."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from annotator.errors import DomainError
from annotator.models import AuditEvent, Case, Study, User
from consensus.models import ConsensusRun, Reference
from consensus.selectors.truth import strata_table
from consensus.services.truth import Table, TruthPlan, import_truth, plan_truth
from tests import cast
from tests.consensus import scene

pytestmark = pytest.mark.django_db
RECORDS = "Clinical records, visual field and IOP"


@pytest.fixture
def study(organiser: User) -> Study:
    """Three cases: picture-1.png, picture-2.png and picture-3.png."""
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 3, actor=organiser)
    return study


def table(text: str) -> Table:
    return Table("truth.csv", text.encode())


def taken(study: Study, text: str, actor: User, reason: str = "") -> ConsensusRun | None:
    return import_truth(study=study, actor=actor, table=table(text), source=RECORDS, reason=reason)


def known(study: Study) -> dict[int, str]:
    rows = Reference.objects.filter(case__study=study, state="imported", following__isnull=True)
    return dict(rows.values_list("case__number", "label"))


def plan(study: Study, text: str) -> TruthPlan:
    return plan_truth(study=study, table=table(text))


def test_an_import_makes_references_that_say_where_they_come_from(study: Study, organiser: User) -> None:
    run = taken(study, "case,glaucoma\n1,1\n2,0\n", organiser)

    assert run is not None
    assert (run.kind, run.cases_total, run.started_by) == ("import", 2, organiser)
    assert run.rules["glaucoma"]["sha256"] == table("case,glaucoma\n1,1\n2,0\n").sha256
    assert known(study) == {1: "glaucoma", 2: "no-glaucoma"}
    first = scene.latest(scene.case_of(study), "glaucoma")
    assert (first.state, first.version, first.source, first.decided_by) == ("imported", 1, RECORDS, None)
    event = AuditEvent.objects.get(study=study, action="truth.imported")
    assert event.after is not None
    assert event.after["cases"] == [1, 2]


def test_cases_are_found_by_the_names_of_their_files(study: Study, organiser: User) -> None:
    taken(study, "image,glaucoma\nfolder/PICTURE-3.jpg,Glaucoma\n", organiser)
    assert known(study) == {3: "glaucoma"}


def test_a_bad_line_is_named_and_nothing_is_changed(study: Study, organiser: User) -> None:
    with pytest.raises(DomainError) as refused:
        taken(study, "case,glaucoma\n1,1\n2,perhaps\n9,0\n", organiser)

    assert refused.value.code == "bad_table"
    lines = refused.value.message.split("\n")
    assert lines[0].startswith("truth.csv, line 3: “perhaps” is not allowed in column “glaucoma”")
    assert lines[1] == "truth.csv, line 4: “9” in column “case”: the study has no such case."
    assert not ConsensusRun.objects.filter(study=study).exists()
    assert known(study) == {}


def test_a_case_that_the_study_does_not_have_is_a_bad_line(study: Study) -> None:
    (fault,) = plan(study, "case,glaucoma\n1,1\n9,0\n").faults
    assert fault == "truth.csv, line 3: “9” in column “case”: the study has no such case."


def test_cases_without_an_answer_are_listed(study: Study) -> None:
    assert plan(study, "case,glaucoma\n2,1\n3,\n").missing == {"glaucoma": [1, 3]}


def test_the_same_answers_again_change_nothing(study: Study, organiser: User) -> None:
    taken(study, "case,glaucoma\n1,1\n", organiser)
    assert taken(study, "case,glaucoma\n1,glaucoma\n", organiser) is None
    assert Reference.objects.filter(case__study=study).count() == 1


def test_a_correction_needs_a_reason_and_makes_a_new_version(study: Study, organiser: User) -> None:
    taken(study, "case,glaucoma\n1,1\n2,0\n", organiser)

    with pytest.raises(DomainError, match="Say why"):
        taken(study, "case,glaucoma\n1,0\n2,0\n", organiser)
    taken(study, "case,glaucoma\n1,0\n2,0\n", organiser, reason="The second visual field was normal.")

    versions = Reference.objects.filter(case=scene.case_of(study)).order_by("version")
    assert [(row.version, row.label, row.comment) for row in versions] == [
        (1, "glaucoma", ""),
        (2, "no-glaucoma", "The second visual field was normal."),
    ]
    assert known(study) == {1: "no-glaucoma", 2: "no-glaucoma"}


def test_an_import_without_a_source_is_refused(study: Study, organiser: User) -> None:
    with pytest.raises(DomainError, match="where the clinic knows"):
        import_truth(study=study, actor=organiser, table=table("case,glaucoma\n1,1\n"), source="  ")
    taken(study, "case,glaucoma\n1,1\n", organiser)
    row = scene.latest(scene.case_of(study), "glaucoma")
    row.pk, row.version, row.previous_id, row.source = None, 2, row.pk, ""
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_what_is_confirmed_is_what_was_looked_at(study: Study, organiser: User) -> None:
    seen = plan(study, "case,glaucoma\n1,1\n").digest
    taken(study, "case,glaucoma\n1,0\n", organiser)
    with pytest.raises(DomainError) as refused:
        import_truth(
            study=study,
            actor=organiser,
            table=table("case,glaucoma\n1,1\n"),
            source=RECORDS,
            reason="Typing error",
            seen=seen,
        )
    assert refused.value.code == "truth_changed"
    assert known(study) == {1: "no-glaucoma"}


def test_the_image_list_s_strata_make_such_a_table(study: Study) -> None:
    assert strata_table(study) == b""
    Case.objects.filter(study=study, number=2).update(strata={"glaucoma": "glaucoma", "camera": "new"})
    assert strata_table(study) == b"case,glaucoma\n2,glaucoma\n"


def test_a_study_without_such_targets_refuses_a_table(organiser: User) -> None:
    with pytest.raises(DomainError, match="answered by the clinic"):
        plan(cast.study_of("glas", organiser=organiser), "case,glaucoma\n1,1\n")


def test_a_run_and_a_decision_leave_imported_truth_alone(organiser: User, senior: User, graders: list[User]) -> None:
    answers = [scene.refuge_answers(shift) for shift in (0.0, 1.0, 2.0)]
    study = scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders, answers=answers)
    taken(study, "case,glaucoma\n1,1\n", organiser)

    job = scene.fuse_all(study, actor=senior)

    assert job.result is not None
    assert job.result["cases"] == 1
    assert scene.latest(scene.case_of(study), "glaucoma").version == 1
    assert scene.latest(scene.case_of(study), "disc").state == "automatic"


def test_the_command_imports_and_says_what_is_missing(study: Study, organiser: User, tmp_path: Path) -> None:
    file, said = tmp_path / "truth.csv", StringIO()
    file.write_text("case,glaucoma\n1,1\n2,0\n")
    call_command("import-truth", str(file), study=study.name, source=RECORDS, dry_run=True, stdout=said)
    assert known(study) == {}

    call_command("import-truth", str(file), study=study.name, source=RECORDS, stdout=said)

    assert known(study) == {1: "glaucoma", 2: "no-glaucoma"}
    assert "missing    glaucoma: cases 3\n2 new, 0 corrected, 0 known already" in said.getvalue()


def test_the_command_names_every_bad_line(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "truth.csv"
    file.write_text("case,glaucoma\n1,maybe\n8,0\n")
    with pytest.raises(CommandError, match=r"truth.csv, line 2: “maybe”(.|\n)*Nothing was changed."):
        call_command("import-truth", str(file), study=study.name, source=RECORDS)
    assert known(study) == {}
