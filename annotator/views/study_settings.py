"""Changing a study: its name, its protocol before reading begins, its state; and making another like it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator.access import May, may_create_studies, require_study_creator
from annotator.errors import DomainError
from annotator.models import Study
from annotator.selectors.recipes import recipe_of
from annotator.services.studies import (
    change_recipe,
    change_state,
    describe_study,
    duplicate_study,
    recipe_with_changes,
)
from annotator.views.base import StudyView, put_right
from annotator.views.forms_overview import DuplicateForm, SettingsForm, StateForm
from annotator.views.forms_recipe import RecipeForm
from annotator.views.words import state_change
from protocols import PUBLISHED


class SettingsPage(StudyView):
    """Two forms: what the study is called, and (until reading begins) how it is read."""

    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(self._description(), self._recipe())

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        if request.POST.get("part") == "recipe":
            return self._change_recipe(request)
        form = SettingsForm(request.POST)
        if not form.is_valid():
            return self._page(form, self._recipe(), status=400)
        try:
            describe_study(study=self.study, actor=self.user, **form.cleaned_data)
        except DomainError as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return self._page(form, self._recipe(), status=refusal.status)
        messages.success(request, _("Saved."))
        return redirect("study_settings", study_id)

    def _change_recipe(self, request: HttpRequest) -> HttpResponse:
        form = self._recipe(request.POST)
        if not form.is_valid():
            return self._page(self._description(), form, status=400)
        try:
            self._save_recipe(form, request.POST.get("version", ""))
        except DomainError as refusal:
            form.refuse(refusal)
            return self._page(self._description(), form, status=refusal.status)
        messages.success(request, _("The protocol of this study has been changed."))
        return redirect("study_protocol", self.study.public_id)

    def _save_recipe(self, form: RecipeForm, version: str) -> None:
        recipe = recipe_with_changes(recipe=recipe_of(self.study), changes=form.changes())
        number = int(version) if version.isdecimal() and len(version) < 10 else 0
        change_recipe(study=self.study, version=number, recipe=recipe, actor=self.user)

    def _description(self) -> SettingsForm:
        study = self.study
        return SettingsForm(initial={"name": study.name, "description": study.description, "version": study.version})

    def _recipe(self, posted: Any = None) -> RecipeForm:
        return RecipeForm(posted, recipe=recipe_of(self.study), published=PUBLISHED[self.study.protocol])

    def _page(self, description: SettingsForm, recipe: RecipeForm, status: int = 200) -> HttpResponse:
        context = self.context(
            description=description,
            form=recipe,
            changeable=self.study.state == Study.State.SETUP,
            change=state_change(self.study),
            may_create=may_create_studies(self.user),
        )
        return render(self.request, "overview/settings.html", context, status=status)


class ChangeState(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = StateForm(request.POST)
        if not form.is_valid():
            raise DomainError("bad_request", _("The request was not complete. Go back, reload and try once more."))
        state = Study.State(form.cleaned_data["state"])
        study = change_state(study=self.study, version=form.cleaned_data["version"], state=state, actor=self.user)
        said = _("The study is open for reading.") if study.state == Study.State.READING else _("The study is closed.")
        messages.success(request, said)
        return redirect("study", study_id)


class DuplicatePage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        require_study_creator(self.user)
        return self._page(DuplicateForm(initial={"name": self._proposed_name(), "with_people": True}))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = DuplicateForm(request.POST)
        copy = put_right(form, lambda: self._duplicate(form.cleaned_data)) if form.is_valid() else None
        if copy is None:
            return self._page(form, status=400)
        messages.success(request, _("The study has been duplicated. Now add its images."))
        return redirect("study", copy.public_id)

    def _proposed_name(self) -> str:
        return (_("%(name)s (copy)") % {"name": self.study.name})[:120]

    def _duplicate(self, asked: dict[str, Any]) -> Study:
        return duplicate_study(study=self.study, actor=self.user, **asked)

    def _page(self, form: DuplicateForm, status: int = 200) -> HttpResponse:
        return render(self.request, "overview/duplicate.html", self.context(form=form), status=status)
