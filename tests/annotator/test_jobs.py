"""Jobs: the row is the truth; a job ends once, whatever happens to its worker."""

import contextlib
import os
import signal
import socket
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotator import job_kinds
from annotator.errors import Conflict, DomainError
from annotator.models import Job, Study, User
from annotator.processes import life_of
from annotator.services import job_run, jobs
from annotator.services.job_run import Progress

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
done_so_far: list[str] = []


def count_to_three(job: Job, progress: Progress) -> dict[str, Any]:
    for step in range(1, 4):
        done_so_far.append(f"step {step}")
        progress.report(step, 3)
    return {"counted": 3}


def write_down_at_the_end(job: Job, progress: Progress) -> None:
    progress.report(2, 3)


def refuse(job: Job, progress: Progress) -> None:
    raise DomainError("no_paper", "There is no paper in the printer.")


def crash(job: Job, progress: Progress) -> None:
    raise RuntimeError("secret path /srv/patients/mueller.jpg")


def cancelled_by_owner(job: Job, progress: Progress) -> None:
    jobs.cancel_job(job=job, actor=job.owner)
    progress.report(1, 3)
    done_so_far.append("went on")


def taken_over(job: Job, progress: Progress) -> None:
    Job.objects.filter(pk=job.pk).update(worker="elsewhere:1:beef")
    progress.report(1, 3)
    done_so_far.append("went on")


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    done_so_far.clear()
    for service in (count_to_three, write_down_at_the_end, refuse, crash, cancelled_by_owner, taken_over):
        monkeypatch.setitem(job_kinds.JOB_KINDS, service.__name__, f"{__name__}.{service.__name__}")


def ask(kind: str, owner: User) -> Job:
    return jobs.request_job(kind=kind, owner=owner, arguments={})


def run(job: Job) -> Job:
    job_run.run_job(job.pk)
    job.refresh_from_db()
    return job


def test_a_job_is_done_and_says_so(organiser: User) -> None:
    job = run(ask("count_to_three", organiser))
    assert (job.state, job.result, job.steps_done, job.steps_total) == ("done", {"counted": 3}, 3, 3)


def test_a_job_that_is_done_has_no_step_left(organiser: User) -> None:
    job = run(ask("write_down_at_the_end", organiser))
    assert (job.state, job.steps_done, job.steps_total) == ("done", 3, 3)


def test_a_second_ring_does_nothing(organiser: User) -> None:
    job = run(ask("count_to_three", organiser))
    run(job)
    assert done_so_far == ["step 1", "step 2", "step 3"]


def test_a_refusal_is_shown_to_the_owner(organiser: User) -> None:
    assert run(ask("refuse", organiser)).error == "There is no paper in the printer."


def test_a_crash_tells_pages_nothing_secret(organiser: User) -> None:
    job = run(ask("crash", organiser))
    assert job.state == "failed"
    assert "mueller" not in job.error


def test_a_waiting_job_is_cancelled_at_once(organiser: User) -> None:
    job = jobs.cancel_job(job=ask("count_to_three", organiser), actor=organiser)
    assert run(job).state == "cancelled"
    assert done_so_far == []


def test_a_running_job_stops_at_its_next_step(organiser: User) -> None:
    assert run(ask("cancelled_by_owner", organiser)).state == "cancelled"
    assert done_so_far == []


def test_a_finished_job_cannot_be_cancelled(organiser: User) -> None:
    job = run(ask("count_to_three", organiser))
    with pytest.raises(Conflict):
        jobs.cancel_job(job=job, actor=organiser)


def test_an_attempt_that_lost_the_job_writes_nothing_more(organiser: User) -> None:
    job = run(ask("taken_over", organiser))
    assert (job.state, job.worker) == ("running", "elsewhere:1:beef")
    assert done_so_far == []


def running(owner: User, worker: str, silent_for: timedelta) -> Job:
    job = ask("count_to_three", owner)
    Job.objects.filter(pk=job.pk).update(
        state="running", worker=worker, heartbeat=timezone.now() - silent_for, attempts=1
    )
    return job


def test_a_running_job_whose_worker_beats_is_left_alone(organiser: User) -> None:
    job = running(organiser, f"{socket.gethostname()}:{life_of(os.getpid())}:beef", timedelta(seconds=5))
    assert jobs.ring_waiting_jobs() == 0
    assert run(job).state == "running"


def test_a_job_whose_worker_is_silent_is_done_by_another(organiser: User) -> None:
    job = running(organiser, "elsewhere:1:beef", timedelta(seconds=90))
    jobs.ring_waiting_jobs()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2)


@pytest.fixture
def child() -> Iterator[int]:
    """A process that lives until it is killed; what is left of it goes with the test."""
    pid = os.fork()
    if pid == 0:
        signal.pause()
    yield pid
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


@pytest.mark.parametrize("buried", [True, False])
def test_a_job_whose_process_is_dead_need_not_wait_for_silence(organiser: User, child: int, buried: bool) -> None:
    job = running(organiser, f"{socket.gethostname()}:{life_of(child)}:beef", timedelta(seconds=1))
    os.kill(child, signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | (0 if buried else os.WNOWAIT))
    jobs.ring_waiting_jobs()
    job.refresh_from_db()
    assert job.state == "done"


def test_another_process_that_was_given_the_number_of_the_dead_one_is_not_taken_for_it(
    organiser: User, child: int
) -> None:
    pid, started = life_of(child).split(":")
    job = running(organiser, f"{socket.gethostname()}:{pid}:{int(started) - 1}:beef", timedelta(seconds=1))
    jobs.ring_waiting_jobs()
    job.refresh_from_db()
    assert job.state == "done"


def test_a_job_that_kills_every_worker_is_given_up(organiser: User) -> None:
    job = running(organiser, "elsewhere:1:beef", timedelta(seconds=90))
    Job.objects.filter(pk=job.pk).update(attempts=jobs.MOST_ATTEMPTS)
    assert run(job).state == "failed"


def test_an_unknown_kind_is_refused(organiser: User) -> None:
    with pytest.raises(ValueError, match="paint_the_wall"):
        ask("paint_the_wall", organiser)


def test_a_broker_that_does_not_answer_does_not_lose_the_job(
    organiser: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("no broker")

    monkeypatch.setattr(jobs, "signature", broken)
    with django_capture_on_commit_callbacks(execute=True):
        job = ask("count_to_three", organiser)
    monkeypatch.undo()
    assert Study.objects.count() == 0
    assert job.state == "queued"
