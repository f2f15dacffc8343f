"""Celery's side of the bell: load by id, call a service."""

from celery import shared_task
from celery.signals import worker_ready

from annotator.services import annotation_uploads, incoming, job_run, jobs, reminding, repeats


@shared_task
def run_job(job_id: int) -> None:
    job_run.run_job(job_id)


@shared_task
def ring_waiting_jobs() -> None:
    jobs.ring_waiting_jobs()
    incoming.remove_abandoned()
    annotation_uploads.remove_abandoned()


@shared_task
def show_cases_again() -> None:
    repeats.draw_everywhere()


@shared_task
def remind_graders() -> None:
    reminding.remind_everybody()


@worker_ready.connect
def ring_at_start(**kwargs: object) -> None:
    jobs.ring_waiting_jobs()
