"""How an endpoint describes itself in the OpenAPI document; every one states its refusals."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiRequest,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class ErrorBody(serializers.Serializer[Any]):
    """Every refusal has this shape."""

    code = serializers.CharField(help_text="Stable; for programs.")
    message = serializers.CharField(help_text="A sentence in the person's language.")
    field = serializers.CharField(required=False, help_text="What the refusal is about, such as readers.plan.")


def _example(name: str, code: str, message: str, field: str = "") -> OpenApiExample:
    body = {"code": code, "message": message} | ({"field": field} if field else {})
    return OpenApiExample(name, value=body, response_only=True)


_REFUSALS = {
    400: ("The request cannot be understood.", _example("Bad value", "invalid", "This field is required.", "name")),
    401: (
        "The token is not valid.",
        _example("Bad token", "bad_token", "This token is not valid: it is unknown, has expired or was revoked."),
    ),
    403: (
        "Not signed in, no CSRF token, a token without the scope, or a role that does not allow this.",
        _example("Wrong role", "forbidden", "Your role in this study does not allow this."),
    ),
    404: (
        "It does not exist or is not yours to see.",
        _example("Not visible", "not_found", "There is no such study, or it is not yours to see."),
    ),
    409: (
        "It is not in the state that the request assumed.",
        _example("Stale version", "changed_meanwhile", "Somebody else changed this in the meantime. Look at it again."),
    ),
    413: ("The body is too large.", _example("Too large", "too_large", "The upload is larger than 2000 MB.")),
    507: ("The disk is full.", _example("Full", "disk_full", "The disk is full. Nothing was saved just now.")),
}


def documented(
    operation: str,
    summary: str,
    *,
    answer: Any,
    status: int = 200,
    also: dict[int, Any] | None = None,
    takes: Any = None,
    refuses: Sequence[int] = (),
    parameters: Sequence[OpenApiParameter] = (),
    example: dict[str, Any] | None = None,
) -> Callable[[Endpoint], Endpoint]:
    """`operation` is the name that generated clients give to the call; 401 and 403 can always happen."""
    responses: dict[int, Any] = {status: answer, **(also or {})}
    for code in sorted({401, 403, *refuses}):
        description, refusal = _REFUSALS[code]
        responses[code] = OpenApiResponse(ErrorBody, description=description, examples=[refusal])
    if example is not None:
        takes = OpenApiRequest(takes, examples=[OpenApiExample("For example", value=example, request_only=True)])
    decorator = extend_schema(
        operation_id=operation, summary=summary, request=takes, responses=responses, parameters=list(parameters)
    )
    return cast(Callable[[Endpoint], Endpoint], decorator)


def shaped(shape: Any) -> Callable[[Endpoint], Endpoint]:
    """What a method of a serializer gives, where its type does not say it."""
    return cast(Callable[[Endpoint], Endpoint], extend_schema_field(shape))
