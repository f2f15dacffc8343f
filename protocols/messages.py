"""Every English text of this package that a user may read, for the message catalogue of the caller."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum

from protocols import names, scoring_names
from protocols.knobs import MARGIN_HELP, SCALE_HELP, SIGHT_HELP, SPECIALTY_HELP, knobs
from protocols.labels import PATH_LABELS, name_label
from protocols.recipe import Recipe
from protocols.standard import Column

ERRORS = (
    "must be %(expected)s",
    "must be one of %(choices)s",
    "must lie between %(low)s and %(high)s",
    "must be a short name made of letters, digits, - and _",
    "must not be empty",
    "must not be longer than %(limit)s characters",
    "must not contain control characters",
    "is used twice: %(name)s",
    "is missing",
    "is not a field of this record",
    "is not a field of this recipe",
    "must be 1 when a case is one image",
    "needs more than one photograph per case",
    "must be 1 when a single grader reads each case",
    "must be at least the number of graders per case, %(k)s",
    "needs a target that has an area",
    "goes round in a circle",
    "a label needs at least two options, any other kind has none",
    "needs at least three labels on the scale",
    "is needed with signs and without signs has no meaning",
    "does not fit the kind %(kind)s; possible: %(choices)s",
    "does not fit the kind %(kind)s",
    "does not fit %(name)s",
    "needs at least two graders per case",
    "needs at least three graders",
    "must contain adjudication for the rule two-plus-adjudicator",
    "must rise from one band to the next",
    "is needed for an ICC and for nothing else",
    "shares must sum to 1, not %(total)s",
    "weights must sum to 1, not %(total)s",
    "must name an earlier board",
    "needs one number per option",
    "a table needs columns, any other file has none",
    "a picture needs the meaning of its grey values, any other file has none",
)
EXPECTED = ("a list", "a record", "text", "true or false", "a whole number", "a number")
SPOKEN_FIELDS = frozenset(
    {
        *("name", "title", "summary", "note", "ours", "instructions", "where", "text", "description", "word"),
        *("profession", "experience", "reviewer"),
    }
)


def msgids(recipes: Mapping[str, Recipe]) -> frozenset[str]:
    """All texts of the recipes, their labels, knobs and error messages."""
    texts = {*ERRORS, *EXPECTED, *PATH_LABELS.values(), MARGIN_HELP, SCALE_HELP, SIGHT_HELP, SPECIALTY_HELP}
    for recipe in recipes.values():
        texts.update(_spoken(recipe))
        texts.update(text for knob in knobs(recipe) for text in (knob.label, knob.help))
    texts.update(name_label(name) for enumeration in _enumerations() for name in enumeration)
    return frozenset(texts - {""})


def _spoken(record: object) -> Iterator[str]:
    if isinstance(record, tuple):
        for entry in record:
            yield from _spoken(entry)
    elif is_dataclass(record) and not isinstance(record, Column):  # a column's name is the file's, not a person's
        for field in fields(record):
            value = getattr(record, field.name)
            if field.name in SPOKEN_FIELDS and not isinstance(value, StrEnum):
                yield from value if isinstance(value, tuple) else (value,)
            else:
                yield from _spoken(value)


def _enumerations() -> Iterator[type[StrEnum]]:
    for module in (names, scoring_names):
        for entry in vars(module).values():
            if isinstance(entry, type) and issubclass(entry, StrEnum) and entry is not StrEnum:
                yield entry
