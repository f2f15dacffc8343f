"""One's tokens: the list, a new one, and revoking. A secret is shown once, in the answer that made it."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from annotator.models import Scope
from annotator.selectors.tokens import tokens_of
from annotator.services.tokens import make_token, revoke_token
from annotator.views.base import SignedInView, put_right
from annotator.views.token_form import TokenForm


class TokensPage(SignedInView):
    def get(self, request: HttpRequest) -> HttpResponse:
        rows = [
            {"token": one.token, "state": one.state, "scopes": [Scope(scope).label for scope in one.scopes]}
            for one in tokens_of(self.user)
        ]
        return render(request, "account/tokens.html", {"rows": rows})


@method_decorator(reauthentication_required, name="dispatch")
class NewTokenPage(SignedInView):
    """A browser left open must not give away a way in that outlives it: the password is asked for again."""

    def get(self, request: HttpRequest) -> HttpResponse:
        form = TokenForm(initial={"days": "90"}).of(self.user)
        return render(request, "account/token_new.html", {"form": form})

    def post(self, request: HttpRequest) -> HttpResponse:
        form = TokenForm(request.POST).of(self.user)
        wish = form.wished(self.user) if form.is_valid() else None
        made = put_right(form, lambda: make_token(person=self.user, **wish)) if wish is not None else None
        if made is None:
            return render(request, "account/token_new.html", {"form": form}, status=400)
        token, secret = made
        context = {"token": token, "secret": secret, "try_it": _try_it(request.build_absolute_uri("/api/v1/me/"))}
        return render(request, "account/token_made.html", context)


def _try_it(address: str) -> str:
    """The shell's history does not hear of the secret."""
    return f'read -rs QUORUM_TOKEN && export QUORUM_TOKEN\ncurl -H "Authorization: Bearer $QUORUM_TOKEN" {address}'


class RevokeToken(SignedInView):
    def post(self, request: HttpRequest, token_id: str) -> HttpResponse:
        token = revoke_token(person=self.user, public_id=token_id)
        messages.success(request, _("The token “%(name)s” was revoked.") % {"name": token.name})
        return redirect("account_tokens")
