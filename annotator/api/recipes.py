"""Protocols: the published recipes, what can be changed in them, and a study's own recipe."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.access import May
from annotator.api.door import Asked, Door, Versioned
from annotator.api.recipe_shapes import (
    ProtocolShown,
    RecipeChecked,
    RecipeShown,
    StudyRecipeShown,
    checked,
    protocol_shown,
    recipe_differences_shown,
)
from annotator.api.schema import documented
from annotator.errors import DomainError, NotVisible
from annotator.models import Study
from annotator.services import studies as services
from protocols import PUBLISHED
from protocols.recipe import Recipe


class ChangesAsked(Asked):
    """Fields to change by their path, or the whole recipe; never both."""

    changes = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        required=False,
        help_text='Such as {"readers.graders_per_case": 5}.',
    )
    recipe = serializers.DictField(
        child=serializers.JSONField(allow_null=True), required=False, help_text="A whole recipe as data."
    )

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        if "changes" in asked and "recipe" in asked:
            raise serializers.ValidationError({"recipe": [_("Send either changes or a whole recipe.")]})
        return asked


class RecipeAsked(ChangesAsked):
    protocol = serializers.CharField(max_length=20, required=False, help_text="Needed unless a whole recipe is sent.")


class RecipePut(ChangesAsked, Versioned):
    pass


def recipe_asked(asked: dict[str, Any], protocol: str = "") -> Recipe:
    """The recipe that a request describes; a refusal names the field."""
    protocol = protocol or asked.get("protocol", "")
    if "recipe" not in asked:
        if not protocol:
            raise DomainError("protocol_missing", _("Choose a protocol."), field="protocol")
        return services.changed_recipe(protocol=protocol, changes=asked.get("changes", {}))
    recipe = services.checked_recipe(asked["recipe"])
    if protocol and recipe.key != protocol:
        raise DomainError("other_protocol", _("The recipe belongs to another protocol."), field="key")
    return recipe


class Protocols(Door):
    @documented("protocols_list", "The published protocols", answer=ProtocolShown(many=True))
    def get(self, request: Request) -> Response:
        return self.listed(list(PUBLISHED.values()), ProtocolShown)


class ProtocolDoor(Door):
    def published(self, key: str) -> Recipe:
        access.require_recipe_reader(self.user)
        if key not in PUBLISHED:
            raise NotVisible("not_found", _("There is no protocol of this name."))
        return PUBLISHED[key]


class OneProtocol(ProtocolDoor):
    @documented(
        "protocols_read", "One protocol as data, and what is commonly changed", answer=RecipeShown, refuses=[404]
    )
    def get(self, request: Request, key: str) -> Response:
        return Response(RecipeShown(protocol_shown(self.published(key))).data)


class ProtocolCheck(ProtocolDoor):
    @documented(
        "protocols_check",
        "Is this change a recipe, and how does it differ from the paper; nothing is written",
        takes=ChangesAsked,
        answer=RecipeChecked,
        refuses=[400, 404, 413],
        example={"changes": {"readers.graders_per_case": 5}},
    )
    def post(self, request: Request, key: str) -> Response:
        published = self.published(key)
        return Response(RecipeChecked(checked(published, recipe_asked(self.asked(ChangesAsked), key))).data)


class StudyRecipe(Door):
    @documented("studies_recipe_read", "The study's recipe and how it differs", answer=StudyRecipeShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.shown(self.study(study_id, May.SEE_ALL_WORK))

    @documented(
        "studies_recipe_change",
        "Change the recipe before reading begins",
        takes=RecipePut,
        answer=StudyRecipeShown,
        refuses=[400, 404, 409, 413],
        example={"version": 1, "changes": {"readers.graders_per_case": 5}},
    )
    def put(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = self.asked(RecipePut)
        recipe = recipe_asked(asked, study.protocol)
        return self.shown(services.change_recipe(study=study, version=asked["version"], recipe=recipe, actor=self.user))

    def shown(self, study: Study) -> Response:
        facts = {
            "protocol": study.protocol,
            "version": study.version,
            "digest": study.recipe_digest,
            "recipe": study.recipe,
            "differences": recipe_differences_shown(study),
        }
        return Response(StudyRecipeShown(facts).data)
