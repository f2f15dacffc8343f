"""Which service does the work of which kind of job. Names are stored in rows, so they are never changed."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotator.models import Job
    from annotator.services.job_run import Progress

JobService = Callable[["Job", "Progress"], Any]

JOB_KINDS = {
    "import_images": "annotator.services.imports.run_import_job",
    "assign_cases": "annotator.services.assignments.run_assign_job",
}


def job_service(kind: str) -> JobService:
    module, _, name = JOB_KINDS[kind].rpartition(".")
    service: JobService = getattr(import_module(module), name)
    return service
