"""What other apps have to say on a study's first page: not that something waits, but that something holds."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.models import Study, User

    Fact = dict[str, str]  # words, tone, url and its label, as the component of a notice takes them
    Facts = Callable[[User, Study], list[Fact]]

_asked: "list[Facts]" = []


def register_facts(facts: "Facts") -> None:
    """Called once, by an app that is ready."""
    if facts not in _asked:
        _asked.append(facts)


def further_facts(user: "User", study: "Study") -> "list[Fact]":
    return [fact for facts in _asked for fact in facts(user, study)]
