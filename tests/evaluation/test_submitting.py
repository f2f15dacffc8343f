"""A team sends an archive in: what is refused, what counts, and that two at once never pass the limit."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.errors import Conflict, DomainError
from annotator.models import AuditEvent, Job, Study, Team, User
from annotator.services.people import add_member
from annotator.services.teams import add_team_member, remove_team_member
from evaluation.models import Phase, Scorecard, Submission
from evaluation.services.submitting import KIND, submit, withdraw
from tests.evaluation.challenge_scene import (
    frozen_refuge,
    names_of,
    opened,
    risks,
    score_all,
    sent,
    team_of,
    zipped,
)


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    return frozen_refuge(organiser=organiser, senior=senior, graders=graders)


@pytest.fixture
def phase(study: Study, organiser: User) -> Phase:
    return opened(study, organiser=organiser, limit=2).phases.get()


@pytest.fixture
def team(study: Study, organiser: User) -> Team:
    return team_of(study, "Retina", organiser=organiser)


def kept_archives() -> list[Path]:
    return [path for path in (Path(settings.DATA_ROOT) / "submissions").rglob("*") if path.is_file()]


def test_an_archive_is_kept_counted_logged_and_scored(phase: Phase, team: Team) -> None:
    submission = sent(phase, team, risks(phase))
    assert (submission.number, submission.file_name) == (1, "results.zip")
    assert submission.sha256 in {path.name for path in kept_archives()}
    assert AuditEvent.objects.filter(action="submission.received", study=phase.challenge.study).count() == 1
    score_all()
    card = Scorecard.objects.get(submission=submission)
    assert card.metrics == {"auc": 1.0, "sensitivity_at_85_specificity": 1.0}  # every positive above every negative
    assert card.version_digest == phase.version.digest
    assert Job.objects.get(kind=KIND).result == {"submission": submission.public_id}


def test_names_are_drawn_and_say_nothing_of_the_file(phase: Phase) -> None:
    assert sorted(names_of(phase)) == ["T0001", "T0002", "T0003", "T0004"]


BAD = {
    "missing case": ("FileName,Glaucoma Risk\nT0001,0.5\nT0002,0.5\nT0003,0.5\n", "missing"),
    "not a number": ("FileName,Glaucoma Risk\nT0001,0.5\nT0002,0.5\nT0003,nan\nT0004,1\n", "line 4"),
    "another column": ("FileName,Risk\nT0001,0.5\n", "glaucoma risk"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_archive_is_refused_with_file_and_line_and_leaves_nothing(phase: Phase, team: Team, fault: str) -> None:
    table, told = BAD[fault]
    before = kept_archives()
    with pytest.raises(DomainError) as refusal:
        sent(phase, team, {"classification.csv": table})
    assert refusal.value.code == "bad_submission"
    assert told in refusal.value.message.lower()
    assert refusal.value.message.startswith("results.zip/classification.csv")
    assert (Submission.objects.count(), Job.objects.filter(kind=KIND).count(), kept_archives()) == (0, 0, before)


def test_what_is_not_an_archive_is_refused(phase: Phase, team: Team) -> None:
    actor = team.members.get()
    with pytest.raises(DomainError, match=r"notes\.zip"):
        submit(phase=phase, team=team, actor=actor, content=io.BytesIO(b"Dear organisers"), file_name="notes.zip")


def test_an_archive_that_leads_out_of_its_folder_is_refused(phase: Phase, team: Team) -> None:
    with pytest.raises(DomainError, match=r"\.\./classification\.csv"):
        sent(phase, team, {"../classification.csv": "FileName,Glaucoma Risk\n"})


def test_a_refused_archive_does_not_count_and_a_withdrawn_one_does(phase: Phase, team: Team) -> None:
    with pytest.raises(DomainError):
        sent(phase, team, {"classification.csv": ""})
    first = sent(phase, team, risks(phase))
    withdraw(submission=first, actor=team.members.get())
    assert sent(phase, team, risks(phase, right=False)).number == 2
    with pytest.raises(Conflict) as refusal:
        sent(phase, team, risks(phase))
    assert refusal.value.code == "limit_reached"


def test_the_page_counts_what_a_team_has_used_however_long_the_list_is(
    phase: Phase, team: Team, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    first = sent(phase, team, risks(phase))
    Phase.objects.filter(pk=phase.pk).update(limit=100)
    for number in range(2, 61):
        Submission.objects.create(
            phase=phase,
            team=team,
            number=number,
            submitted_by=first.submitted_by,
            submitted_at=first.submitted_at,
            file_name=f"results-{number}.zip",
            sha256=f"{number:064x}",
            byte_count=1,
        )
    address = reverse("challenge", args=[phase.challenge.public_id])
    page = browser_of(team.members.get()).get(address).content.decode()
    assert "60 of 100 used" in page
    assert "results-60.zip" in page
    assert "results-5.zip" not in page
    assert "results-5.zip" in browser_of(organiser).get(address, {"page": 2}).content.decode()


def test_the_same_archive_twice_is_one_submission(phase: Phase, team: Team) -> None:
    sent(phase, team, risks(phase))
    with pytest.raises(Conflict) as refusal:
        sent(phase, team, risks(phase))
    assert refusal.value.code == "same_again"
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(("hours", "code"), [(2, "not_open_yet"), (-3, "phase_closed")])
def test_outside_its_window_a_phase_takes_nothing(phase: Phase, team: Team, hours: int, code: str) -> None:
    phase.opens_at = timezone.now() + timedelta(hours=hours)
    phase.closes_at = phase.opens_at + timedelta(hours=1)
    phase.save()
    with pytest.raises(Conflict) as refusal:
        sent(phase, team, risks(phase))
    assert refusal.value.code == code


def test_a_team_has_nobody_of_the_study_and_nobody_twice(
    study: Study, team: Team, organiser: User, senior: User, graders: Sequence[User], outsider: User
) -> None:
    for insider in (senior, graders[0], organiser):
        with pytest.raises(Conflict):
            add_team_member(team=team, email=insider.email, actor=organiser)
    member = team.members.get()
    with pytest.raises(Conflict):
        add_team_member(
            team=team_of(study, "Other", outsider, organiser=organiser), email=member.email, actor=organiser
        )
    with pytest.raises(Conflict):
        add_member(study=study, user=member, role="grader", actor=organiser)  # type: ignore[arg-type]
    remove_team_member(team=team, user=member, actor=organiser)
    assert not team.members.exists()


def test_the_database_refuses_a_changed_scorecard_and_a_foreign_team(phase: Phase, team: Team, outsider: User) -> None:
    from tests import cast

    submission = sent(phase, team, risks(phase))
    score_all()
    with pytest.raises(IntegrityError), transaction.atomic():
        Scorecard.objects.update(metrics={})
    foreign = Team.objects.create(study=cast.study_of("glas", organiser=outsider), name="Foreign")
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.filter(pk=submission.pk).update(team=foreign)


@pytest.mark.contract
@pytest.mark.django_db(transaction=True)
def test_two_at_once_never_pass_the_limit(organiser: User, senior: User, graders: Sequence[User]) -> None:
    study = frozen_refuge(organiser=organiser, senior=senior, graders=graders)
    phase = opened(study, organiser=organiser, limit=1).phases.get()
    team = team_of(study, "Retina", organiser=organiser)
    archives = [zipped(risks(phase)), zipped(risks(phase, right=False))]
    begin, codes = threading.Barrier(2), list[str]()

    def attempt(archive: bytes) -> None:
        try:
            begin.wait()
            submit(
                phase=phase,
                team=team,
                actor=team.members.get(),
                content=io.BytesIO(archive),
                file_name="results.zip",
            )
            codes.append("taken")
        except DomainError as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt, args=(archive,)) for archive in archives]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["limit_reached", "taken"]
    assert Submission.objects.count() == 1
