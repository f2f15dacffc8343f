"""Protocols to read: the published ones, and a study's own with its differences marked."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import Forbidden, NotVisible
from annotator.recipe_words import said, word
from annotator.selectors.recipes import recipe_of
from annotator.views.base import SignedInView, StudyView
from annotator.views.recipe_difference import changes_in_words, compared_sections, sections_of
from annotator.views.recipe_results import about_paper
from protocols import PUBLISHED
from protocols.recipe import Recipe


def protocol_card(recipe: Recipe) -> dict[str, Any]:
    """What a choice between protocols depends on."""
    return {
        "key": recipe.key,
        "name": recipe.name,
        "title": said(recipe.title),
        "summary": said(recipe.summary),
        "citation": recipe.citation,
        "modality": word(recipe.modality),
        "targets": ", ".join(said(target.name) for target in recipe.targets),
        "plan": word(recipe.readers.plan),
        "graders": recipe.readers.graders_per_case,
    }


class ProtocolPage(SignedInView):
    """A published protocol. Its numbers tell how frequent a disease is, so people who only read do not see it."""

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        may_create = access.may_create_studies(self.user)
        if not may_create and not access.studies_visible_to(self.user, May.SEE_ALL_WORK).exists():
            raise Forbidden("forbidden", _("Protocols are shown to people who organise or oversee a study."))
        if key not in PUBLISHED:
            raise NotVisible("unknown_protocol", _("There is no protocol of this name."))
        recipe = PUBLISHED[key]
        context = {
            "recipe": recipe,
            "card": protocol_card(recipe),
            "about": about_paper(recipe),
            "sections": sections_of(recipe),
            "others": [(other.key, other.name) for other in PUBLISHED.values()],
            "may_create": may_create,
        }
        return render(request, "overview/protocol.html", context)


class StudyProtocolPage(StudyView):
    may = May.SEE_ALL_WORK

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        published, recipe = PUBLISHED[self.study.protocol], recipe_of(self.study)
        context = self.context(
            recipe=recipe,
            card=protocol_card(recipe),
            about=about_paper(recipe),
            sections=compared_sections(published, recipe),
            differences=changes_in_words(published, recipe),
            digest=self.study.recipe_digest[:12],
        )
        return render(request, "overview/study_protocol.html", context)
