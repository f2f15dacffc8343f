"""A form made from a recipe's knobs. A field is named as the recipe's errors name it, so that each finds its place."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.errors import DomainError
from annotator.recipe_words import choice_word, value_words
from protocols.knobs import InputKind, Knob, knobs
from protocols.labels import field_label
from protocols.recipe import Recipe

SECTIONS = {
    "readers": gettext_lazy("Who reads what"),
    "viewer": gettext_lazy("On the screen"),
    "blinding": gettext_lazy("Blinding"),
    "review": gettext_lazy("Review"),
    "images": gettext_lazy("Size of a pixel"),
    "repeats": gettext_lazy("Hidden repeats"),
    "monitoring": gettext_lazy("Monitoring of graders"),
}


@dataclass(frozen=True)
class KnobRow:
    """One field as the page shows it: with the paper's value and whether it differs."""

    field: forms.BoundField
    paper: str
    differs: bool


@dataclass(frozen=True)
class KnobSection:
    title: str
    rows: list[KnobRow]

    @property
    def open(self) -> bool:
        return any(row.differs or row.field.errors for row in self.rows)

    @property
    def differing(self) -> int:
        return sum(row.differs for row in self.rows)


class RecipeForm(forms.Form):
    """`recipe` is what is being changed; `published` is what the paper says."""

    def __init__(self, *args: Any, recipe: Recipe, published: Recipe, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.knobs = {knob.path: knob for knob in knobs(recipe)}
        self.paper = {knob.path: knob for knob in knobs(published)}
        for path, knob in self.knobs.items():
            self.fields[path] = _field(knob)

    def changes(self) -> dict[str, Any]:
        """What was changed of the recipe, as `with_changes` takes it."""
        chosen = {path: _as_data(knob, self.cleaned_data.get(path)) for path, knob in self.knobs.items()}
        return {path: value for path, value in chosen.items() if not _same(self.knobs[path].value, value)}

    def refuse(self, refusal: DomainError) -> None:
        """Show a refusal at its field; the field's technical path is not for people."""
        path = refusal.field
        words = refusal.message.removeprefix(f"{path}: ")
        if path in self.fields:
            self.add_error(path, words[:1].upper() + words[1:])
        else:
            self.add_error(None, f"{_(field_label(path))}: {words}" if path else words)

    def sections(self) -> Iterator[KnobSection]:
        grouped: dict[str, list[KnobRow]] = {}
        for path, knob in self.knobs.items():
            title = _(knob.group) if knob.group else str(SECTIONS.get(path.split(".")[0], ""))
            grouped.setdefault(title, []).append(self._row(path, knob))
        for title, rows in grouped.items():
            yield KnobSection(title, rows)

    def _row(self, path: str, knob: Knob) -> KnobRow:
        paper = self.paper.get(path)
        here = knob.value
        if self.is_bound and path in getattr(self, "cleaned_data", {}):
            here = _as_data(knob, self.cleaned_data[path])
        differs = paper is not None and not _same(paper.value, here)
        return KnobRow(self[path], knob_words(paper) if paper else "–", differs)


def knob_words(knob: Knob) -> str:
    """The value of a knob in words."""
    if knob.kind in (InputKind.CHOICE, InputKind.CHOICES):
        chosen = knob.value if isinstance(knob.value, tuple) else (knob.value,)
        return ", ".join(choice_word(str(value)) for value in chosen if value) or _("none")
    return value_words(knob.value)


def _field(knob: Knob) -> forms.Field:
    shared: dict[str, Any] = {"label": _(knob.label), "help_text": _(knob.help), "required": False}
    choices = [(choice.value, choice_word(choice.value)) for choice in knob.choices]
    if knob.kind is InputKind.NUMBER:
        widget = forms.NumberInput(attrs={"step": "any"})
        return forms.FloatField(
            **shared | {"required": not knob.optional},
            initial=knob.value,
            min_value=knob.minimum,
            max_value=knob.maximum,
            widget=widget,
        )
    if knob.kind is InputKind.CHOICE:
        offered = [("", "–"), *choices] if knob.optional else choices
        return forms.ChoiceField(**shared | {"required": not knob.optional}, choices=offered, initial=knob.value or "")
    if knob.kind is InputKind.CHOICES:
        initial = list(knob.value) if isinstance(knob.value, tuple) else []
        return forms.MultipleChoiceField(
            **shared, choices=choices, initial=initial, widget=forms.CheckboxSelectMultiple
        )
    if knob.kind is InputKind.TOGGLE:
        return forms.BooleanField(**shared, initial=bool(knob.value))
    return forms.CharField(**shared | {"required": not knob.optional}, initial=knob.value, max_length=200)


def _as_data(knob: Knob, value: Any) -> Any:
    """What a form gives, as a recipe stores it: whole numbers whole, nothing as None."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if knob.kind is InputKind.CHOICES:
        return list(value or [])
    if knob.kind is InputKind.TEXT:
        return value or ""
    return None if value == "" else value


def _same(stored: object, value: object) -> bool:
    """The order of a set of choices says nothing."""
    if isinstance(stored, tuple) and isinstance(value, list | tuple):
        return set(stored) == set(value)
    return stored == value
