"""How people get in: by invitation only."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class InvitationOnly(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth leaves sign-up open unless told otherwise."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
