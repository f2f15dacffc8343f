"""Annotations that were made elsewhere become references: with a source, and never over what a person has decided."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.errors import DomainError
from annotator.models import AuditEvent, Study, User
from consensus.models import ConsensusRun, Reference
from consensus.selectors.readiness import standing_before_freeze
from consensus.selectors.standing import cases_with_standing
from consensus.services.freezing import freeze_dataset
from consensus.services.verifying import reference_digest
from tests import cast
from tests.consensus import scene
from tests.consensus.arriving import SOURCE, arrived, drawn, laid, looked, png, said, square
from tests.consensus.exported import made
from tests.consensus.senior import Table, sign

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


@pytest.fixture
def disc(tmp_path: Path) -> Path:
    return laid(tmp_path / "in", {"disc/picture-1.png": png(square(9))})


@pytest.fixture
def bare(organiser: User) -> Study:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 1, actor=organiser)
    return study


def test_a_mask_becomes_the_reference_of_an_ellipse(bare: Study, organiser: User, disc: Path, tmp_path: Path) -> None:
    arrived(bare, organiser, disc, tmp_path / "spool", as_reference=True)

    reference = Reference.objects.get(case__study=bare)
    assert (reference.state, reference.source, reference.kind) == ("imported", SOURCE, "ellipse")
    assert np.array_equal(drawn(reference), square(9))
    assert reference.digest == reference_digest(reference)
    run = ConsensusRun.objects.get(study=bare)
    assert (run.kind, run.rules["disc"]["rule"]) == ("import", "imported")
    assert (AuditEvent.objects.get(action="references.imported").after or {})["references"] == 1


def test_an_ellipse_keeps_its_axes_beside_its_pixels(bare: Study, organiser: User, tmp_path: Path) -> None:
    table = b"image,target,cx,cy,a,b,theta_deg\npicture-1,disc,16,12,6,5,0\n"
    place = laid(tmp_path / "in", {"ellipses.csv": table})

    arrived(bare, organiser, place, tmp_path / "spool", format="tables", as_reference=True)

    reference = Reference.objects.get(case__study=bare)
    assert reference.geometry == scene.disc_of(0)
    assert np.array_equal(drawn(reference), scene.majority_picture([scene.disc_of(0)]))
    assert reference.digest == reference_digest(reference)


@pytest.mark.parametrize("standing", ["voted", "imported"])
def test_the_ellipse_that_an_export_tells_of_pixels_never_takes_their_place(
    standing: str, fused_study: Study, organiser: User, disc: Path, tmp_path: Path
) -> None:
    if standing == "imported":
        arrived(fused_study, organiser, disc, tmp_path / "first", as_reference=True, reason="Drawn more carefully")
    archive = made(freeze_dataset(study=fused_study, actor=organiser, name="First"), organiser, formats=["tables"])
    told = archive.read("tables/ellipses.csv").decode().replace("c0001", "picture-1")
    assert "picture-1,disc,present," in told
    other = "image,target,cx,cy,a,b,theta_deg\npicture-1,disc,16,12,6,4,0\n"

    plan, _wish, _spool = looked(
        fused_study,
        laid(tmp_path / "own", {"e.csv": told.encode()}),
        tmp_path / "a",
        format="tables",
        as_reference=True,
    )
    moved, _wish, _spool = looked(
        fused_study,
        laid(tmp_path / "new", {"e.csv": other.encode()}),
        tmp_path / "b",
        format="tables",
        as_reference=True,
    )

    assert {verdict for verdict, _why in said(plan)} == {"same"}
    assert said(moved) == [("replaces", "")]


def test_a_study_with_nothing_but_imported_references_can_be_frozen_and_signed(
    bare: Study, organiser: User, senior: User, disc: Path, tmp_path: Path
) -> None:
    cast.add_cast(bare, actor=organiser, senior=senior)
    arrived(bare, organiser, disc, tmp_path / "spool", as_reference=True)

    version = freeze_dataset(study=bare, actor=organiser, name="First")

    assert version.references.count() == 1
    assert standing_before_freeze(bare).readiness.may_sign_off


def test_a_vote_leaves_an_imported_reference_as_it_is(
    organiser: User, senior: User, graders: list[User], disc: Path, tmp_path: Path
) -> None:
    answers = [scene.refuge_answers()]
    study = scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders[:1], answers=answers)
    arrived(study, organiser, disc, tmp_path / "spool", as_reference=True)

    scene.fuse_all(study, actor=senior)

    heads = Reference.objects.filter(case__study=study, following__isnull=True)
    assert dict(heads.values_list("target__key", "state")) == {
        "disc": "imported", "cup": "automatic", "fovea": "automatic",
    }  # fmt: skip
    (standing,) = cases_with_standing(study).values_list("standing", flat=True)  # type: ignore[misc]
    assert standing == "open"
    review = study.cases.get().review
    assert review.references_open == 2


def test_what_graders_said_is_exported_beside_an_imported_reference(
    organiser: User, senior: User, graders: list[User], disc: Path, tmp_path: Path
) -> None:
    answers = [scene.refuge_answers()]
    study = scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders[:1], answers=answers)
    arrived(study, organiser, disc, tmp_path / "spool", as_reference=True)
    scene.fuse_all(study, actor=senior)
    archive = made(freeze_dataset(study=study, actor=organiser, name="First"), organiser, formats=["masks", "readings"])

    assert {(row["target"], row["grader"]) for row in archive.rows("readings/answers.csv")} == {
        ("disc", "A"),
        ("cup", "A"),
        ("fovea", "A"),
    }
    own = archive.picture("readings/disc/A/c0001.png").astype(bool)
    assert np.array_equal(own, scene.majority_picture([scene.disc_of(0)]))
    assert np.array_equal(archive.picture("masks/disc/c0001.png").astype(bool), square(9))
    used = {row["target"]: row["readings"] for row in archive.rows("decisions/references.csv")}
    assert used == {"disc": "0", "cup": "1", "fovea": "1"}  # the imported one rests on none


def test_what_stands_is_replaced_with_a_reason_only(
    fused_study: Study, organiser: User, disc: Path, tmp_path: Path
) -> None:
    plan, _wish, _spool = looked(fused_study, disc, tmp_path / "spool", as_reference=True)
    assert (said(plan), plan.needs_reason) == ([("replaces", "")], True)
    with pytest.raises(DomainError, match="Say why references that stand are replaced"):
        arrived(fused_study, organiser, disc, tmp_path / "one", as_reference=True)

    arrived(fused_study, organiser, disc, tmp_path / "two", as_reference=True, reason="Drawn more carefully")

    latest = Reference.objects.get(case__study=fused_study, target__key="disc", following__isnull=True)
    assert (latest.version, latest.state, latest.comment) == (2, "imported", "Drawn more carefully")
    assert fused_study.cases.get().review.references_open == 2


def test_what_a_senior_has_decided_is_not_replaced(table: Table, disc: Path, tmp_path: Path) -> None:
    assert table.post("decide", decisions=[table.decision("disc")]).status_code == 200

    plan, _wish, _spool = looked(table.study, disc, tmp_path / "spool", as_reference=True)

    assert said(plan) == [("rejected", "A person has decided about this reference; it is not replaced by an import.")]


def test_a_senior_decides_over_an_imported_reference_and_takes_it_back(
    fused_study: Study, table: Table, organiser: User, disc: Path, tmp_path: Path
) -> None:
    arrived(fused_study, organiser, disc, tmp_path / "spool", as_reference=True, reason="Better")
    vote = table.decision("disc", digest=table.vote_without("disc"))
    assert table.post("decide", decisions=[vote]).status_code == 200
    head = Reference.objects.get(target__key="disc", following__isnull=True)
    assert head.state == "accepted"

    assert table.post("undo", reason="By mistake").status_code == 200

    again = Reference.objects.get(target__key="disc", following__isnull=True)
    assert (again.state, again.source) == ("imported", SOURCE)
    assert np.array_equal(drawn(again), square(9))


def test_after_a_sign_off_an_import_says_why(
    bare: Study, organiser: User, senior: User, disc: Path, tmp_path: Path
) -> None:
    cast.add_cast(bare, actor=organiser, senior=senior)
    arrived(bare, organiser, disc, tmp_path / "one", as_reference=True)
    sign(bare, senior)
    cup = laid(tmp_path / "cup", {"cup/picture-1.png": png(square(11, 3))})

    with pytest.raises(DomainError, match="signed off"):
        arrived(bare, organiser, cup, tmp_path / "two", as_reference=True)
