"""kill -9 of the worker in mid-job: after a restart the job finishes, once."""

import signal
import time
from pathlib import Path

import pytest

from tests.running.installation import Installation, end, ended

PREPARE = """
from tests import cast
from annotator.models import Case, Study
from annotator.services.assignments import request_assignment
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[cast.person(f"Grader {n}") for n in range(6)])
Case.objects.bulk_create([Case(study=study, number=n) for n in range(1, 2501)])
job = request_assignment(study=study, graders_per_case=None, actor=organiser)
print(job.pk)
"""
ASK = """
from annotator.models import Assignment, Job
job = Job.objects.get()
print(job.state, job.attempts, Assignment.objects.count())
"""
TWICE = """
from django.db.models import Count
from annotator.models import Assignment
rows = Assignment.objects.values("grader", "case").annotate(n=Count("pk")).filter(n__gt=1)
print(rows.count(), Assignment.objects.values("grader", "position").distinct().count())
"""
WANTED = 15_000


def asked(installation: Installation) -> tuple[str, int, int]:
    state, attempts, done = installation.run(ASK).split()
    return state, int(attempts), int(done)


def wait_for(installation: Installation, condition, seconds: float = 60) -> tuple[str, int, int]:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        seen = asked(installation)
        if condition(*seen):
            return seen
        time.sleep(0.05)
    raise AssertionError(f"the job did not get there: {seen}")


@pytest.mark.xdist_group("processes")
def test_a_job_whose_worker_is_killed_is_finished_once(tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    assert installation.manage("migrate", "-v0").returncode == 0
    (tmp_path / "broker").mkdir(exist_ok=True)
    installation.run(PREPARE)
    worker = installation.start_worker()
    wait_for(installation, lambda state, attempts, done: done > 0)
    end(worker, signal.SIGKILL)
    state, attempts, done = asked(installation)
    assert (state, attempts) == ("running", 1)
    assert 0 < done < WANTED
    with ended(installation.start_worker()):
        state, attempts, done = wait_for(installation, lambda state, attempts, done: state in ("done", "failed"))
    assert (state, attempts, done) == ("done", 2, WANTED)
    assert installation.run(TWICE) == f"0 {WANTED}"
    verified = installation.manage("audit", "verify")
    assert "The log is whole" in verified.stdout
