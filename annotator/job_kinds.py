"""Which service does the work of which kind of job. Names are stored in rows, so they are never changed."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from annotator.models import Job
    from annotator.services.job_run import Progress

JobService = Callable[["Job", "Progress"], Any]

JOB_KINDS = {
    "import_images": "annotator.services.imports.run_import_job",
    "assign_cases": "annotator.services.assignments.run_assign_job",
}
KIND_WORDS: "dict[str, _StrPromise]" = {}  # what pages call the kinds of other apps
RESULT_WORDS: dict[str, Callable[[dict[str, Any]], str]] = {}  # and how they tell what came of them


def register_job_kind(
    kind: str, *, service: str, words: "_StrPromise", result_words: Callable[[dict[str, Any]], str]
) -> None:
    """An app downstream has work of its own done in the background; called once, when it is ready."""
    JOB_KINDS[kind] = service
    KIND_WORDS[kind], RESULT_WORDS[kind] = words, result_words


def job_service(kind: str) -> JobService:
    module, _, name = JOB_KINDS[kind].rpartition(".")
    service: JobService = getattr(import_module(module), name)
    return service
