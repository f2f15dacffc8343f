"""Annotations that were made elsewhere become readings: of whom, what is refused, and that nothing is half imported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from django.contrib.auth import authenticate
from django.core.mail import EmailMessage
from django.core.management import CommandError
from django.db import DatabaseError, IntegrityError
from django.test import Client

from annotator.errors import Conflict
from annotator.models import AnnotationImport, Assignment, AuditEvent, Membership, Reading, Revision, Role, Study, User
from annotator.services.annotation_readings import begin
from annotator.services.assignments import Rule, plan_assignments
from annotator.services.people import accept_invitation, invitation_token, invite
from annotator.services.submission import withdraw_reading
from consensus.services.annotations import apply_annotations
from tests import cast
from tests.consensus import scene
from tests.consensus.arriving import SOURCE, arrived, commanded, drawn, laid, looked, png, said, square

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


@pytest.fixture
def bare(organiser: User, graders: list[User]) -> Study:
    """Two pictures, two graders, nothing assigned."""
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 2, actor=organiser)
    return study


@pytest.fixture
def masks(tmp_path: Path) -> Path:
    files = {f"{key}/picture-{number}.png": png(square(10 + number)) for key in ("disc", "cup") for number in (1, 2)}
    return laid(tmp_path / "masks-of-anna", files)


def test_masks_become_the_readings_of_an_outside_grader(
    bare: Study, organiser: User, masks: Path, tmp_path: Path
) -> None:
    row = arrived(bare, organiser, masks, tmp_path / "spool", grader="Anna Outside")

    member = Membership.objects.select_related("user").get(study=bare, user__name="Anna Outside")
    readings = Reading.objects.filter(assignment__grader=member).order_by("assignment__case__number")
    assert [reading.annotation_import_id for reading in readings] == [row.pk, row.pk]
    assert [reading.assignment.state for reading in readings] == ["submitted", "submitted"]
    disc = Revision.objects.get(reading=readings[1], target__key="disc")
    assert (disc.kind, disc.answer) == ("mask", "present")
    assert np.array_equal(drawn(disc), square(12))
    row.refresh_from_db()
    assert row.counts == {
        "new": 4,
        "same": 0,
        "replaces": 0,
        "rejected": 0,
        "readings": 2,
        "graders": 1,
        "new_graders": 1,
    }
    after = AuditEvent.objects.get(study=bare, action="annotations.imported").after or {}
    assert (after["source"], after["readings"]) == (SOURCE, 2)


def test_an_outside_grader_can_never_sign_in_and_is_given_no_cases(
    bare: Study, organiser: User, masks: Path, tmp_path: Path, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    arrived(bare, organiser, masks, tmp_path / "spool", grader="Anna Outside")

    anna = User.objects.get(name="Anna Outside")
    assert not anna.is_active
    assert not anna.has_usable_password()
    assert authenticate(email=anna.email, password="") is None
    assert Membership.objects.get(user=anna).pk not in plan_assignments(study=bare, rule=Rule(None)).new
    client.post("/account/password/reset/", {"email": anna.email})
    assert [letter for letter in mailoutbox if "/password/reset/key/" in str(letter.body)] == []
    other = cast.study_of("age", organiser=organiser)
    invitation = invite(study=other, email=anna.email, role=Role.OBSERVER, actor=organiser)
    with pytest.raises(Conflict, match="already have an account"):
        accept_invitation(token=invitation_token(invitation), user=None, name="Anna", password="long enough, 1862")


def test_folders_name_the_graders_and_codes_mean_those_of_the_study(
    bare: Study, organiser: User, tmp_path: Path
) -> None:
    files = {f"{who}/disc/picture-1.png": png(square(9)) for who in ("G1", "Anna", "anna ")}
    place = laid(tmp_path / "in", {name: data for name, data in files.items() if not name.startswith("anna")})

    arrived(bare, organiser, place, tmp_path / "spool", by_folder=True)

    readers = Membership.objects.filter(study=bare, assignments__readings__isnull=False).order_by("pk")
    assert [member.user.name for member in readers] == ["Gina Grader", "Anna"]


def test_a_second_import_adds_its_target_and_withdraws_the_reading_before(
    bare: Study, organiser: User, tmp_path: Path
) -> None:
    disc = laid(tmp_path / "disc", {"disc/picture-1.png": png(square(9))})
    cup = laid(tmp_path / "cup", {"cup/picture-1.png": png(square(11, 3))})
    arrived(bare, organiser, disc, tmp_path / "one", grader="Anna")

    arrived(bare, organiser, cup, tmp_path / "two", grader="Anna")

    first, second = Reading.objects.order_by("number")
    assert first.withdrawn_at is not None
    assert second.withdrawn_at is None
    answers = {one.target.key: drawn(one) for one in second.revisions.all()}
    assert np.array_equal(answers["disc"], square(9))
    assert np.array_equal(answers["cup"], square(11, 3))
    assert first.revisions.count() == 1


def test_the_same_file_again_changes_nothing(bare: Study, organiser: User, masks: Path, tmp_path: Path) -> None:
    arrived(bare, organiser, masks, tmp_path / "one", grader="Anna")

    plan, _wish, _spool = looked(bare, masks, tmp_path / "two", grader="Anna")

    assert said(plan) == [("same", "")] * 4
    with pytest.raises(Conflict, match="nothing to import"):
        arrived(bare, organiser, masks, tmp_path / "three", grader="Anna")
    assert Reading.objects.count() == 2


def test_carrying_a_plan_out_twice_writes_once(bare: Study, organiser: User, masks: Path, tmp_path: Path) -> None:
    plan, wish, spool = looked(bare, masks, tmp_path / "spool", grader="Anna")
    row = begin(study=bare, actor=organiser, wish=wish, source=SOURCE, file_name="x", sha256="0" * 64)

    first = apply_annotations(held=row, wish=wish, spool=spool, seen=plan.digest)

    assert apply_annotations(held=row, wish=wish, spool=spool, seen=plan.digest) == first
    assert Reading.objects.count() == 2


def test_what_a_person_has_read_or_begun_is_never_replaced(
    organiser: User, senior: User, graders: list[User], tmp_path: Path
) -> None:
    study = scene.read_study(
        *("refuge",),
        organiser=organiser,
        senior=senior,
        graders=graders[:1],
        answers=[scene.refuge_answers()],
    )
    place = laid(tmp_path / "in", {"disc/picture-1.png": png(square(9))})

    plan, _wish, _spool = looked(study, place, tmp_path / "spool", grader="G1")

    assert said(plan) == [
        ("rejected", "Gina Grader (G1) has read this case here; what a person has submitted is not replaced.")
    ]


def test_what_a_consensus_has_used_is_not_replaced(
    bare: Study, organiser: User, senior: User, masks: Path, tmp_path: Path
) -> None:
    cast.add_cast(bare, actor=organiser, senior=senior)
    arrived(bare, organiser, masks, tmp_path / "one", grader="Anna")
    scene.fuse_all(bare, actor=senior)
    other = laid(tmp_path / "other", {"disc/picture-1.png": png(square(5))})

    plan, _wish, _spool = looked(bare, other, tmp_path / "two", grader="Anna")

    assert said(plan)[0][1].endswith("is part of a reference already; it is not replaced.")


def test_the_vote_counts_imported_masks_beside_ellipses_that_were_drawn_here(
    organiser: User, senior: User, graders: list[User], tmp_path: Path
) -> None:
    answers = [scene.refuge_answers(), scene.refuge_answers()]
    study = scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders[:2], answers=answers)
    place = laid(tmp_path / "in", {"disc/picture-1.png": png(square(9))})
    arrived(study, organiser, place, tmp_path / "spool", grader="Anna")

    scene.fuse_all(study, actor=senior)

    reference = study.cases.get().references.get(target__key="disc")
    expected = scene.majority_picture([scene.disc_of(0), scene.disc_of(0)])
    assert np.array_equal(drawn(reference), expected)
    assert reference.inputs.count() == 3


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"disc/picture-7.png": png(square(9))}, "No image of the study is called “picture-7”."),
        ({"disc/picture-1.png": png(square(9)[:-1])}, "of 32 × 23 pixels, the photograph has 32 × 24."),
        ({"disc/picture-1.png": b"not a picture"}, "The file is not a PNG, BMP or TIFF picture."),
        ({"glaucoma/picture-1.png": png(square(9))}, "“glaucoma” is not marked as an area"),
    ],
)
def test_what_cannot_be_taken_over_is_named_with_the_reason(
    files: dict[str, bytes], reason: str, bare: Study, tmp_path: Path
) -> None:
    plan, _wish, _spool = looked(bare, laid(tmp_path / "in", files), tmp_path / "spool", grader="Anna")

    ((verdict, why),) = said(plan)
    assert verdict == "rejected"
    assert reason in why


def test_two_files_for_one_photograph_are_both_refused(bare: Study, tmp_path: Path) -> None:
    place = laid(tmp_path / "in", {"disc/picture-1.png": png(square(9)), "disc/PICTURE-1.bmp": png(square(8))})

    plan, _wish, _spool = looked(bare, place, tmp_path / "spool", grader="Anna")

    assert said(plan) == [
        ("rejected", "The same photograph and target are answered again in disc/picture-1.png."),
        ("rejected", "The same photograph and target are answered again in disc/PICTURE-1.bmp."),
    ]


def test_a_study_that_changed_since_it_was_looked_at_is_not_written_to(
    bare: Study, organiser: User, masks: Path, tmp_path: Path
) -> None:
    plan, wish, spool = looked(bare, masks, tmp_path / "spool", grader="G1")
    arrived(bare, organiser, laid(tmp_path / "x", {"disc/picture-1.png": png(square(3))}), tmp_path / "y", grader="G1")
    row = begin(study=bare, actor=organiser, wish=wish, source=SOURCE, file_name="x", sha256="0" * 64)

    with pytest.raises(Conflict, match="has changed since you looked"):
        apply_annotations(held=row, wish=wish, spool=spool, seen=plan.digest)

    assert Reading.objects.count() == 1


def test_nothing_stays_of_an_import_that_fails_at_its_end(
    bare: Study, organiser: User, masks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_fields: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr("annotator.services.annotation_readings.record", full)
    with pytest.raises(DatabaseError):
        arrived(bare, organiser, masks, tmp_path / "spool", grader="Anna")

    assert not Reading.objects.exists()
    assert not Assignment.objects.exists()
    assert not User.objects.filter(name="Anna").exists()
    assert AnnotationImport.objects.get().applied_at is None


def test_an_imported_reading_is_not_given_back_to_be_changed(
    bare: Study, organiser: User, graders: list[User], masks: Path, tmp_path: Path
) -> None:
    arrived(bare, organiser, masks, tmp_path / "spool", grader="G1")
    scene.open_study(bare, actor=organiser)
    assignment = Assignment.objects.select_related("grader__study", "round").first()
    assert assignment is not None

    with pytest.raises(Conflict, match="only another import changes it"):
        withdraw_reading(assignment=assignment, actor=graders[0])


def test_only_an_import_may_answer_an_ellipse_by_a_mask(
    bare: Study, organiser: User, masks: Path, tmp_path: Path
) -> None:
    arrived(bare, organiser, masks, tmp_path / "spool", grader="G1")
    revision = Revision.objects.filter(target__key="disc").first()
    assert revision is not None
    other = Reading.objects.exclude(pk=revision.reading_id).get()
    own = Reading(
        assignment=other.assignment, number=9, submitted_at=other.submitted_at, submitted_by=organiser,
        opened_at=other.opened_at, active_ms=0, digest="0" * 64, withdrawn_at=other.submitted_at,
    )  # fmt: skip
    own.save()
    revision.pk, revision.reading, revision.image = None, own, other.revisions.all()[0].image

    with pytest.raises(IntegrityError, match="an image and a target of its case"):
        revision.save(force_insert=True)


def test_the_command_says_what_would_happen_and_writes_nothing(
    bare: Study, masks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commanded(bare, masks, "--format", "masks", "--grader", "Anna", "--dry-run")

    told = capsys.readouterr().out
    assert "Anna, disc: 2 new; marked 4.7% of the picture" in told
    assert "Nothing was changed." in told
    assert not AnnotationImport.objects.exists()


def test_the_command_imports_all_or_with_leave_all_but_the_rejected(bare: Study, masks: Path) -> None:
    laid(masks, {"disc/unknown.png": png(square(9))})
    with pytest.raises(CommandError, match="so nothing was imported"):
        commanded(bare, masks, "--format", "masks", "--grader", "Anna")
    assert not Reading.objects.exists()

    commanded(bare, masks, "--format", "masks", "--grader", "Anna", "--skip-rejected")

    assert Reading.objects.count() == 2
