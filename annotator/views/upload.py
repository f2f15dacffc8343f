"""Pictures come in by the browser: one file per request, answered in JSON; without scripts a plain form. An archive of
them becomes a job."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import DomainError
from annotator.models import Image
from annotator.services.imports import request_import
from annotator.services.uploads import Duplicate, take_upload
from annotator.views.base import StudyView
from annotator.views.taking_files import TakesFiles, archive_limit, file_limit, reopened
from annotator.views.upload_form import BatchFacts


class SignedOut(DomainError):
    status = 401


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _mb(size: int) -> int:
    return size // 1024 // 1024


def _sent_file(request: HttpRequest) -> "UploadedFile[Any]":
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        raise DomainError("no_file", _("There is no file in the request."), field="file")
    return file


class TakesUploads(TakesFiles, StudyView):
    may = May.MANAGE

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Callable[..., Any]:
        """Scripts are told that the session has ended; the sign-in page they would take for an answer."""
        page = super().as_view(**initkwargs)

        @wraps(page)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if wants_json(request) and not request.user.is_authenticated:
                raise SignedOut("signed_out", _("You are signed out. Sign in again in another tab, then resume."))
            return page(request, *args, **kwargs)

        return answered


class StudyUpload(TakesUploads):
    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(BatchFacts(study=self.study))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponseBase:
        form = BatchFacts(request.POST, study=self.study)
        return self._answer(request, form) if wants_json(request) else self._plain(request, form)

    def _page(self, form: BatchFacts, status: int = 200) -> HttpResponse:
        context = self.context(form=form, limit_mb=_mb(file_limit()), archive_mb=_mb(archive_limit()))
        return render(self.request, "work/upload.html", context, status=status)

    def _answer(self, request: HttpRequest, form: BatchFacts) -> JsonResponse:
        if not form.is_valid():
            field, faults = next(iter(form.errors.items()))
            raise DomainError("bad_facts", f"{form.fields[field].label}: {faults[0]}", field=field)
        outcome = self._take(_sent_file(request), form)
        if isinstance(outcome, Duplicate):
            message = _("The same picture is already in the study.")
            return JsonResponse({"duplicate": True, "image": outcome.image.public_id, "message": message})
        return JsonResponse({"image": outcome.public_id}, status=201)

    def _plain(self, request: HttpRequest, form: BatchFacts) -> HttpResponse:
        if not form.is_valid():
            return self._page(form, status=400)
        files = request.FILES.getlist("file")
        if not files:
            messages.warning(request, _("Choose a file first."))
        for file in files:
            self._take_and_tell(request, file, form)
        return redirect("study_upload", self.study.public_id)

    def _take_and_tell(self, request: HttpRequest, file: "UploadedFile[Any]", form: BatchFacts) -> None:
        try:
            outcome = self._take(file, form)
        except DomainError as refusal:
            messages.error(request, f"{file.name}: {refusal.message}")
            return
        if isinstance(outcome, Duplicate):
            messages.info(request, _("%(name)s is already in the study.") % {"name": file.name})
        else:
            messages.success(request, _("%(name)s was added.") % {"name": file.name})

    def _take(self, file: "UploadedFile[Any]", form: BatchFacts) -> Image | Duplicate:
        name = file.name or ""
        facts = form.facts(name)
        try:
            return take_upload(study=self.study, name=name, content=reopened(file), facts=facts, actor=self.user)
        except DomainError as refusal:
            if form.cleaned_data["pattern"] and refusal.field == "subject":
                refusal.field = "file"  # its name said so, and no field that goes along with all files
            raise


class StudyUploadArchive(TakesUploads):
    """A bad archive is refused at once; a good one is unpacked in the background, and its job says what came of it."""

    http_method_names = ["post"]

    def most_bytes(self) -> int:
        return archive_limit()

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        job = request_import(study=self.study, archive=reopened(_sent_file(request))(), actor=self.user)
        if wants_json(request):
            return JsonResponse({"job": job.public_id, "url": reverse("job", args=[job.public_id])}, status=202)
        return redirect("job", job.public_id)
