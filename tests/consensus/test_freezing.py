"""A version of the dataset: what it holds, that it never changes, and when it is refused."""

from __future__ import annotations

import hashlib
import json

import pytest
from django.db import DatabaseError, transaction
from django.db.models import Model

from annotator.answers import Given
from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import AuditEvent, Image, Membership, Reading, Study, User
from annotator.selectors.audit import audit_faults
from consensus.manifest import (
    Content,
    HeldCase,
    HeldImage,
    HeldReading,
    HeldReference,
    as_table,
    canonical,
    digest_of,
    manifest,
)
from consensus.models import DatasetCase, DatasetImage, DatasetReading, DatasetReference, DatasetVersion, Reference
from consensus.selectors.dataset_content import content_of
from consensus.selectors.datasets import difference_from_now
from consensus.services import freezing
from consensus.services.freezing import freeze_dataset
from consensus.services.runs import request_run
from tests import cast
from tests.consensus import scene
from tests.consensus.senior import Table

SMALL = Content(
    study="abc",
    protocol="refuge",
    recipe_digest="r",
    cases=[HeldCase(9, 2, "case2", {"camera": "新"}), HeldCase(4, 1, "case1", {})],
    images=[HeldImage(70, 9, 1, "image2", "bb"), HeldImage(60, 4, 1, "image1", "aa")],
    references=[
        HeldReference(5, 70, "disc", 3, "accepted", "present", "dd"),
        HeldReference(8, 60, "disc", 1, "automatic", "absent", "cc"),
    ],
    readings=[HeldReading(2, 9, "AA", "ff"), HeldReading(3, 9, "B", "ee")],
    left_out={5: [("B", "failed")]},
)
# Written by hand: names in alphabetical order, no spaces; cases by number, readings by letter as people count letters.
SPELT = (
    '{"cases":[{"id":"case1","images":[{"id":"image1","photograph":1,"sha256":"aa"}],"number":1,"strata":{}},'
    '{"id":"case2","images":[{"id":"image2","photograph":1,"sha256":"bb"}],"number":2,"strata":{"camera":"新"}}],'
    '"format":"quorum-dataset/1","protocol":"refuge","readings":[{"case":2,"digest":"ee","grader":"B"},'
    '{"case":2,"digest":"ff","grader":"AA"}],"recipe":"r","references":[{"answer":"absent","case":1,"digest":"cc",'
    '"photograph":1,"state":"automatic","target":"disc","version":1},{"answer":"present","case":2,"digest":"dd",'
    '"left_out":[{"grader":"B","reason":"failed"}],"photograph":1,"state":"accepted","target":"disc","version":3}],'
    '"study":"abc"}'
)


def test_a_manifest_has_one_spelling() -> None:
    assert canonical(manifest(SMALL)).decode() == SPELT


def test_a_manifest_as_a_table_has_a_row_for_every_thing_held() -> None:
    rows = as_table(manifest(SMALL)).splitlines()
    assert rows[0] == "holds,case,photograph,target,grader,version,state,answer,sha256"
    assert rows[1:3] == ["image,1,1,,,,,,aa", "image,2,1,,,,,,bb"]
    assert rows[3] == "reference,1,1,disc,,1,automatic,absent,cc"
    assert rows[5:] == ["reading,2,,,B,,,,ee", "reading,2,,,AA,,,,ff"]


def test_a_version_holds_images_references_and_readings_by_their_digests(fused_study: Study, senior: User) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="First", note="Before the senior looks.")

    assert (version.number, version.made_by, version.signed) == (1, senior, False)
    assert {row.sha256 for row in version.images.all()} == set(Image.objects.values_list("sha256", flat=True))
    assert set(version.references.values_list("reference_id", "digest")) == set(
        Reference.objects.values_list("pk", "digest")
    )
    assert set(version.readings.values_list("reading_id", "digest")) == set(Reading.objects.values_list("pk", "digest"))
    assert version.counts == {
        "cases": 1,
        "images": 1,
        "references": 3,
        "readings": 3,
        "targets": {key: {"automatic": 1} for key in ("disc", "cup", "fovea")},
    }


