"""Pictures come in by the browser: one file per request, answered in JSON; without scripts a plain form."""

from collections.abc import Callable
from functools import wraps
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from annotator.access import May
from annotator.errors import DomainError, Forbidden, TooLarge
from annotator.imaging.limits import MAX_BYTES
from annotator.models import Image
from annotator.services.uploads import Duplicate, take_upload
from annotator.views.base import StudyView
from annotator.views.upload_form import BatchFacts

ROOM_FOR_FIELDS = 64 * 1024


class SignedOut(DomainError):
    status = 401


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


# Django would read the whole body to find the token before any view could refuse its size. The token is checked in
# `post`, after the size; a test holds that.
@method_decorator(csrf_exempt, name="dispatch")
class StudyUpload(StudyView):
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

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(BatchFacts(study=self.study))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponseBase:
        refuse_large_body(request)
        refuse_forgery(request)
        form = BatchFacts(request.POST, study=self.study)
        if wants_json(request):
            return self._answer(request, form)
        return self._plain(request, form)

    def _page(self, form: BatchFacts, status: int = 200) -> HttpResponse:
        context = self.context(form=form, limit_mb=file_limit() // 1024 // 1024)
        return render(self.request, "work/upload.html", context, status=status)

    def _answer(self, request: HttpRequest, form: BatchFacts) -> JsonResponse:
        if not form.is_valid():
            field, faults = next(iter(form.errors.items()))
            raise DomainError("bad_facts", f"{form.fields[field].label}: {faults[0]}", field=field)
        file = request.FILES.get("file")
        if not isinstance(file, UploadedFile):
            raise DomainError("no_file", _("There is no file in the request."), field="file")
        outcome = self._take(file, form)
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
        return take_upload(study=self.study, name=name, content=reopened(file), facts=facts, actor=self.user)


def file_limit() -> int:
    return min(MAX_BYTES, settings.UPLOAD_LIMIT_MB * 1024 * 1024)


def refuse_large_body(request: HttpRequest) -> None:
    """By the length the request states, before a byte of it is read."""
    stated = request.META.get("CONTENT_LENGTH") or "0"
    if not stated.isdigit() or int(stated) > file_limit() + ROOM_FOR_FIELDS:
        limit = {"limit": file_limit() // 1024 // 1024}
        raise TooLarge("too_large", _("A file may have at most %(limit)s MB.") % limit, field="file")


class _TokenCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def refuse_forgery(request: HttpRequest) -> None:
    check = _TokenCheck(lambda request: HttpResponse())
    check.process_request(request)
    if check.process_view(request, lambda request: HttpResponse(), (), {}):
        raise Forbidden("csrf_failed", _("The page is too old. Load it again, then send the file once more."))


def reopened(file: "UploadedFile[Any]") -> Callable[[], BinaryIO]:
    """Django's upload as something that can be opened more than once; closing it would delete it."""

    def opener() -> BinaryIO:
        file.seek(0)
        return cast(BinaryIO, _Unclosed(file))

    return opener


class _Unclosed:
    def __init__(self, file: "UploadedFile[Any]") -> None:
        self._file = file

    def __enter__(self) -> "_Unclosed":
        return self

    def __exit__(self, *ended: object) -> None:
        pass

    def read(self, size: int = -1) -> bytes:
        return cast(bytes, self._file.read() if size < 0 else self._file.read(size))

    def close(self) -> None:
        pass
