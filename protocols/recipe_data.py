"""Recipes as plain data (JSON) and back. Reading is strict and says which field is wrong.

Everything is derived from the type hints of the vocabulary; what a record must satisfy beyond its types stands beside
the record. A field that has a default may be missing, so that a recipe stored by an earlier version stays readable.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

from protocols.constraints import check_text
from protocols.errors import RecipeError, at
from protocols.recipe import Recipe

LARGEST_NUMBER = 10**15  # beyond it a JSON number is not exact everywhere


def as_data(recipe: Recipe) -> dict[str, Any]:
    """The recipe as dictionaries, lists, text, numbers, booleans and None."""
    return cast(dict[str, Any], _plain(recipe))


def from_data(data: object) -> Recipe:
    """The recipe that ``data`` describes; RecipeError naming the field if there is none."""
    return cast(Recipe, _read(Recipe, data))


def digest_of_data(data: object) -> str:
    """SHA-256 (hex) of the canonical JSON of ``data``: sorted keys, no blanks, UTF-8."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def digest(recipe: Recipe) -> str:
    """The digest of a recipe. To verify a stored recipe use ``digest_of_data`` on the data as they were stored."""
    return digest_of_data(as_data(recipe))


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, StrEnum):
        return value.value
    return value


def _read(hint: Any, value: object) -> object:
    origin = get_origin(hint)
    if origin is Annotated:
        base, *constraints = get_args(hint)
        result = _read(base, value)
        for constraint in constraints:
            constraint.check(result)
        return result
    if origin in (Union, UnionType):
        (base,) = (part for part in get_args(hint) if part is not NoneType)
        return None if value is None else _read(base, value)
    if origin is tuple:
        return _read_list(get_args(hint)[0], value)
    if is_dataclass(hint):
        return _read_record(hint, value)
    return _read_name(hint, value) if issubclass(hint, StrEnum) else _read_scalar(hint, value)


def _read_list(hint: Any, value: object) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong_type("a list")
    entries = []
    for position, entry in enumerate(value):
        with at(f"[{position}]"):
            entries.append(_read(hint, entry))
    return tuple(entries)


def _read_record(record: Any, value: object) -> object:
    if not isinstance(value, Mapping):
        raise _wrong_type("a record")
    hints = _hints(record)
    for name in value:
        if name not in hints:
            raise RecipeError(str(name), "is not a field of this record")
    answers = {}
    for field in fields(record):
        with at(field.name):
            if field.name in value:
                answers[field.name] = _read(hints[field.name], value[field.name])
            elif not _has_default(field):
                raise RecipeError("", "is missing")
    return record(**answers)


@cache
def _hints(record: type) -> Mapping[str, Any]:
    return get_type_hints(record, include_extras=True)


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _read_name(names: type[StrEnum], value: object) -> StrEnum:
    if not isinstance(value, str):
        raise _wrong_type("text")
    if value not in [name.value for name in names]:
        raise RecipeError("", "must be one of %(choices)s", {"choices": ", ".join(names)})
    return names(value)


def _read_scalar(hint: type, value: object) -> object:
    if hint is str and isinstance(value, str):
        check_text(value)
        return str(value)
    if hint is bool and isinstance(value, bool):
        return value
    if hint in (int, float) and isinstance(value, int | float) and not isinstance(value, bool):
        if not abs(value) <= LARGEST_NUMBER or not math.isfinite(value):
            limits = {"low": -LARGEST_NUMBER, "high": LARGEST_NUMBER}
            raise RecipeError("", "must lie between %(low)s and %(high)s", limits)
        if hint is float or isinstance(value, int):
            return hint(value)
    raise _wrong_type({str: "text", bool: "true or false", int: "a whole number", float: "a number"}[hint])


def _wrong_type(expected: str) -> RecipeError:
    return RecipeError("", "must be %(expected)s", {"expected": expected})
