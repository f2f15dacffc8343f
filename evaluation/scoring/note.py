"""A remark in a report: an English sentence, which programs read, that a page can say in another language."""

from collections.abc import Callable, Mapping
from typing import Any, Self

Translate = Callable[[str], str]


class Note(str):
    """`message` is a constant template with %(name)s fields; a value that is a note too is a phrase of the program."""

    __slots__ = ("message", "params")

    message: str
    params: Mapping[str, Any]

    def __new__(cls, message: str, /, **params: Any) -> Self:
        made = super().__new__(cls, message % params if params else message)
        made.message, made.params = message, params
        return made

    def said(self, translate: Translate) -> str:
        """In another language, its phrases too."""
        sentence = translate(self.message)
        return (
            sentence % {name: said(value, translate) for name, value in self.params.items()}
            if self.params
            else sentence
        )


def said(value: Any, translate: Translate) -> Any:
    return value.said(translate) if isinstance(value, Note) else value


def kept(note: Any) -> Any:
    """As JSON holds it."""
    if not isinstance(note, Note):
        return note
    return {"message": note.message, "params": {name: kept(value) for name, value in note.params.items()}}


def restored(stored: Any) -> Any:
    """What was kept; a sentence that was kept as it is stays as it is."""
    if not isinstance(stored, dict):
        return stored
    return Note(stored["message"], **{name: restored(value) for name, value in stored["params"].items()})
