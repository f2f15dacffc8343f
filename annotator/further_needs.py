"""What other apps have to say where a study shows what needs attention."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.models import Study, User

    Need = dict[str, str]  # words, url and tone; tone “done”: nothing waits, but there is something to see
    Needs = Callable[[User, Sequence[Study]], dict[int, list[Need]]]

_asked: "list[Needs]" = []


def register_needs(needs: "Needs") -> None:
    """`needs` tells by study (row number) what waits for this person; called once, by an app that is ready."""
    if needs not in _asked:
        _asked.append(needs)


def further_needs(user: "User", studies: "Sequence[Study]") -> "dict[int, list[Need]]":
    found: dict[int, list[Need]] = {}
    for needs in _asked:
        for study, told in needs(user, studies).items():
            found.setdefault(study, []).extend(told)
    return found
