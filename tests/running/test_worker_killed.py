"""kill -9 of the worker in mid-job: after a restart the job finishes, once."""

import signal
from pathlib import Path

from tests.running.installation import Installation, end, ended
from tests.running.progress import progress, wait_for

PREPARE = """
from tests import cast
from annotator.models import Case, Study
from annotator.services.assignments import Rule, request_assignment
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[cast.person(f"Grader {n}") for n in range(6)])
Case.objects.bulk_create([Case(study=study, number=n) for n in range(1, 2501)])
job = request_assignment(study=study, rule=Rule(None), actor=organiser)
print(job.pk)
"""
TWICE = """
from django.db.models import Count
from annotator.models import Assignment
rows = Assignment.objects.values("grader", "case").annotate(n=Count("pk")).filter(n__gt=1)
print(rows.count(), Assignment.objects.values("grader", "position").distinct().count())
"""
WANTED = 15_000


def test_a_job_whose_worker_is_killed_is_finished_once(empty_database: Path, tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    installation.begin_with(empty_database)
    (tmp_path / "broker").mkdir(exist_ok=True)
    installation.run(PREPARE)
    worker = installation.start_worker()
    wait_for(installation, lambda seen: seen.assigned > 0)
    end(worker, signal.SIGKILL)
    killed = progress(installation)
    assert (killed.state, killed.attempts) == ("running", 1)
    assert 0 < killed.assigned < WANTED
    with ended(installation.start_worker()):
        finished = wait_for(installation, lambda seen: seen.state in ("done", "failed"))
    assert finished == ("done", 2, WANTED)
    assert installation.run(TWICE) == f"0 {WANTED}"
    verified = installation.manage("audit", "verify")
    assert "The log is whole" in verified.stdout
