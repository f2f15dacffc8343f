"""Freezing a version of the dataset, and signing the references off."""

from typing import Any, Self

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.access import May
from annotator.errors import DomainError
from annotator.names import LONGEST_NAME
from annotator.views.base import StudyView, put_right
from consensus.manifest import digest_of
from consensus.models import DatasetVersion
from consensus.selectors.readiness import Standing
from consensus.services.freezing import LONGEST_NOTE, collected, freeze_dataset, unchanged_words
from consensus.services.signing import meaning_of, sign_off, unchanged_since_signed
from consensus.views.dataset_words import open_points, waiting_words
from consensus.words import held_words


class VersionForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    incomplete = forms.BooleanField(
        label=gettext_lazy("Leave the cases out that are still being read"),
        required=False,
        help_text=gettext_lazy("They can be part of a later version."),
    )

    def of(self, standing: Standing) -> Self:
        """A question is asked only where it arises."""
        if not standing.readiness.cases_waiting:
            del self.fields["incomplete"]
        return self


class FreezeForm(VersionForm):
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("What this version is for. Like everything in it, it cannot be changed later."),
    )
    field_order = ("name", "note", "incomplete")


class SignOffForm(VersionForm):
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=gettext_lazy("It stands for your signature."),
    )
    meaning = forms.CharField(widget=forms.HiddenInput, strip=False)  # the page writes it: always the present words
    field_order = ("name", "incomplete", "password", "meaning")


class FreezePage(StudyView):
    may = May.FREEZE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        standing = collected(self.study)
        return self._page(FreezeForm().of(standing), standing)

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = FreezeForm(request.POST)
        version = put_right(form, lambda: self._freeze(form)) if form.is_valid() else None
        if version is None:
            standing = collected(self.study)
            return self._page(form.of(standing), standing, status=400)
        messages.success(request, _("Version %(number)s is frozen.") % {"number": version.number})
        return redirect("dataset", study_id, version.public_id)

    def _freeze(self, form: FreezeForm) -> DatasetVersion:
        return freeze_dataset(study=self.study, actor=self.user, **form.cleaned_data)

    def _page(self, form: FreezeForm, standing: Standing, status: int = 200) -> HttpResponse:
        context = self.context(
            form=form,
            held=held_words(standing.content.counts()),
            points=open_points(self.study, standing.readiness),
            unchanged=unchanged_words(self.study, digest_of(standing.content)),
            waiting=waiting_words(self.study, standing.readiness),
            automatic=standing.readiness.references_automatic,
        )
        return render(self.request, "consensus/freeze.html", context, status=status)


class SignOffPage(StudyView):
    may = May.SIGN_OFF

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(SignOffForm(initial={"name": _("Reference standard")}))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = SignOffForm(request.POST)
        if not form.is_valid():
            return self._page(form, status=400)
        try:
            version = sign_off(study=self.study, actor=self.user, **form.cleaned_data)
        except DomainError as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return self._page(form, status=refusal.status)
        messages.success(request, _("The study is signed off as version %(number)s.") % {"number": version.number})
        return redirect("dataset", study_id, version.public_id)

    def _page(self, form: SignOffForm, status: int = 200) -> HttpResponse:
        standing = collected(self.study)
        digest = digest_of(standing.content)
        context: dict[str, Any] = self.context(
            form=form.of(standing),
            meaning=meaning_of(self.study, standing.content, digest),
            points=open_points(self.study, standing.readiness, signing=True),
            unchanged=unchanged_since_signed(self.study, digest),
            waiting=waiting_words(self.study, standing.readiness),
        )
        return render(self.request, "consensus/sign_off.html", context, status=status)
