"""Before anything is sent: what would become of the chosen files, and what was said about them, kept for their way."""

import json
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.services.intake_plan import Named, Plan, plan_intake
from annotator.services.kept_batches import keep_batch
from annotator.views.upload import TakesUploads

MOST_FILES = 20_000  # as many as an archive may hold
MOST_BYTES = 16 * 1024 * 1024
LONGEST_NAME = 4096
MOST_LINES_TOLD = 50


class StudyUploadPlan(TakesUploads):
    """The fields of the form, its table, and `names`: a JSON list of [name, bytes]. Answers in the same order."""

    http_method_names = ["post"]

    def most_bytes(self) -> int:
        return MOST_BYTES

    def post(self, request: HttpRequest, study_id: str) -> JsonResponse:
        batch = self.said_now()
        files = _names(request.FILES.get("names"))
        return JsonResponse(plan_data(plan_intake(study=self.study, files=files, batch=batch, actor=self.user)))


class StudyUploadBatch(TakesUploads):
    http_method_names = ["post"]

    def most_bytes(self) -> int:
        return MOST_BYTES

    def post(self, request: HttpRequest, study_id: str) -> JsonResponse:
        key = keep_batch(study=self.study, batch=self.said_now(), actor=self.user)
        return JsonResponse({"batch": key}, status=201)


def plan_data(plan: Plan) -> dict[str, Any]:
    """Rows as short lists: there may be many thousands."""
    lines = plan.lines_without_files
    return {
        "fitting": plan.fitting,
        "subjects": plan.subjects,
        "eyes": plan.eyes,
        "new_cases": plan.new_cases,
        "joined_cases": plan.joined_cases,
        "rows": [[row.facts.subject, row.facts.side, row.order, row.fault, row.seen] for row in plan.rows],
        "lines_without_files": {"count": len(lines), "first": [[r.line, r.file] for r in lines[:MOST_LINES_TOLD]]},
    }


def _names(sent: object) -> list[Named]:
    try:
        told: Any = json.loads(sent.read()) if isinstance(sent, UploadedFile) else None
        files = [Named(name, size) for name, size in told] if isinstance(told, list) else [Named("", -1)]
    except (ValueError, TypeError, RecursionError):
        files = [Named("", -1)]
    if not all(_is_honest(file) for file in files):
        raise DomainError("bad_names", _("The list of names cannot be read."), field="names")
    if len(files) > MOST_FILES:
        message = _("At most %(limit)s files can be looked at together. Choose them in several portions.")
        raise DomainError("too_many_files", message % {"limit": f"{MOST_FILES:,}"}, field="names")
    return files


def _is_honest(file: Named) -> bool:
    is_name = isinstance(file.name, str) and 0 < len(file.name) <= LONGEST_NAME
    return is_name and type(file.byte_count) is int and file.byte_count >= 0
