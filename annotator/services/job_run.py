"""Doing a job: claim it, beat, report progress, end it. Safe to call twice for the same job."""

import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.job_kinds import job_service
from annotator.models import Job
from annotator.models.job import JobState
from annotator.processes import life_of
from annotator.services.jobs import MOST_ATTEMPTS, SILENCE

BEAT_SECONDS = 10.0
logger = logging.getLogger("quorum.jobs")


class JobCancelled(Exception):
    """The owner asked for the end."""


class JobLost(Exception):
    """Another worker has taken the job over; this attempt must stop without writing anything more."""


class Progress:
    """What a job's service uses to say how far it is; raises when it should stop."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.afterwards: list[Callable[[], object]] = []  # tidying that must wait until the end is on disk

    def report(self, done: int, total: int) -> None:
        """Store progress and heartbeat. Call it between chunks, in or outside their transactions."""
        mine = Job.objects.filter(pk=self._job.pk, state=Job.State.RUNNING, worker=self._job.worker)
        if not mine.update(steps_done=done, steps_total=total, heartbeat=timezone.now()):
            raise JobLost
        if mine.filter(cancel_asked=True).exists():
            raise JobCancelled


def run_job(job_id: int) -> None:
    """Claim the job and do it; nothing happens if somebody else holds it or it has ended."""
    job = _claim(job_id)
    if job is None:
        return
    progress = Progress(job)
    try:
        with _Heart(job):
            result = job_service(job.kind)(job, progress)
    except JobLost:
        logger.warning("job %s was taken over by another worker", job.public_id)
        return
    except JobCancelled:
        _end(job, Job.State.CANCELLED)
    except DomainError as refusal:
        _end(job, Job.State.FAILED, error=refusal.message)
    except Exception:
        # The traceback may quote file names or people: it goes to the operator's log by job, never to a page.
        logger.exception("job %s failed", job.public_id)
        _end(job, Job.State.FAILED, error=_("Something went wrong on the server. The operator's log has the details."))
    else:
        _end(job, Job.State.DONE, result=result)
    for tidy in progress.afterwards:
        tidy()


def _claim(job_id: int) -> Job | None:
    worker = f"{socket.gethostname()}:{life_of(os.getpid())}:{secrets.token_hex(4)}"
    now = timezone.now()
    free = Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, heartbeat__lt=now - SILENCE)
    with transaction.atomic():
        claimed = Job.objects.filter(free, pk=job_id).update(
            state=Job.State.RUNNING, worker=worker, heartbeat=now, started_at=now, attempts=F("attempts") + 1
        )
    if not claimed:
        return None
    job = Job.objects.select_related("study", "owner").get(pk=job_id)
    if job.attempts > MOST_ATTEMPTS:
        _end(job, Job.State.FAILED, error=_("The job was begun several times and never reached its end."))
        return None
    if job.cancel_asked:
        _end(job, Job.State.CANCELLED)
        return None
    return job


def _end(job: Job, state: JobState, *, result: object = None, error: str = "") -> None:
    """Only the attempt that still holds the job may write its end, so it ends once."""
    ended: dict[str, Any] = {"state": state, "result": result, "error": error, "finished_at": timezone.now()}
    if state == Job.State.DONE:
        ended["steps_done"] = F("steps_total")  # the last step is done by the end itself
    Job.objects.filter(pk=job.pk, worker=job.worker, state=Job.State.RUNNING).update(**ended)


class _Heart:
    """Beats in a thread while the service works, so that one long step is not taken for death."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            mine = Job.objects.filter(pk=self._job.pk, state=Job.State.RUNNING, worker=self._job.worker)
            mine.update(heartbeat=timezone.now())
        connection.close()
