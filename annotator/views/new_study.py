"""A new study: pick a protocol, then say what differs from the paper."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator.access import require_study_creator
from annotator.errors import DomainError, NotVisible
from annotator.services.studies import changed_recipe, create_study
from annotator.views.base import SignedInView, put_right
from annotator.views.forms_overview import DescriptionForm
from annotator.views.forms_recipe import RecipeForm
from annotator.views.protocol import protocol_card
from annotator.views.recipe_difference import changes_in_words
from protocols import PUBLISHED
from protocols.recipe import Recipe


class NewStudyPage(SignedInView):
    """Without ?protocol= the five protocols are shown, with it the form."""

    def get(self, request: HttpRequest) -> HttpResponse:
        require_study_creator(self.user)
        key = request.GET.get("protocol", "")
        if not key:
            cards = [protocol_card(recipe) for recipe in PUBLISHED.values()]
            return render(request, "overview/pick_protocol.html", {"cards": cards})
        published = _published(key)
        form = RecipeForm(recipe=published, published=published)
        return self._page(published, DescriptionForm(), form)

    def post(self, request: HttpRequest) -> HttpResponse:
        require_study_creator(self.user)
        published = _published(request.GET.get("protocol", ""))
        description = DescriptionForm(request.POST)
        form = RecipeForm(request.POST, recipe=published, published=published)
        named, changed = description.is_valid(), form.is_valid()
        recipe = refused_or_changed(form, published) if changed else None
        if recipe is None or not named:
            return self._page(published, description, form, status=400)
        if "preview" in request.POST:
            return self._page(published, description, form, changes=changes_in_words(published, recipe))
        study = put_right(description, lambda: create_study(actor=self.user, recipe=recipe, **description.cleaned_data))
        if study is None:
            return self._page(published, description, form, status=400)
        messages.success(request, _("The study has been created. Now add its images."))
        return redirect("study", study.public_id)

    def _page(
        self, published: Recipe, description: DescriptionForm, form: RecipeForm, status: int = 200, **more: Any
    ) -> HttpResponse:
        context = {"recipe": published, "card": protocol_card(published), "description": description, "form": form}
        return render(self.request, "overview/new_study.html", context | more, status=status)


def _published(key: str) -> Recipe:
    if key not in PUBLISHED:
        raise NotVisible("unknown_protocol", _("There is no protocol of this name."), field="protocol")
    return PUBLISHED[key]


def refused_or_changed(form: RecipeForm, published: Recipe) -> Recipe | None:
    """The recipe with the form's changes; None when they do not fit, which is then said at the field."""
    try:
        return changed_recipe(protocol=published.key, changes=form.changes())
    except DomainError as refusal:
        form.refuse(refusal)
        return None
