"""Rounds as the organiser begins, dates, closes and opens them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.access import May
from annotator.errors import NotVisible
from annotator.models import Round
from annotator.services.rounds import begin_round, close_round, date_round, reopen_round
from annotator.views.base import StudyView, put_right
from annotator.views.moments import Moment


class RoundForm(forms.Form):
    opens = Moment(label=gettext_lazy("Opens"), required=False, help_text=gettext_lazy("Left empty: at once."))
    closes = Moment(
        label=gettext_lazy("To be read by"),
        required=False,
        help_text=gettext_lazy(
            "Left empty: no date. Afterwards nothing can be submitted until you open the round again."
        ),
    )


class RoundView(StudyView):
    may = May.MANAGE

    def round(self, public_id: str) -> Round:
        found = self.study.rounds.filter(public_id=public_id).first()
        if found is None:
            raise NotVisible("not_found", _("There is no such round."))
        return found

    def form_page(self, form: RoundForm, status: int = 200, **more: Any) -> HttpResponse:
        return render(self.request, "work/round.html", self.context(form=form, **more), status=status)


class RoundBegin(RoundView):
    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self.form_page(RoundForm())

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = RoundForm(request.POST)
        if not form.is_valid():
            return self.form_page(form, status=400)
        round = put_right(form, lambda: begin_round(study=self.study, actor=self.user, **form.cleaned_data))
        if round is None:
            return self.form_page(form, status=409)
        messages.success(request, _("%(round)s was begun. Now share its cases out.") % {"round": round})
        return redirect("study_assign", study_id)


class RoundDates(RoundView):
    def get(self, request: HttpRequest, study_id: str, round_id: str) -> HttpResponse:
        round = self.round(round_id)
        return self.form_page(RoundForm(initial={"opens": round.opens, "closes": round.closes}), round=round)

    def post(self, request: HttpRequest, study_id: str, round_id: str) -> HttpResponse:
        round, form = self.round(round_id), RoundForm(request.POST)
        if not form.is_valid():
            return self.form_page(form, status=400, round=round)
        if put_right(form, lambda: date_round(round=round, actor=self.user, **form.cleaned_data)) is None:
            return self.form_page(form, status=409, round=round)
        messages.success(request, _("The dates of the round were changed."))
        return redirect("study_assign", study_id)


class RoundChange(RoundView):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, round_id: str) -> HttpResponse:
        round = self.round(round_id)
        if request.POST.get("open") == "yes":
            reopen_round(round=round, actor=self.user)
            messages.success(request, _("The round is open again."))
        else:
            close_round(round=round, actor=self.user)
            messages.success(request, _("The round is closed."))
        return redirect("study", study_id)
