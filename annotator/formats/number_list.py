"""A JSON file that holds one list of numbers, or of yes and no, as the containers of a challenge write it."""

import json
import math
from collections.abc import Callable
from typing import Any, TypeVar

from annotator.formats.fault import Fault, gettext_noop

MAX_LIST_BYTES = 16 * 1024 * 1024
MESSAGES = {
    "too_large": gettext_noop("The list has more than %(limit)s bytes."),
    "not_json": gettext_noop("The file is not JSON: %(detail)s."),
    "not_a_list": gettext_noop("The file holds no list."),
    "bad_entry": gettext_noop("Entry %(place)s of the list, “%(value)s”, is not %(expected)s."),
}
Entry = TypeVar("Entry")


class BadList(Fault):
    """Entries are counted from 1."""


def bad_list(code: str, **params: object) -> BadList:
    return BadList(code, MESSAGES[code], params)


def read_numbers(data: bytes, low: float | None = None, high: float | None = None) -> list[float]:
    """Finite numbers within the limits."""
    least = -math.inf if low is None else low
    most = math.inf if high is None else high

    def number(entry: Any) -> float | None:
        if isinstance(entry, bool) or not isinstance(entry, int | float):
            return None
        try:
            value = float(entry)
        except OverflowError:  # a whole number beyond all floating point
            return None
        return value if math.isfinite(value) and least <= value <= most else None

    limits = "" if low is None and high is None else f" between {low} and {high}"
    return _entries(data, number, f"a finite number{limits}")


def read_flags(data: bytes) -> list[bool]:
    """true or false, 1 or 0."""
    return _entries(data, lambda entry: bool(entry) if entry in (True, False) else None, "true or false")


def _entries(data: bytes, read: Callable[[Any], Entry | None], expected: str) -> list[Entry]:
    if len(data) > MAX_LIST_BYTES:
        raise bad_list("too_large", limit=MAX_LIST_BYTES)
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise bad_list("not_json", detail=str(error) or type(error).__name__) from None
    if not isinstance(found, list):
        raise bad_list("not_a_list")
    entries = []
    for place, entry in enumerate(found, start=1):
        value = read(entry)
        if value is None:
            raise bad_list("bad_entry", place=place, value=str(entry)[:60], expected=expected)
        entries.append(value)
    return entries
