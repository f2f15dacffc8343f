"""The one place where a refusal becomes JSON: {"code", "message", "field"?}."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from annotator.errors import DomainError

log = logging.getLogger("quorum.api")


def answer_in_json(fault: Exception, context: dict[str, Any]) -> Response | None:
    response = _answer(fault, context)
    if response is not None:
        # Django names the address only; which of several refusals it was is known by the code.
        log.info("refused with %s: %s", response.status_code, response.data["code"])
    return response


def _answer(fault: Exception, context: dict[str, Any]) -> Response | None:
    if isinstance(fault, DomainError):
        set_rollback()
        return Response(fault.as_data(), status=fault.status)
    if isinstance(fault, exceptions.ValidationError):
        set_rollback()
        field, message = _first_fault(fault.detail)
        body = {"code": "invalid", "message": message}
        return Response(body | ({"field": field} if field else {}), status=400)
    response = exception_handler(fault, context)
    if response is None:
        return None
    if isinstance(fault, Http404):
        response.data = {"code": "not_found", "message": _("There is nothing here that you may see.")}
    elif isinstance(fault, PermissionDenied):
        response.data = {"code": "forbidden", "message": _("Your role does not allow this.")}
    elif isinstance(fault, exceptions.APIException):
        response.data = {"code": str(fault.get_codes()), "message": str(fault.detail)}
    return response


def _first_fault(detail: Any, field: str = "") -> tuple[str, str]:
    """The first complaint of a nested ValidationError with the dotted name of its field."""
    if isinstance(detail, dict):
        name, rest = next(iter(detail.items()))
        inner = field if name == "non_field_errors" else f"{field}.{name}".strip(".")
        return _first_fault(rest, inner)
    if isinstance(detail, list) and detail:
        return _first_fault(next((part for part in detail if part), detail[0]), field)
    return field, str(detail)
