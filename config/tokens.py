"""The API's second way in, beside the session: a person's token in the Authorization header, for programs.

Scopes are looked at here, while it is found out who asks, so that no address can forget to.
"""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from annotator.models import ApiToken, Scope, User
from annotator.selectors.tokens import valid_token
from annotator.services.tokens import note_use
from config.token_scopes import IN_PERSON, SCOPES, Scopes, scopes_for

SCHEME = "bearer"


class BadToken(exceptions.APIException):
    """Not the framework's own refusal: that one becomes 403 where a session could have been there too."""

    status_code = 401
    default_code = "bad_token"
    auth_header = 'Bearer error="invalid_token"'


class ScopeMissing(exceptions.PermissionDenied):
    default_code = "scope_missing"


class TokenAuthentication(BaseAuthentication):
    """Who names a token is the token's person and nobody else, whatever session comes along."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _blank, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME:
            return None
        token = valid_token(secret.strip())
        if token is None:
            raise BadToken(_("This token is not valid: it is unknown, has expired or was revoked."))
        self._refuse_beyond(token, request)
        note_use(token)
        token.user.only_study = token.study_id
        return token.user, token

    def _refuse_beyond(self, token: ApiToken, request: Request) -> None:
        match = request._request.resolver_match
        enough = scopes_for(match.route if match else "", request.method or "")
        if enough == IN_PERSON:
            raise ScopeMissing(_("No token opens this: sign in with a browser."), code="in_person")
        if not set(enough) & set(token.scopes):
            raise ScopeMissing(_("This token lacks the scope: %(scopes)s.") % {"scopes": _either(enough)})


def _either(scopes: Scopes) -> str:
    return " / ".join(scopes)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[misc]
    """How the schema tells of it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": SCHEME,
            "description": f"A token of your account page. Scopes: {', '.join(Scope.values)}.",
        }


def tell_scopes(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Each operation of the schema says which scopes open it."""
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            enough = SCOPES.get(path.removeprefix("/api/v1/"), {}).get(method.upper(), IN_PERSON)
            said = f"Token scope: {' or '.join(enough)}." if enough else "Not open to tokens."
            operation["description"] = f"{operation.get('description', '')}\n\n{said}".strip()
            if not enough:
                operation["security"] = [way for way in operation.get("security", []) if TokenScheme.name not in way]
    return result
