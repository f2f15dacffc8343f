"""Recipes, their knobs and their differences as answers."""

from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotator.models import Study
from annotator.selectors.studies import recipe_differences
from protocols.difference import Difference, differences
from protocols.knobs import InputKind, Knob, knobs
from protocols.recipe import Recipe
from protocols.recipe_data import as_data, digest

KINDS = [kind.value for kind in InputKind]


@extend_schema_field({"description": "Any JSON value."})
class AnyValue(serializers.JSONField):
    """Text, number, truth value, list, record or null."""


class CitationShown(serializers.Serializer[Any]):
    authors = serializers.CharField()
    journal = serializers.CharField()
    year = serializers.IntegerField()
    doi = serializers.CharField()


class ProtocolShown(serializers.Serializer[Any]):
    """Who may only read learns no more of a protocol than this."""

    key = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    modality = serializers.CharField()
    citation = CitationShown()


class ChoiceShown(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class KnobShown(serializers.Serializer[Any]):
    """One field that organisers commonly change; send it back as changes[path]."""

    path = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    help = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    value = AnyValue(allow_null=True)
    choices = ChoiceShown(many=True)
    optional = serializers.BooleanField()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    group = serializers.CharField(allow_blank=True)


class DifferenceShown(serializers.Serializer[Any]):
    field = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    published = AnyValue(allow_null=True)
    changed = AnyValue(allow_null=True)


class RecipeShown(serializers.Serializer[Any]):
    key = serializers.CharField()
    digest = serializers.CharField()
    recipe = serializers.DictField(child=AnyValue(allow_null=True))
    knobs = KnobShown(many=True)


class RecipeChecked(serializers.Serializer[Any]):
    key = serializers.CharField()
    digest = serializers.CharField()
    recipe = serializers.DictField(child=AnyValue(allow_null=True))
    differences = DifferenceShown(many=True)


class StudyRecipeShown(serializers.Serializer[Any]):
    protocol = serializers.CharField()
    version = serializers.IntegerField(help_text="The study's; send it back with a change.")
    digest = serializers.CharField()
    recipe = serializers.DictField(child=AnyValue(allow_null=True))
    differences = DifferenceShown(many=True)


def protocol_shown(recipe: Recipe) -> dict[str, Any]:
    return {"key": recipe.key, "digest": digest(recipe), "recipe": as_data(recipe), "knobs": _knobs(recipe)}


def checked(published: Recipe, recipe: Recipe) -> dict[str, Any]:
    """A recipe that has passed all checks, beside the published one."""
    found = differences(published, recipe)
    return {"key": recipe.key, "digest": digest(recipe), "recipe": as_data(recipe), "differences": _worded(found)}


def recipe_differences_shown(study: Study) -> list[dict[str, Any]]:
    return _worded(recipe_differences(study))


def _worded(found: Sequence[Difference]) -> list[dict[str, Any]]:
    return [
        {
            "field": difference.field,
            "label": " › ".join(_(label) for label in difference.labels),
            "published": _plain(difference.published),
            "changed": _plain(difference.changed),
        }
        for difference in found
    ]


def _knobs(recipe: Recipe) -> list[dict[str, Any]]:
    return [_knob(knob) for knob in knobs(recipe)]


def _knob(knob: Knob) -> dict[str, Any]:
    words = {"label": _(knob.label), "help": _(knob.help)}
    choices = [{"value": choice.value, "label": _(choice.label)} for choice in knob.choices]
    return asdict(knob) | words | {"choices": choices}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
