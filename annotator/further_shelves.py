"""What other apps put on the home page of a person, beside worklists and studies."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.models import User

    Shelf = dict[str, str]  # title, text, url and its label
    Shelves = Callable[[User], list[Shelf]]

_asked: "list[Shelves]" = []


def register_shelves(shelves: "Shelves") -> None:
    """Called once, by an app that is ready."""
    if shelves not in _asked:
        _asked.append(shelves)


def further_shelves(user: "User") -> "list[Shelf]":
    return [shelf for shelves in _asked for shelf in shelves(user)]
