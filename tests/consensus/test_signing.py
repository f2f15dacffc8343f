"""Sign-off: by a senior with the password, in words that are kept; afterwards nothing changes without a reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import AuditEvent, AuditHead, Study, User
from annotator.models.triggers import install_triggers, put_triggers_aside
from annotator.selectors.audit import audit_faults
from consensus.models import DatasetVersion, Reference
from consensus.selectors.datasets import difference_from_now
from consensus.services import truth
from consensus.services.accepting import accept_cases
from consensus.services.freezing import freeze_dataset
from consensus.services.runs import request_run
from consensus.services.undoing import undo_decision
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, disputed_study
from tests.consensus.senior import Table, content, reading_of, sign, words_now
from tests.remembering import remembered


@pytest.fixture
def decided_study(request: pytest.FixtureRequest, fused_study: Study, table: Table) -> Study:
    def make() -> Study:
        assert table.accept_all().status_code == 200
        return fused_study

    return remembered(request, [fused_study], make)


@pytest.fixture
def signed_study(decided_study: Study, senior: User) -> Study:
    sign(decided_study, senior)
    return decided_study


def test_a_signed_version_says_who_when_and_what_it_means(decided_study: Study, senior: User) -> None:
    version = sign(decided_study, senior)

    event = AuditEvent.objects.get(action="dataset.signed")
    assert isinstance(event.after, dict)
    assert (version.signed_by, version.signed) == (senior, True)
    assert "3 references of 1 case," in version.meaning
    assert version.digest[:16] in version.meaning
    assert (event.after["meaning"], event.after["digest"]) == (version.meaning, version.digest)
    assert list(audit_faults()) == []


def test_a_signed_version_holds_the_log_as_it_was_with_its_own_row(decided_study: Study, senior: User) -> None:
    version = sign(decided_study, senior)
    event = AuditEvent.objects.get(action="dataset.signed")
    assert (version.log_rows, version.log_digest) == (event.number, event.digest)


def test_a_log_put_back_to_what_it_was_before_the_signature_does_not_fit_it(decided_study: Study, senior: User) -> None:
    """Rows are cut off and the head is one that was sealed earlier, so that the chain itself is whole."""
    chain = decided_study.public_id
    earlier = AuditHead.objects.get(chain=chain)
    version = sign(decided_study, senior)
    put_triggers_aside(plan=["anything"])
    AuditEvent.objects.filter(chain=chain, number__gt=earlier.count)._raw_delete(using="default")
    install_triggers()
    earlier.save()
    found = [str(fault) for fault in audit_faults()]
    assert found == [f"{chain}, row {version.log_rows}: missing: it told that version 1 of the dataset was made"]


def test_a_wrong_password_changes_nothing_and_stands_in_the_log(decided_study: Study, senior: User) -> None:
    with pytest.raises(DomainError, match="not your password") as refusal:
        sign(decided_study, senior, password="a-wrong-enough-phrase")
    assert (refusal.value.field, refusal.value.status) == ("password", 400)
    assert not DatasetVersion.objects.exists()
    assert AuditEvent.objects.get(action="dataset.refused").actor == senior


def test_after_five_wrong_passwords_the_right_one_is_refused_too(
    decided_study: Study, senior: User, browser_of: Callable[[User], Client]
) -> None:
    client, address = browser_of(senior), f"/studies/{decided_study.public_id}/datasets/sign-off/"
    form = {"meaning": words_now(decided_study), "name": "Reference standard"}
    tries = [client.post(address, form | {"password": "wrong"}).status_code for _attempt in range(5)]
    late = client.post(address, form | {"password": cast.PASSWORD})
    assert (tries, late.status_code) == ([400] * 5, 429)
    assert not DatasetVersion.objects.exists()


def test_only_a_senior_signs(decided_study: Study, organiser: User, graders: list[User]) -> None:
    for person in (organiser, graders[0]):
        with pytest.raises(Forbidden):
            sign(decided_study, person)


def test_what_nobody_decided_cannot_be_signed(fused_study: Study, senior: User, table: Table) -> None:
    table.post("decide", decisions=[table.decision("disc")])
    with pytest.raises(Conflict, match="2 references have not been decided") as refusal:
        sign(fused_study, senior)
    assert refusal.value.code == "not_decided"


def test_other_words_than_those_shown_are_not_signed(decided_study: Study, senior: User, table: Table) -> None:
    shown = words_now(decided_study)
    table.post("undo", reason="Look once more.")
    table.accept_all()
    with pytest.raises(Conflict) as refusal:
        sign(decided_study, senior, meaning=shown)
    assert refusal.value.code == "changed_meanwhile"


def test_what_was_frozen_before_can_be_signed_but_not_twice(decided_study: Study, senior: User) -> None:
    draft = freeze_dataset(study=decided_study, actor=senior, name="Draft")
    signed = sign(decided_study, senior)
    assert (signed.number, signed.digest) == (2, draft.digest)
    with pytest.raises(Conflict, match="since version 2 was signed"):
        sign(decided_study, senior)


def moved() -> dict[str, Any]:
    drawn = content(geometry={"x": 9.0, "y": 11.0})
    return {"adjusted": {"content": drawn, "masks": []}}


def without_the_third(table: Table) -> dict[str, Any]:
    reading = reading_of(table.get(), 7.0)
    left = [{"reading": reading, "reason": "failed", "note": ""}]
    return {"excluded": left, "digest": table.vote_without("disc", reading)}


DECISIONS: dict[str, Callable[[Table], dict[str, Any]]] = {
    "accept": lambda table: table.decision("disc"),
    "adjust": lambda table: table.decision("fovea", **moved()),
    "vote again": lambda table: table.decision("disc", **without_the_third(table)),
}


@pytest.mark.parametrize("act", DECISIONS)
def test_a_decision_after_the_sign_off_needs_a_reason(signed_study: Study, table: Table, act: str) -> None:
    before = Reference.objects.count()
    decision = DECISIONS[act](table)
    refused = table.post("decide", decisions=[decision], comment="  ")
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (400, "reason_missing", "comment")
    assert Reference.objects.count() == before

    assert table.post("decide", decisions=[decision], comment="Seen at the follow-up.").status_code == 200
    last, event = Reference.objects.latest("pk"), AuditEvent.objects.filter(action="reference.decided").latest("pk")
    assert isinstance(event.after, dict)
    assert (last.comment, event.after["comment"]) == ("Seen at the follow-up.", "Seen at the follow-up.")


def test_taking_a_decision_back_after_the_sign_off_needs_a_reason(signed_study: Study, senior: User) -> None:
    case = scene.case_of(signed_study)
    with pytest.raises(DomainError) as refusal:
        undo_decision(case=case, actor=senior, tab="one", reason=" ")
    assert refusal.value.code == "reason_missing"
    undo_decision(case=case, actor=senior, tab="one", reason="Signed too early.")
    assert scene.latest(case, "disc").comment == "Signed too early."


def test_accepting_together_after_the_sign_off_needs_a_reason(signed_study: Study, senior: User) -> None:
    undo_decision(case=scene.case_of(signed_study), actor=senior, tab="one", reason="Signed too early.")
    with pytest.raises(DomainError) as refusal:
        accept_cases(study=signed_study, actor=senior, above=0.0)
    assert refusal.value.code == "reason_missing"
    assert len(accept_cases(study=signed_study, actor=senior, above=0.0, reason="Seen again.")) == 1
    event = AuditEvent.objects.filter(action="cases.accepted").latest("pk")
    assert isinstance(event.after, dict)
    assert scene.latest(scene.case_of(signed_study), "disc").comment == event.after["reason"] == "Seen again."


def test_a_run_after_the_sign_off_needs_a_reason(signed_study: Study, senior: User, organiser: User) -> None:
    newcomer = cast.person("Nora Newcomer")
    cast.add_cast(signed_study, actor=organiser, graders=[newcomer])
    cast.assign_all(signed_study, actor=organiser)
    scene.read(scene.assignments_of(signed_study, newcomer)[0], scene.refuge_answers())
    with pytest.raises(DomainError) as refusal:
        request_run(study=signed_study, actor=senior)
    assert refusal.value.code == "reason_missing"

    job = scene.fuse_all(signed_study, actor=senior, reason="A fourth grader.")
    begun = AuditEvent.objects.filter(action="consensus.begun").latest("pk")
    assert isinstance(begun.after, dict)
    assert (job.state, scene.latest(scene.case_of(signed_study), "disc").comment) == ("done", "A fourth grader.")
    assert begun.after["reason"] == "A fourth grader."


def test_an_adjudication_after_the_sign_off_needs_a_reason(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Callable[[User], Client]
) -> None:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders[:2]}
    study = disputed_study([("U", "NRG")], **people, adjudicators=[adjudicator])
    bench = Bench(browser_of(adjudicator), study)
    assert bench.decide(1, "U").status_code == 201
    sign(study, senior)

    assert bench.post(1, "undo").json()["code"] == "reason_missing"
    assert bench.post(1, "undo", reason="The photograph was taken again.").status_code == 200
    refused = bench.decide(1, "NRG")
    assert (refused.status_code, refused.json()["code"]) == (400, "reason_missing")
    assert scene.latest(scene.case_of(study), TARGET).comment == "The photograph was taken again."


def test_clinical_truth_imported_after_the_sign_off_needs_a_reason(signed_study: Study, organiser: User) -> None:
    wish: dict[str, Any] = {"study": signed_study, "actor": organiser, "source": "Records"}
    wish |= {"table": truth.Table("truth.csv", b"case,glaucoma\n1,glaucoma\n")}
    with pytest.raises(DomainError) as refusal:
        truth.import_truth(**wish)
    assert refusal.value.code == "reason_missing"
    truth.import_truth(**wish, reason="The follow-up is complete.")
    assert scene.latest(scene.case_of(signed_study), "glaucoma").comment == "The follow-up is complete."


def test_there_is_one_door_through_which_references_are_written() -> None:
    """It asks for the reason whoever comes: a service that forgets to is stopped there."""
    services = Path(__file__).parents[2] / "consensus"
    writers = {
        path.name
        for path in services.rglob("*.py")
        if "Reference.objects.bulk_create" in path.read_text() or "Reference.objects.create" in path.read_text()
    }
    # Truth and annotations from elsewhere have tests of their own; the last freezes.
    assert writers == {"writing.py", "truth.py", "annotation_references.py", "freezing.py"}


def test_a_study_tells_how_many_references_have_changed_since(signed_study: Study, table: Table) -> None:
    version = DatasetVersion.objects.get()
    assert difference_from_now(version).total == 0
    table.post("decide", decisions=[table.decision("disc")], comment="Seen at the follow-up.")
    assert difference_from_now(version).total == 1
    assert version.references.count() == 3


def test_a_changed_study_is_signed_again_as_another_version(signed_study: Study, senior: User, table: Table) -> None:
    table.post("decide", decisions=[table.decision("disc")], comment="Seen at the follow-up.")
    assert sign(signed_study, senior).number == 2
