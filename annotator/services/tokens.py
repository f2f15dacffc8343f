"""Making and revoking the tokens by which people's own programs come in. The log never holds a secret."""

import logging
import secrets
from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError, NotVisible
from annotator.models import ApiToken, Scope, Study, User
from annotator.names import checked_name
from annotator.selectors.tokens import PREFIX, digest_of, studies_of_person, valid_tokens_of
from annotator.services.audit import record

logger = logging.getLogger("quorum.tokens")

MOST_TOKENS = 50
LONGEST_DAYS = 3650
NOTED_EVERY = timedelta(hours=1)  # written so rarely that reading stays reading


@transaction.atomic
def make_token(
    *, person: User, name: str, scopes: Collection[str], study: Study | None = None, days: int | None = None
) -> tuple[ApiToken, str]:
    """The token and its secret, which is nowhere else. Without `days` it is valid until it is revoked."""
    name = checked_name(name, missing=_("Please say what the token is for."))
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown or not scopes:
        raise DomainError("unknown_scope", _("Choose at least one of the scopes."), field="scopes")
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise DomainError("bad_expiry", _("The number of days is not possible."), field="days")
    if study is not None and not studies_of_person(person).filter(pk=study.pk).exists():
        raise NotVisible("not_found", _("There is no such study, or it is not yours to see."), field="study")
    User.objects.select_for_update().get(pk=person.pk)  # two windows at once do not pass the limit together
    if valid_tokens_of(person).count() >= MOST_TOKENS:
        message = _("You have %(count)s valid tokens. Revoke one that you no longer use.") % {"count": MOST_TOKENS}
        raise Conflict("too_many_tokens", message)
    secret = PREFIX + secrets.token_urlsafe(32)
    now = timezone.now()
    token = ApiToken.objects.create(
        user=person,
        name=name,
        digest=digest_of(secret),
        beginning=secret[: len(PREFIX) + 4],
        scopes=[scope for scope in Scope.values if scope in scopes],
        study=study,
        created_at=now,
        expires_at=None if days is None else now + timedelta(days=days),
    )
    _record("token.made", token)
    return token, secret


@transaction.atomic
def revoke_token(*, person: User, public_id: str) -> ApiToken:
    """From now on it lets nobody in. Revoking it twice is no fault: it is what was wished for."""
    token = ApiToken.objects.select_for_update(of=("self",)).filter(user=person, public_id=public_id).first()
    if token is None:
        raise NotVisible("not_found", _("There is no such token of yours."))
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        _record("token.revoked", token)
    return token


def note_use(token: ApiToken) -> None:
    """When it was last used, to the hour. What cannot be noted down must not keep anybody from reading."""
    now = timezone.now()
    if token.last_used_at is not None and now - token.last_used_at < NOTED_EVERY:
        return
    unnoted = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
    try:
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)
    except DatabaseError as fault:
        logger.warning("the use of token %s could not be noted: %s", token.public_id, type(fault).__name__)


def _record(action: str, token: ApiToken) -> None:
    """In the log of every study that the token opens, and in the system's, which administrators read."""
    told: dict[str, Any] = {"name": token.name, "scopes": token.scopes}
    if token.expires_at is not None:
        told["expires"] = token.expires_at
    for study in _opened_by(token):
        record(action=action, actor=token.user, study=study, subject=token.public_id, after=told)
    limit = {} if token.study is None else {"study": token.study.public_id}
    record(action=action, actor=token.user, subject=token.public_id, after=told | limit)


def _opened_by(token: ApiToken) -> Iterator[Study]:
    """Always in the same order, so that two who write into the same logs do not wait for one another."""
    if token.study is not None:
        yield token.study
    else:
        yield from studies_of_person(token.user).order_by("pk")
