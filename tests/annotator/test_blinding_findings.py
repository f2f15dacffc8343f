"""What a blinding report finds in the log: both sides, data taken out, invitations, tokens, decisions that were not
blind, removals, administrators."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotator.models import Invitation, Membership, Role, Study, User
from annotator.selectors.blinding import blinding_report
from annotator.services.job_run import run_job
from annotator.services.people import add_member, deactivate_member, invite, revoke_invitation
from annotator.services.tokens import make_token, revoke_token
from consensus.services.adjudicating import Verdict, adjudicate
from consensus.services.exporting import checked_wish, request_export
from consensus.services.freezing import freeze_dataset
from consensus.services.removing import remove_grader, take_back_removal
from tests.annotator.test_blinding_report import part, refused, section, told
from tests.annotator.test_blinding_report import study as study
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer, disputed_study

pytestmark = pytest.mark.django_db


def test_who_read_first_and_looked_on_later_is_on_record_and_breaks_nothing(
    study: Study, organiser: User, graders: list[User]
) -> None:
    """Left as a grader, came back as an observer: no reading came after that."""
    deactivate_member(membership=Membership.objects.get(study=study, user=graders[0]), actor=organiser)
    add_member(study=study, user=graders[0], role=Role.OBSERVER, actor=organiser)
    text = told(study)
    assert "0 of 4 readings came after" in " ".join(section(text, "Verdict"))
    assert [line.split(",")[0] for line in part(text, graders[0].name)[:2]] == ["grader G1", "observer V1"]
    assert " until now" not in part(text, graders[0].name)[0]


def test_whoever_has_both_roles_today_is_found_before_anything_was_read(
    study: Study, organiser: User, outsider: User
) -> None:
    reason = "Nobody else can read these eyes."
    add_member(study=study, user=organiser, role=Role.GRADER, actor=organiser, both_sides_reason=reason)
    text = " ".join(section(refused(study), "Verdict"))
    assert f"{organiser.name} (organiser, grader) read cases and could see the work of others" in text
    assert "0 of 0 readings came after that; both are possible today" in text
    assert f"Reason on record: {reason}" in text


def test_a_grader_who_organises_and_took_the_data_out_is_told_so(
    organiser: User, senior: User, graders: list[User], adjudicator: User
) -> None:
    study = disputed_study(
        [("RG", "RG"), ("NRG", "NRG")], organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[]
    )
    version = freeze_dataset(study=study, actor=senior, name="First")
    add_member(study=study, user=graders[0], role=Role.ORGANISER, actor=organiser, both_sides_reason="Stands in.")
    export = request_export(version=version, actor=graders[0], wish=checked_wish(version, formats=["tables"]))
    assert export.job is not None
    run_job(export.job.pk)
    client = Client()
    client.force_login(graders[0])
    assert client.get(f"/studies/{study.public_id}/exports/{export.public_id}/file").status_code == 200

    text = refused(study)
    assert "took data out 2 times; both are possible today" in " ".join(section(text, "Verdict"))
    taken = section(text, "Took data out of the house")
    assert [line.split(" on ")[0] for line in taken] == [
        f"{graders[0].name}: exported “First”",
        f"{graders[0].name}: downloaded “First”",
    ]
    assert "reference" not in part(text, senior.name)[-1]
    assert "dataset.frozen once" in " ".join(part(text, senior.name))


def test_an_invitation_that_was_not_taken_is_no_role(study: Study, organiser: User) -> None:
    invite(study=study, email="late@example.org", role=Role.SENIOR, actor=organiser)
    gone = invite(study=study, email="never@example.org", role=Role.OBSERVER, actor=organiser)
    revoke_invitation(invitation=gone, actor=organiser)
    invite(study=study, email="slow@example.org", role=Role.GRADER, actor=organiser)
    Invitation.objects.filter(email="slow@example.org").update(expires_at=timezone.now() - timedelta(days=1))

    text = told(study)
    late, never, slow = re.findall(r"\S+@example.org.*?(?= \S+@|$)", " ".join(section(text, "Invited and not come")))
    assert late.startswith("late@example.org as senior, on ")
    assert "; open until " in late
    assert "; revoked on " in never
    assert "; ran out on " in slow
    assert "late@example.org" not in " ".join(section(text, "What each role could read"))


def test_tokens_of_members_are_named_with_their_scopes_and_end(study: Study, organiser: User, outsider: User) -> None:
    make_token(person=organiser, name="Nightly copy", scopes=["read", "references"], days=30)
    token, _secret = make_token(person=organiser, name="Old script", scopes=["read"], study=study)
    revoke_token(person=organiser, public_id=token.public_id)
    make_token(person=outsider, name="Somebody else's", scopes=["read"])
    nightly, old = blinding_report(study).tokens
    assert (nightly.token, nightly.scopes, bool(nightly.expires), nightly.until) == (
        "Nightly copy",
        ("read", "references"),
        True,
        None,
    )
    assert (old.token, old.until is not None) == ("Old script", True)
    assert "Somebody else" not in told(study)


def test_an_adjudicator_who_knew_the_readings_is_found(
    organiser: User, senior: User, adjudicator: User, graders: list[User]
) -> None:
    study = disputed_study(
        [("RG", "NRG"), ("NRG", "RG")],
        organiser=organiser,
        senior=senior,
        graders=graders[:2],
        adjudicators=[adjudicator],
    )
    content: dict[str, Any] = {"answer": "present", "geometry": None, "label": "RG", "signs": [], "confidence": None}
    adjudicate(case=scene.case_of(study, 1), actor=adjudicator, tab="x", verdicts=[Verdict(1, TARGET, content)])
    assert "The blinding holds" in told(study)

    add_member(study=study, user=adjudicator, role=Role.SENIOR, actor=organiser)
    adjudicate(case=scene.case_of(study, 2), actor=adjudicator, tab="x", verdicts=[Verdict(1, TARGET, content)])
    text = refused(study)
    assert f"1. {adjudicator.name} settled case 2 on " in " ".join(section(text, "Verdict"))
    assert [(one.name, one.case) for one in blinding_report(study).not_blind] == [(adjudicator.name, 2)]
    assert "reference.decided 2 times" in " ".join(part(text, adjudicator.name))


def test_a_removal_and_its_taking_back_are_told_with_their_reason(
    study: Study, organiser: User, graders: list[User]
) -> None:
    member = Membership.objects.get(study=study, user=graders[0])
    removal = remove_grader(study=study, grader=member, reason="Drifts.", actor=organiser)
    [line] = section(told(study), "Removed with their readings")
    assert line.startswith(f"{graders[0].name} (G1) on ")
    assert line.endswith(f"by {organiser.name}, 4 readings: Drifts.")
    assert " until now" not in part(told(study), graders[0].name)[0]
    take_back_removal(removal=removal, actor=organiser)
    assert "; taken back on " in " ".join(section(told(study), "Removed with their readings"))
    assert len(part(told(study), graders[0].name)) == 3  # two stays, and what was done


@pytest.mark.parametrize("page", ["reading/", "auditevent/", "assignment/"])
def test_a_grader_who_looks_past_the_roles_as_an_administrator_is_found(
    study: Study, organiser: User, graders: list[User], page: str
) -> None:
    User.objects.filter(pk=graders[1].pk).update(is_staff=True, is_superuser=True)
    record = "is an administrator; no look under /admin/ is in the log"
    assert record in " ".join(section(told(study), "Verdict"))
    client = Client()
    client.force_login(User.objects.get(pk=graders[1].pk))
    client.get("/admin/annotator/user/")  # accounts, which are no secret
    assert blinding_report(study).holds

    assert client.get(f"/admin/annotator/{page}").status_code == 200
    scene.read(scene.assignments_of(study, graders[1])[0], answer("NRG"))
    text = refused(study)
    verdict = " ".join(section(text, "Verdict"))
    assert f"{graders[1].name} (grader) read cases and looked past the roles under /admin/ from " in verdict
    assert "1 of 1 readings came after that" in verdict
    assert f"{graders[1].name}, administrator" in text
    [line] = section(text, "Looks under /admin/, past all roles, since the study was made")
    assert line.startswith(f"{graders[1].name}: once, from ")
    assert line.endswith(f"; at {page.rstrip('/')}")


def test_an_administrator_without_a_role_is_named_and_breaks_nothing(study: Study, admin: User) -> None:
    client = Client()
    client.force_login(admin)
    client.get("/admin/annotator/revision/")
    client.get("/admin/consensus/reference/")
    text = told(study)
    [line] = section(text, "Looks under /admin/, past all roles, since the study was made")
    assert line.startswith(f"{admin.name}: 2 times, from ")
    assert line.endswith("; at reference, revision")


def test_it_fits_a_terminal_of_a_hundred_columns(study: Study, organiser: User, graders: list[User]) -> None:
    User.objects.filter(pk=graders[0].pk).update(name="Professor Maximiliane " + "von und zu " * 8 + "Hohenlohe")
    reason = "The only reader of this clinic who knows the camera. " * 6
    add_member(study=study, user=graders[0], role=Role.ORGANISER, actor=organiser, both_sides_reason=reason)
    text = refused(study)
    assert max(map(len, text.splitlines())) <= 100
    assert "Organiser (" in text


def test_the_report_of_a_long_log_takes_few_queries(
    study: Study, organiser: User, graders: list[User], django_assert_max_num_queries: Any
) -> None:
    for one in scene.assignments_of(study, graders[1]):
        scene.read(one, answer("NRG"))
    with django_assert_max_num_queries(40):
        blinding_report(study)
