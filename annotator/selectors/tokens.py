"""A person's tokens, and whose token a secret is."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotator import access
from annotator.models import ApiToken, Study, User

PREFIX = "quorum_"  # so that a token is recognised where it does not belong: in a log, in a public repository


@dataclass(frozen=True)
class Standing:
    """Whether a token still lets somebody in."""

    token: ApiToken
    state: str  # "valid", "expired" or "revoked"
    scopes: tuple[str, ...]


def digest_of(secret: str) -> str:
    """Plain SHA-256: the secret has 256 random bits, which nobody can try through."""
    return hashlib.sha256(secret.encode()).hexdigest()


def valid_token(secret: str) -> ApiToken | None:
    """The token, if it still lets in. Looked up by its digest, so that the time taken tells nothing of the secret."""
    if not secret.startswith(PREFIX) or not secret.isascii():
        return None
    rows = ApiToken.objects.select_related("user").filter(digest=digest_of(secret), revoked_at=None)
    return rows.filter(_not_expired(timezone.now()), user__is_active=True).first()


def _not_expired(now: datetime) -> Q:
    return Q(expires_at=None) | Q(expires_at__gt=now)


def valid_tokens_of(person: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(_not_expired(timezone.now()), user=person, revoked_at=None)


def tokens_of(person: User) -> list[Standing]:
    """All that a person has made, the latest first."""
    now = timezone.now()
    return [
        Standing(token, _state(token, now), tuple(token.scopes))
        for token in ApiToken.objects.filter(user=person).select_related("study")
    ]


def _state(token: ApiToken, now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "valid" if token.expires_at is None or token.expires_at > now else "expired"


def studies_of_person(person: User) -> QuerySet[Study]:
    """Where a person has a role or competes in a team."""
    with_role = Q(pk__in=access.studies_visible_to(person).values("pk"))
    return Study.objects.filter(with_role | Q(pk__in=access.teams_of(person).values("study"))).order_by("name", "pk")
