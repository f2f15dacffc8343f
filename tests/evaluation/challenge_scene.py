"""A study with a frozen version, a challenge on it and teams; through the services that people's clicks call."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotator.models import Case, Job, Study, Team, User
from annotator.services.job_run import run_job
from annotator.services.teams import add_team, add_team_member
from consensus.models import DatasetVersion
from consensus.services.freezing import freeze_dataset
from consensus.services.truth import Table, import_truth
from evaluation.models import Challenge, Phase, Submission
from evaluation.services.opening import PhasePlan, open_challenge
from evaluation.services.submitting import KIND, submit
from tests import cast
from tests.consensus.scene import fuse_all, read_study, refuge_answers

SHOWN = {"shows_results": True, "shows_references": True}


def frozen_refuge(*, organiser: User, senior: User, graders: Sequence[User], cases: int = 4) -> Study:
    """Every grader reads every case alike; every second case has glaucoma by the clinic's records."""
    study = read_study(
        "refuge",
        organiser=organiser,
        senior=senior,
        graders=graders,
        answers=[refuge_answers() for _ in graders],
        cases=cases,
    )
    fuse_all(study, actor=senior)
    rows = [f"{number},{'glaucoma' if number % 2 == 0 else 'no-glaucoma'}" for number in range(1, cases + 1)]
    table = Table("truth.csv", ("case,glaucoma\n" + "\n".join(rows) + "\n").encode())
    import_truth(study=study, actor=organiser, table=table, source="Clinical records")
    freeze_dataset(study=study, actor=senior, name="First")
    return study


def plan_of(study: Study, **changes: Any) -> PhasePlan:
    now = timezone.now()
    plan: dict[str, Any] = {
        "key": "offline",
        "name": "Offline",
        "version": DatasetVersion.objects.filter(study=study).latest("number"),
        "opens_at": now - timedelta(hours=1),
        "closes_at": now + timedelta(hours=1),
        "limit": 5,
    }
    return PhasePlan(**plan | changes)


def opened(study: Study, *, organiser: User, **changes: Any) -> Challenge:
    plans = [plan_of(study, **changes)]
    return open_challenge(study=study, actor=organiser, name="The challenge", edition="paper", plans=plans)


def team_of(study: Study, name: str, *people: User, organiser: User) -> Team:
    team = add_team(study=study, name=name, actor=organiser)
    for user in people or [cast.person(f"{name} member")]:
        add_team_member(team=team, email=user.email, actor=organiser)
    return team


def names_of(phase: Phase) -> dict[str, Case]:
    return {row.name: row.case for row in phase.cases.select_related("case").order_by("name")}


def risks(phase: Phase, *, right: bool = True) -> dict[str, str]:
    """A classification.csv that is right about every case, or wrong about every case."""
    rows = [f"{name}.jpg,{0.9 if (case.number % 2 == 0) == right else 0.1}" for name, case in names_of(phase).items()]
    return {"classification.csv": "FileName,Glaucoma Risk\n" + "\n".join(rows) + "\n"}


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def sent(phase: Phase, team: Team, files: Mapping[str, str | bytes], *, name: str = "results.zip") -> Submission:
    actor = team.members.first()
    assert actor is not None
    return submit(phase=phase, team=team, actor=actor, content=io.BytesIO(zipped(files)), file_name=name)


def score_all() -> None:
    for job in Job.objects.filter(kind=KIND, finished_at=None):
        run_job(job.pk)


def submission_by_hand(study: Study, version: DatasetVersion, *, organiser: User, job: Job | None = None) -> Submission:
    """Of a version in which there is nothing; it has every field that pages and programs look at."""
    challenge = Challenge.objects.create(study=study, name="By hand", edition="paper", created_by=organiser)
    plan = plan_of(study)
    window = {"opens_at": plan.opens_at, "closes_at": plan.closes_at}
    phase = Phase.objects.create(
        challenge=challenge, position=1, key="offline", name="Offline", version=version, **window
    )
    return Submission.objects.create(
        phase=phase,
        team=Team.objects.create(study=study, name="By hand"),
        number=1,
        submitted_by=organiser,
        submitted_at=timezone.now(),
        file_name="results.zip",
        sha256="0" * 64,
        byte_count=1,
        job=job,
    )


def names_of_submission(submission: Submission) -> dict[str, str]:
    phase = submission.phase
    names = {"challenge_id": phase.challenge.public_id, "phase_id": phase.public_id, "name": "T0001"}
    return names | {"submission_id": submission.public_id}
