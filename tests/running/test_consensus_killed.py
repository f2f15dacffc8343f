"""kill -9 of the worker in the middle of a consensus run: nothing is half written, and another worker ends it, once."""

import signal
import time
from pathlib import Path

import pytest

from tests.running.installation import Installation, end, ended

CASES = 60
PREPARE = f"""
from tests.consensus.filled import filled_study
from consensus.services.runs import request_run
study, senior = filled_study(cases={CASES}, graders=3, width=400, height=300)
request_run(study=study, actor=senior)
"""
ASK = """
from annotator.models import Job
from consensus.models import CaseReview, ConsensusRun, Reference, ReferenceInput
job = Job.objects.get()
print(job.state, job.attempts, Reference.objects.count(), ReferenceInput.objects.count(), CaseReview.objects.count(),
    ConsensusRun.objects.count())
"""


def asked(installation: Installation) -> tuple[str, list[int]]:
    state, *counts = installation.run(ASK).split()
    return state, [int(count) for count in counts]


@pytest.mark.xdist_group("processes")
def test_a_run_whose_worker_is_killed_is_finished_by_the_next_one(tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    assert installation.manage("migrate", "-v0").returncode == 0
    (tmp_path / "broker").mkdir(exist_ok=True)
    installation.run(PREPARE)
    worker, deadline = installation.start_worker(), time.monotonic() + 60
    while asked(installation)[1][1] == 0 and time.monotonic() < deadline:
        time.sleep(0.02)
    end(worker, signal.SIGKILL)
    _state, (_attempts, references, inputs, reviews, _runs) = asked(installation)
    assert references == 3 * reviews  # whole cases, or nothing of them
    assert inputs == 3 * references
    with ended(installation.start_worker()):
        deadline = time.monotonic() + 60
        while asked(installation)[0] not in ("done", "failed") and time.monotonic() < deadline:
            time.sleep(0.1)
    state, (_attempts, references, inputs, reviews, runs) = asked(installation)
    assert (state, references, inputs, reviews, runs) == ("done", 3 * CASES, 9 * CASES, CASES, 1)
    assert "The log is whole" in installation.manage("audit", "verify").stdout
