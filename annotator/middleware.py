"""What holds for every request: headers that keep others out, refusals in plain words, and a log of the admin's use."""

import errno
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import OperationalError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator.errors import DomainError, StorageFull
from annotator.models import User
from annotator.services.audit import record

if TYPE_CHECKING:
    Next = Callable[[HttpRequest], HttpResponseBase]

logger = logging.getLogger("quorum.requests")

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


class SecurityHeaders:
    """Nothing inline, nothing from elsewhere, no framing; pages of signed-in people are never kept by a cache."""

    def __init__(self, get_response: "Next") -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class PlainRefusals:
    """A DomainError or a full disk becomes a sentence with the right status, as a page or as JSON."""

    def __init__(self, get_response: "Next") -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        refusal = as_refusal(fault)
        return None if refusal is None else refuse(request, refusal)


def as_refusal(fault: Exception) -> DomainError | None:
    if isinstance(fault, DomainError):
        return fault
    full_disk = isinstance(fault, OSError) and fault.errno in {errno.ENOSPC, errno.EDQUOT}
    full_database = isinstance(fault, OperationalError) and "full" in str(fault)
    if full_disk or full_database:
        logger.error("there is no room left on the disk")
        return StorageFull("disk_full", _("The disk is full. Nothing was saved just now; earlier work is safe."))
    return None


def refuse(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    wants_json = request.path.startswith("/api/") or request.headers.get("Accept", "").startswith("application/json")
    if wants_json:
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
