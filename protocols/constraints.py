"""Constraints that stand in the type hints of the vocabulary and are checked whenever a recipe is read from data."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from protocols.errors import RecipeError

LONGEST_TEXT = 2000


class Constraint(Protocol):
    """Something a value of a recipe must satisfy; raises a RecipeError relative to that value."""

    def check(self, value: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends belong to the range."""

    low: float
    high: float

    def check(self, value: object) -> None:
        if not isinstance(value, int | float) or not self.low <= value <= self.high:
            raise RecipeError("", "must lie between %(low)s and %(high)s", {"low": self.low, "high": self.high})


@dataclass(frozen=True, slots=True)
class Spelling:
    """A machine-readable name."""

    pattern: str

    def check(self, value: object) -> None:
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            raise RecipeError("", "must be a short name made of letters, digits, - and _")


@dataclass(frozen=True, slots=True)
class Filled:
    """Not empty: text a person reads, or a list that needs an entry."""

    def check(self, value: object) -> None:
        empty = not value.strip() if isinstance(value, str) else not value
        if empty:
            raise RecipeError("", "must not be empty")


@dataclass(frozen=True, slots=True)
class Distinct:
    """No two entries of a list are the same; records are told apart by their ``key``."""

    def check(self, value: object) -> None:
        if not isinstance(value, Sequence):
            return
        seen: set[object] = set()
        for position, entry in enumerate(value):
            identity = getattr(entry, "key", entry)
            if identity in seen:
                field = f"[{position}].key" if hasattr(entry, "key") else f"[{position}]"
                raise RecipeError(field, "is used twice: %(name)s", {"name": identity})
            seen.add(identity)


@dataclass(frozen=True, slots=True)
class Brief:
    """Text of a word or two, which may be empty."""

    limit: int

    def check(self, value: object) -> None:
        if not isinstance(value, str) or len(value) > self.limit:
            raise RecipeError("", "must not be longer than %(limit)s characters", {"limit": self.limit})


def check_text(value: str) -> None:
    """Refuse what no database or file can be trusted to keep: control characters, lone surrogates, very long text."""
    if len(value) > LONGEST_TEXT:
        raise RecipeError("", "must not be longer than %(limit)s characters", {"limit": LONGEST_TEXT})
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in value):
        raise RecipeError("", "must not contain control characters")


Key = Annotated[str, Spelling(r"[a-z][a-z0-9_]{0,39}")]
LabelKey = Annotated[str, Spelling(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")]
Text = Annotated[str, Filled()]  # read by people: an English msgid
Specialty = Annotated[str, Brief(60)]  # what an adjudicator's must be called too, in whatever case
Count = Annotated[int, Range(1, 100_000_000)]
Share = Annotated[float, Range(0, 1)]
Positive = Annotated[float, Range(1e-9, 1e9)]
