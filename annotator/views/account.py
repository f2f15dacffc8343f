"""One's own account."""

from typing import Any, cast

from allauth.account.views import PasswordResetView
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator.models import User
from annotator.services.account import rename_person
from annotator.services.reminding import want_reminders
from annotator.views.base import SignedInView, put_right
from annotator.views.forms_overview import AccountForm


class AccountPage(SignedInView):
    def get(self, request: HttpRequest) -> HttpResponse:
        return self._page(AccountForm(initial={"name": self.user.name, "wants_reminders": self.user.wants_reminders}))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = AccountForm(request.POST)
        person = User.objects.get(pk=self.user.pk)  # a refused name must not stand in the page's head
        renamed = put_right(form, lambda: self._rename(person, form)) if form.is_valid() else None
        if renamed is None:
            return self._page(form, status=400)
        want_reminders(person=person, wanted=form.cleaned_data["wants_reminders"])
        messages.success(request, _("Your account has been changed."))
        return redirect("account")

    def _rename(self, person: User, form: AccountForm) -> User:
        return rename_person(person=person, name=form.cleaned_data["name"], actor=self.user)

    def _page(self, form: AccountForm, status: int = 200) -> HttpResponse:
        return render(self.request, "overview/account.html", {"form": form}, status=status)


class ForgottenPassword(PasswordResetView):  # type: ignore[misc]
    """Where no mail is configured, nothing can be sent; saying otherwise would keep people waiting for a letter."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.EMAIL_CONFIGURED:
            return render(request, "account/password_reset_without_mail.html")
        return cast(HttpResponse, super().dispatch(request, *args, **kwargs))
