"""Background work: one's own, and that of the studies one organises."""

import csv
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.errors import NotVisible
from annotator.formats.cells import safe_cell
from annotator.models import Job
from annotator.services.jobs import cancel_job
from annotator.views.base import SignedInView
from annotator.views.listing import chosen, page_of
from annotator.views.words import job_kind_words, job_result_words, link_to

MOST_FILES = 500  # named one by one; the numbers above them count all


class JobsPage(SignedInView):
    def get(self, request: HttpRequest) -> HttpResponse:
        state = chosen(request, "state", Job.State.values)
        jobs = access.jobs_visible_to(self.user).select_related("study", "owner")
        jobs = jobs.defer("study__recipe", "arguments", "result")  # large, and the list does not show them
        page = page_of(request, jobs.filter(state=state) if state else jobs)
        count = page.paginator.count
        context = {
            "page": page,
            "rows": [self._row(job) for job in page.object_list],
            "filters": [
                {
                    "name": "state",
                    "label": _("State"),
                    "value": state,
                    "options": [("", _("All states")), *Job.State.choices],
                }
            ],
            "narrowed": bool(state),
            "found": ngettext("%(count)s job", "%(count)s jobs", count) % {"count": f"{count:,}"},
        }
        return render(request, "overview/jobs.html", context)

    def _row(self, job: Job) -> dict[str, Any]:
        return {"job": job, "kind": job_kind_words(job), "own": job.owner_id == self.user.pk}


def _job_for(user: Any, public_id: str) -> Job:
    job = access.jobs_visible_to(user).select_related("study", "owner").filter(public_id=public_id).first()
    if job is None:
        raise NotVisible("not_found", _("There is no such job, or it is not yours to see."))
    return job


class JobPage(SignedInView):
    def get(self, request: HttpRequest, job_id: str) -> HttpResponse:
        job = _job_for(self.user, job_id)
        context = {
            "job": job,
            "kind": job_kind_words(job),
            "words": job_result_words(job),
            "own": job.owner_id == self.user.pk,
            "api_url": link_to("api_job", job.public_id),
            "counts": _import_counts(job),
            "files": _files(job)[:MOST_FILES],
            "most_files": MOST_FILES,
        }
        return render(request, "overview/job.html", context)


class JobFiles(SignedInView):
    """All files that an import did not add, for a spreadsheet."""

    def get(self, request: HttpRequest, job_id: str) -> HttpResponse:
        job = _job_for(self.user, job_id)
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="import-{job.public_id}.csv"'
        table = csv.writer(answer)
        table.writerow(["file", "outcome", "reason"])
        table.writerows([safe_cell(file[column]) for column in ("name", "outcome", "reason")] for file in _files(job))
        return answer


def _import_counts(job: Job) -> list[tuple[str, int]]:
    """What an import did, in numbers; nothing for other jobs."""
    result = job.result if isinstance(job.result, dict) else {}
    if not isinstance(result.get("added"), int):
        return []
    known, refused = _entries(result, "duplicates"), _entries(result, "rejected")
    return [(_("Added"), result["added"]), (_("Already there"), len(known)), (_("Rejected"), len(refused))]


def _files(job: Job) -> list[dict[str, str]]:
    """Files that an import did not add, each with its reason; the rejected ones first."""
    result = job.result if isinstance(job.result, dict) else {}
    refused = [
        {"name": entry.get("name", ""), "outcome": _("Rejected"), "tone": "danger", "reason": entry.get("message", "")}
        for entry in _entries(result, "rejected")
    ]
    known = [
        {"name": entry.get("name", ""), "outcome": _("Already there"), "tone": "", "reason": _same_as(entry)}
        for entry in _entries(result, "duplicates")
    ]
    return refused + known


def _entries(result: dict[str, Any], kind: str) -> list[dict[str, str]]:
    return [entry for entry in result.get(kind, []) if isinstance(entry, dict)]


def _same_as(duplicate: dict[str, str]) -> str:
    if duplicate.get("same_as"):
        return _("The same picture as %(name)s.") % {"name": duplicate["same_as"]}
    return _("The same picture is already in the study.")


class CancelJob(SignedInView):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, job_id: str) -> HttpResponse:
        job = cancel_job(job=_job_for(self.user, job_id), actor=self.user)
        ended = job.state == Job.State.CANCELLED
        messages.success(request, _("The job was cancelled.") if ended else _("The job stops at its next step."))
        return redirect("job", job_id)