@pytest.mark.contract
def test_its_digest_is_that_of_the_manifest_and_stands_in_the_log(fused_study: Study, senior: User) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="First")

    spelt = canonical(manifest(content_of(version)))
    event = AuditEvent.objects.get(action="dataset.frozen")
    assert isinstance(event.after, dict)
    assert hashlib.sha256(spelt).hexdigest() == version.digest == event.after["digest"]
    assert (event.subject, event.after["references"]) == (version.public_id, 3)
    assert list(audit_faults()) == []


def test_no_manifest_names_a_grader(fused_study: Study, senior: User, graders: list[User]) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="First")
    spelt = canonical(manifest(content_of(version))).decode()
    codes = Membership.objects.filter(study=fused_study).values_list("code", flat=True)
    assert {one["grader"] for one in json.loads(spelt)["readings"]} == {"A", "B", "C"}
    assert not [word for word in (*(person.name for person in graders), *filter(None, codes)) if f'"{word}"' in spelt]


@pytest.mark.contract
@pytest.mark.parametrize(
    ("model", "change"),
    [
        (DatasetVersion, {"name": "Another"}),
        (DatasetVersion, {"counts": {}}),
        (DatasetCase, {"strata": {"camera": "new"}}),
        (DatasetImage, {"sha256": "0" * 64}),
        (DatasetReference, {"digest": "0" * 64}),
        (DatasetReading, {"digest": "0" * 64}),
    ],
)
def test_nothing_of_a_version_can_be_changed(
    fused_study: Study, senior: User, model: type[Model], change: dict[str, object]
) -> None:
    freeze_dataset(study=fused_study, actor=senior, name="First")
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        model._default_manager.update(**change)


@pytest.mark.contract
def test_a_version_holds_nothing_of_another_study(fused_study: Study, senior: User, organiser: User) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="First")
    other = cast.study_of("adam", organiser=organiser)
    (image,) = cast.add_pictures(other, 1, actor=organiser, first_seed=9)
    with pytest.raises(DatabaseError, match="of its study"), transaction.atomic():
        DatasetCase.objects.create(version=version, case=image.cases.get())


@pytest.mark.contract
def test_a_digest_that_is_not_the_row_s_is_refused(fused_study: Study, senior: User) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="First")
    reference = Reference.objects.filter(case__study=fused_study)[0]
    again = DatasetVersion.objects.create(
        study=fused_study,
        number=2,
        name="Forged",
        made_by=senior,
        made_at=version.made_at,
        recipe_digest=version.recipe_digest,
        code_version="",
        digest=version.digest,
        counts={},
    )
    DatasetCase.objects.create(version=again, case=reference.case)
    with pytest.raises(DatabaseError, match="by their digests"), transaction.atomic():
        DatasetReference.objects.create(version=again, reference=reference, digest="0" * 64)


def test_the_same_content_is_not_frozen_twice(fused_study: Study, senior: User) -> None:
    freeze_dataset(study=fused_study, actor=senior, name="First")
    with pytest.raises(Conflict, match="Nothing has changed since version 1") as refusal:
        freeze_dataset(study=fused_study, actor=senior, name="Second")
    assert refusal.value.code == "nothing_changed"


def test_two_who_freeze_the_same_at_once_make_one_version(fused_study: Study, senior: User) -> None:
    standing = freezing.collected(fused_study)
    freeze_dataset(study=fused_study, actor=senior, name="Faster")
    with pytest.raises(Conflict, match="Nothing has changed since version 1"):
        freezing.write_version(
            study=fused_study,
            actor=senior,
            name="Slower",
            note="",
            standing=standing,
            digest=digest_of(standing.content),
        )
    assert DatasetVersion.objects.get().name == "Faster"


