"""How people get in: by invitation only."""

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.core import context
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotator.errors import TooMany
from annotator.models import User


class InvitationOnly(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth leaves sign-up open unless told otherwise."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


def knows_password(person: User, password: str) -> bool:
    """Asked again before something weighty. It counts like a sign-in: after too many wrong ones, the right one is
    refused too."""
    if context.request is None:  # at the server's own console, where nobody can guess over the network
        return person.check_password(password)
    try:
        known = get_adapter().authenticate(context.request, email=person.email, password=password)
    except ValidationError:
        raise TooMany("too_many_attempts", _("Too many wrong passwords. Try again in five minutes.")) from None
    return bool(known == person)
