"""JSON from elsewhere, within limits: what is read takes less than a gigabyte whatever the file claims.

The values are counted before anything is decoded, because a list of empty lists takes twenty times its bytes. What was
decoded is taken apart by the functions below, which refuse what is of another kind.
"""

import json
import math
import unicodedata
from collections.abc import Sequence
from typing import Any

from annotator.formats.bad_shape import bad_shape
from annotator.geometry.ellipse import LARGEST_PX

MAX_JSON_BYTES = 64 * 1024 * 1024  # as text up to four times as many
MAX_VALUES = 12_000_000
MAX_LISTS = 1_000_000
MAX_TEXTS = 3_000_000  # keys too
MAX_NAME = 500
Entry = dict[str, Any]


def read_json(data: bytes) -> Any:
    if len(data) > MAX_JSON_BYTES:
        raise bad_shape("too_large", limit=MAX_JSON_BYTES)
    if data.count(b",") > MAX_VALUES:
        raise bad_shape("too_full", limit=MAX_VALUES)
    if data.count(b'"') > 2 * MAX_TEXTS:
        raise bad_shape("too_full", limit=MAX_TEXTS)
    if data.count(b"[") + data.count(b"{") > MAX_LISTS:
        raise bad_shape("too_full", limit=MAX_LISTS)
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise bad_shape("not_json", detail=str(error)[:200] or type(error).__name__) from None


def entry(value: Any, field: str) -> Entry:
    if not isinstance(value, dict):
        raise bad_shape("bad_field", field=field)
    return value


def listed(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise bad_shape("bad_field", field=field)
    return value


def number(value: Any, field: str) -> float:
    """A finite number of a size that pictures have."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST_PX <= value <= LARGEST_PX:
        raise bad_shape("bad_number", field=field)
    return float(value)


def whole(value: Any, field: str, *, least: int = 0) -> int:
    """A whole number, also one written as 12.0."""
    found = number(value, field)
    if found != math.floor(found) or found < least:
        raise bad_shape("bad_number", field=field)
    return int(found)


def name(value: Any, field: str) -> str:
    """Text that can be shown and stored; a number may stand for it."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18 else value
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_NAME:
        raise bad_shape("bad_name", field=field)
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise bad_shape("bad_name", field=field)
    return text.strip()


def shown(value: Any, otherwise: int) -> str:
    """How an entry is called in a table of refusals: by the number it has, else by its place from 1 on."""
    try:
        return name(value, "id")
    except ValueError:
        return f"#{otherwise}"


def pairs(values: Sequence[Any], field: str) -> list[tuple[float, float]]:
    """x and y from one flat list."""
    numbers = [number(value, field) for value in values]
    if len(numbers) % 2:
        raise bad_shape("odd_numbers", count=len(numbers))
    return list(zip(numbers[::2], numbers[1::2], strict=True))
