"""kill -9 of the worker in the middle of a consensus run: nothing is half written, and another worker ends it, once."""

import signal
from pathlib import Path

from tests.running.installation import Installation, end, ended
from tests.running.progress import count, progress, wait_for
from tests.waiting import until

CASES = 60
PREPARE = f"""
from tests.consensus.filled import filled_study
from consensus.services.runs import request_run
study, senior = filled_study(cases={CASES}, graders=3, width=400, height=300)
request_run(study=study, actor=senior)
"""
REFERENCES, INPUTS, REVIEWS = "consensus_reference", "consensus_referenceinput", "consensus_casereview"


def test_a_run_whose_worker_is_killed_is_finished_by_the_next_one(empty_database: Path, tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    installation.begin_with(empty_database)
    (tmp_path / "broker").mkdir(exist_ok=True)
    installation.run(PREPARE)
    worker = installation.start_worker()
    until(lambda: count(installation, REFERENCES) > [0], True, seconds=120)
    end(worker, signal.SIGKILL)
    references, inputs, reviews = count(installation, REFERENCES, INPUTS, REVIEWS)
    assert progress(installation).state == "running"
    assert references == 3 * reviews  # whole cases, or nothing of them
    assert inputs == 3 * references
    with ended(installation.start_worker()):
        finished = wait_for(installation, lambda job: job.state in ("done", "failed"), seconds=240)
    assert finished.state == "done"
    assert count(installation, REFERENCES, INPUTS, REVIEWS) == [3 * CASES, 9 * CASES, CASES]
    assert count(installation, "consensus_consensusrun") == [1]
    assert "The log is whole" in installation.manage("audit", "verify").stdout