def test_the_next_version_holds_the_later_references(fused_study: Study, senior: User, table: Table) -> None:
    first = freeze_dataset(study=fused_study, actor=senior, name="First")
    table.post("decide", decisions=[table.decision("disc")])
    second = freeze_dataset(study=fused_study, actor=senior, name="Second")

    assert (second.number, second.counts["targets"]["disc"]) == (2, {"accepted": 1})
    assert (difference_from_now(first).changed, difference_from_now(second).total) == (1, 0)


def test_a_study_still_being_read_is_frozen_only_when_that_is_wanted(
    fused_study: Study, senior: User, organiser: User
) -> None:
    cast.add_pictures(fused_study, 2, actor=organiser, first_seed=40)
    cast.assign_all(fused_study, actor=organiser)
    with pytest.raises(Conflict, match=r"6 readings are missing, and 2 cases would be left out") as refusal:
        freeze_dataset(study=fused_study, actor=senior, name="First")
    assert (refusal.value.code, refusal.value.field) == ("still_being_read", "incomplete")

    version = freeze_dataset(study=fused_study, actor=senior, name="First", incomplete=True)
    assert version.counts["cases"] == 1


def test_a_study_without_references_is_refused(study: Study, senior: User) -> None:
    with pytest.raises(Conflict, match="no reference yet"):
        freeze_dataset(study=study, actor=senior, name="First", incomplete=True)


def test_readings_that_no_reference_rests_on_are_refused(fused_study: Study, senior: User, organiser: User) -> None:
    newcomer = cast.person("Nora Newcomer")
    cast.add_cast(fused_study, actor=organiser, graders=[newcomer])
    cast.assign_all(fused_study, actor=organiser)
    scene.read(scene.assignments_of(fused_study, newcomer)[0], scene.refuge_answers())
    with pytest.raises(Conflict, match="1 case has readings that no reference rests on") as refusal:
        freeze_dataset(study=fused_study, actor=senior, name="First")
    assert refusal.value.code == "stale"

    request_run(study=fused_study, actor=senior)
    with pytest.raises(Conflict, match="going on") as refusal:
        freeze_dataset(study=fused_study, actor=senior, name="First")
    assert refusal.value.code == "run_going_on"


def test_an_undecided_reference_is_refused(organiser: User, senior: User, graders: list[User]) -> None:
    study = scene.read_study(
        "airogs",
        organiser=organiser,
        senior=senior,
        graders=graders[:2],
        answers=[[Given("referable_glaucoma", label=label)] for label in ("U", "NRG")],
    )
    scene.fuse_all(study, actor=senior)
    with pytest.raises(Conflict, match="1 reference is still undecided"):
        freeze_dataset(study=study, actor=senior, name="First")


@pytest.mark.parametrize("name", ["", "   ", "x" * 121, "=1+1"])
def test_a_bad_name_is_refused(fused_study: Study, senior: User, name: str) -> None:
    with pytest.raises(DomainError) as refusal:
        freeze_dataset(study=fused_study, actor=senior, name=name)
    assert refusal.value.field == "name"
    assert not DatasetVersion.objects.exists()


def test_organisers_and_seniors_freeze_and_nobody_else(
    fused_study: Study, organiser: User, observer: User, graders: list[User]
) -> None:
    cast.add_cast(fused_study, actor=organiser, observer=observer)
    for person in (observer, graders[0]):
        with pytest.raises(Forbidden):
            freeze_dataset(study=fused_study, actor=person, name="First")
    assert freeze_dataset(study=fused_study, actor=organiser, name="First").number == 1


def test_what_moves_while_it_is_collected_is_not_frozen(
    fused_study: Study, senior: User, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected = freezing.collected

    def then_a_decision(study: Study) -> object:
        found = collected(study)
        table.post("decide", decisions=[table.decision("disc")])
        return found

    monkeypatch.setattr(freezing, "collected", then_a_decision)
    with pytest.raises(Conflict, match="changed meanwhile"):
        freeze_dataset(study=fused_study, actor=senior, name="First")
    assert (DatasetVersion.objects.count(), DatasetCase.objects.count()) == (0, 0)
