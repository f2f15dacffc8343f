"""The page behind an invitation's link; the only page besides sign-in that strangers can open.

Whatever the form lacks is said with status 200: Django logs the address of other answers, and this one lets a person
in.
"""

from typing import cast

from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.debug import sensitive_post_parameters

from annotator.models import Invitation, User
from annotator.services.people import accept_invitation, open_invitation
from annotator.views.base import put_right
from annotator.views.people_forms import JoinForm


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class InvitationPage(View):
    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        return self._page(request, open_invitation(token), JoinForm())

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation = open_invitation(token)
        user = request.user if isinstance(request.user, User) else None
        form = JoinForm(request.POST)
        if user is None and not form.is_valid():
            return self._page(request, invitation, form)
        if user is not None:
            form = JoinForm({"name": user.name, "password": "-"})
        person = put_right(form, lambda: _accept(token, user, form))
        if person is None:
            return self._page(request, invitation, form)
        if invitation.team is not None:
            joined, there = _("Welcome to the team “%(team)s”.") % {"team": invitation.team.name}, reverse("home")
        else:
            joined = _("Welcome to the study “%(study)s”.") % {"study": invitation.study.name}
            there = reverse("study", args=[invitation.study.public_id])
        messages.success(request, joined)
        if user is not None:
            return HttpResponseRedirect(there)
        return cast(HttpResponse, perform_login(request, person, redirect_url=there))

    def _page(self, request: HttpRequest, invitation: Invitation, form: JoinForm) -> HttpResponse:
        user = request.user if isinstance(request.user, User) else None
        context = {
            "invitation": invitation,
            "form": form,
            "is_other_person": user is not None and user.email != invitation.email,
            "has_account": user is None and User.objects.filter(email=invitation.email).exists(),
        }
        return render(request, "work/invitation.html", context)


def _accept(token: str, user: User | None, form: JoinForm) -> User:
    if user is not None:
        return accept_invitation(token=token, user=user)
    form.is_valid()
    said = form.cleaned_data
    return accept_invitation(token=token, user=None, name=said["name"], password=said["password"])
