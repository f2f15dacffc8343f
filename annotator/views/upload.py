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
from annotator.formats.file_names import is_unsafe
from annotator.models import Image
from annotator.services.batches import Batch
from annotator.services.imports import request_import
from annotator.services.kept_batches import kept_batch
from annotator.services.uploads import Duplicate, picture_of_digest, take_upload
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

    def batch(self) -> Batch:
        """What was said about these files: before, when the preview was confirmed, or along with this one."""
        if key := self.request.POST.get("batch"):
            return kept_batch(study=self.study, key=key, actor=self.user)
        return self.said_now()

    def said_now(self) -> Batch:
        form = BatchFacts(self.request.POST, self.request.FILES, study=self.study)
        if form.is_valid():
            return form.batch
        if form.refusal is not None:
            raise form.refusal
        field, faults = next(iter(form.errors.items()))
        raise DomainError("bad_facts", f"{form.fields[field].label}: {faults[0]}", field=field)


class StudyUpload(TakesUploads):
    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(BatchFacts(study=self.study))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponseBase:
        return self._answer(request) if wants_json(request) else self._plain(request)

    def _page(self, form: BatchFacts, status: int = 200) -> HttpResponse:
        context = self.context(form=form, limit_mb=_mb(file_limit()), archive_mb=_mb(archive_limit()))
        return render(self.request, "work/upload.html", context, status=status)

    def _answer(self, request: HttpRequest) -> JsonResponse:
        batch = self.batch()
        if digest := request.POST.get("sha256"):
            twin = picture_of_digest(study=self.study, sha256=digest)
            return _already_there(twin) if twin is not None else JsonResponse({"wanted": True})
        outcome = self._take(_sent_file(request), request.POST.get("path", ""), batch)
        if isinstance(outcome, Duplicate):
            return _already_there(outcome.image)
        return JsonResponse({"image": outcome.public_id}, status=201)

    def _plain(self, request: HttpRequest) -> HttpResponse:
        form = BatchFacts(request.POST, request.FILES, study=self.study)
        if not form.is_valid():
            return self._page(form, status=400)
        files = request.FILES.getlist("file")
        if not files:
            messages.warning(request, _("Choose a file first."))
        for file in files:
            self._take_and_tell(request, file, form.batch)
        return redirect("study_upload", self.study.public_id)

    def _take_and_tell(self, request: HttpRequest, file: "UploadedFile[Any]", batch: Batch) -> None:
        try:
            outcome = self._take(file, "", batch)
        except DomainError as refusal:
            messages.error(request, f"{file.name}: {refusal.message}")
            return
        if isinstance(outcome, Duplicate):
            messages.info(request, _("%(name)s is already in the study.") % {"name": file.name})
        else:
            messages.success(request, _("%(name)s was added.") % {"name": file.name})

    def _take(self, file: "UploadedFile[Any]", path: str, batch: Batch) -> Image | Duplicate:
        """`path` is the name with the folders in which the file was chosen; a form alone does not tell them."""
        name = path or file.name or ""
        if is_unsafe(name):
            raise DomainError("unsafe_name", _("The name is not one of a plain file."), field="file")
        facts = batch.facts(name)
        return take_upload(study=self.study, name=name, content=reopened(file), facts=facts, actor=self.user)


def _already_there(image: Image) -> JsonResponse:
    message = _("The same picture is already in the study.")
    return JsonResponse({"duplicate": True, "image": image.public_id, "message": message})


class StudyUploadArchive(TakesUploads):
    """A bad archive is refused at once; a good one is unpacked in the background, and its job says what came of it."""

    http_method_names = ["post"]

    def most_bytes(self) -> int:
        return archive_limit()

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        batch = self.batch()
        archive = reopened(_sent_file(request))()
        job = request_import(study=self.study, archive=archive, actor=self.user, batch=batch)
        if wants_json(request):
            return JsonResponse({"job": job.public_id, "url": reverse("job", args=[job.public_id])}, status=202)
        return redirect("job", job.public_id)
