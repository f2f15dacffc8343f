"""Answers when there is nothing, and when something broke."""

import sys

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.defaults import server_error

from annotator.middleware import as_refusal, refuse, wants_json


def nothing_here(request: HttpRequest, **names: str) -> HttpResponse:
    raise Http404


def failed(request: HttpRequest) -> HttpResponse:
    """The last resort. A full disk is met here too when it shows outside a view, as when a session is saved."""
    fault = sys.exc_info()[1]
    refusal = as_refusal(fault) if isinstance(fault, Exception) else None
    if refusal is not None:
        return refuse(request, refusal)
    if wants_json(request):
        message = _("Something went wrong on our side. Work that was saved is safe.")
        return JsonResponse({"code": "server_error", "message": message}, status=500)
    return server_error(request)
