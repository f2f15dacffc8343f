"""What holds for every request: headers that keep others out, refusals in plain words, and a log of the admin's use."""

import errno
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import OperationalError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator.errors import DomainError, StorageFull, TooLarge
from annotator.models import User
from annotator.services.audit import record

if TYPE_CHECKING:
    Next = Callable[[HttpRequest], HttpResponseBase]

logger = logging.getLogger("quorum.requests")

FULL_DATABASE = ("database or disk is full", "No space left on device", "Disk quota exceeded")  # SQLite, PostgreSQL
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


PROTECTION = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "private, no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SecurityHeaders:
    """Nothing inline, nothing from elsewhere, no framing; pages of signed-in people are never kept by a cache.

    It stands first, so that the refusals of every other layer carry the headers too.
    """

    def __init__(self, get_response: "Next") -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in PROTECTION.items():
            response.headers.setdefault(name, value)
        return response


class BodyLimit:
    """Django reads a whole form to find its CSRF token, so a stranger could fill the disk with one. Pages that take
    files check the size and the token themselves and are therefore exempt from Django's check."""

    def __init__(self, get_response: "Next") -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: "Callable[..., HttpResponseBase]", args: object, kwargs: object
    ) -> HttpResponse | None:
        stated = request.META.get("CONTENT_LENGTH") or "0"
        small = stated.isdecimal() and int(stated) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if small or getattr(view, "csrf_exempt", False):
            return None
        return refuse(request, TooLarge("too_large", _("This request is too large.")))


class PlainRefusals:
    """A DomainError or a full disk becomes a sentence with the right status, as a page or as JSON."""

    def __init__(self, get_response: "Next") -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _has_nul(request):
            # No name or search holds one, and PostgreSQL fails on it.
            return refuse(
                request, DomainError("bad_character", _("The address holds a character that is not allowed."))
            )
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        refusal = as_refusal(fault)
        return None if refusal is None else refuse(request, refusal)


def _has_nul(request: HttpRequest) -> bool:
    return "\0" in request.path or any("\0" in text for text in (*request.GET, *request.GET.values()))


def as_refusal(fault: Exception) -> DomainError | None:
    if isinstance(fault, DomainError):
        return fault
    full_disk = isinstance(fault, OSError) and fault.errno in {errno.ENOSPC, errno.EDQUOT}
    full_database = isinstance(fault, OperationalError) and any(words in str(fault) for words in FULL_DATABASE)
    if full_disk or full_database:
        logger.error("there is no room left on the disk")
        return StorageFull("disk_full", _("The disk is full. Nothing was saved just now; earlier work is safe."))
    return None


def wants_json(request: HttpRequest) -> bool:
    return request.path.startswith("/api/") or request.headers.get("Accept", "").startswith("application/json")


def refuse(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(refusal.as_data(), status=refusal.status)
    return render(request, "refused.html", {"refusal": refusal}, status=refusal.status)


class AdminUseLogged:
    """The admin sees past the role filter, so each use of it stands in the log."""

    def __init__(self, get_response: "Next") -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        user = request.user
        if request.path.startswith("/admin/") and isinstance(user, User) and user.is_staff:
            with transaction.atomic():
                record(action="admin.used", actor=user, subject=f"{request.method} {request.path}"[:120])
        return self.get_response(request)
