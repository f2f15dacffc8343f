"""Asking for background work, ringing its bell, and taking the request back."""

import logging
import socket
from datetime import timedelta
from typing import Any

from celery import signature
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from annotator.errors import Conflict
from annotator.job_kinds import JOB_KINDS
from annotator.models import Job, Study, User
from annotator.processes import life_of
from annotator.services.audit import record

SILENCE = timedelta(seconds=60)  # a running job that has said nothing for so long is taken for dead
MOST_ATTEMPTS = 5
logger = logging.getLogger("quorum.jobs")


@transaction.atomic
def request_job(*, kind: str, owner: User, arguments: dict[str, Any], study: Study | None = None) -> Job:
    """Write down what is to be done, then ring the bell once the row is on disk."""
    if kind not in JOB_KINDS:
        raise ValueError(f"kind is not a known kind of job: {kind}")
    job = Job.objects.create(kind=kind, owner=owner, arguments=arguments, study=study)
    record(action="job.requested", actor=owner, study=study, subject=job.public_id, after={"kind": kind})
    transaction.on_commit(lambda: ring(job.pk))
    return job


def ring(job_id: int) -> None:
    """A lost bell costs a minute: the row is found again by `ring_waiting_jobs`."""
    try:
        signature("annotator.tasks.run_job", args=(job_id,)).delay()
    except (OSError, OperationalError):
        logger.warning("the broker does not answer; job row %d will be rung again", job_id)


def ring_waiting_jobs() -> int:
    """Ring again for queued jobs and for running ones whose worker has died. Ringing twice does no harm."""
    release_jobs_of_dead_workers()
    silent = Q(state=Job.State.RUNNING, heartbeat__lt=timezone.now() - SILENCE)
    waiting = list(Job.objects.filter(Q(state=Job.State.QUEUED) | silent).order_by("pk").values_list("pk", flat=True))
    for job_id in waiting:
        ring(job_id)
    return len(waiting)


def release_jobs_of_dead_workers() -> None:
    """On this machine a dead process can be seen at once; elsewhere only its silence tells."""
    here = socket.gethostname()
    for job in Job.objects.filter(state=Job.State.RUNNING, worker__startswith=f"{here}:"):
        _host, pid, started, *_token = job.worker.split(":")
        if life_of(int(pid)) != f"{pid}:{started}":
            held = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, worker=job.worker)
            held.update(state=Job.State.QUEUED, worker="", heartbeat=None)


@transaction.atomic
def cancel_job(*, job: Job, actor: User) -> Job:
    """A waiting job ends at once, a running one at its next step."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.finished:
        raise Conflict("job_finished", _("This job has already ended."))
    job.cancel_asked = True
    if job.state == Job.State.QUEUED:
        job.state, job.finished_at = Job.State.CANCELLED, timezone.now()
    job.save(update_fields=["cancel_asked", "state", "finished_at"])
    record(action="job.cancelled", actor=actor, study=job.study, subject=job.public_id)
    return job
