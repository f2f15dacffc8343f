"""How the log tells events that other apps record."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Sentence = Callable[[Mapping[str, Any]], str]

EVENT_WORDS: "dict[str, _StrPromise]" = {}
EVENT_SENTENCES: "dict[str, Sentence]" = {}
EVENT_FIELDS: "dict[str, _StrPromise]" = {}


def register_events(
    *, words: "Mapping[str, _StrPromise]", sentences: "Mapping[str, Sentence]", fields: "Mapping[str, _StrPromise]"
) -> None:
    """`words` name the kinds of event, `sentences` tell one from what was stored after it; called once, by an app that
    is ready."""
    EVENT_WORDS.update(words)
    EVENT_SENTENCES.update(sentences)
    EVENT_FIELDS.update(fields)
