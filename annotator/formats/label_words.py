"""By which words files name the answers to a target."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.formats.bad_mark import bad_mark
from annotator.formats.bad_shape import bad_shape
from annotator.formats.file_names import folded
from annotator.formats.marks import PRESENT, Wanted
from protocols.targets import Target


def option_key(target: Target, word: str) -> str | None:
    """An option by its key, its name or what the protocol's own files write."""
    written = folded(word.strip())
    for option in target.options:
        if written in (folded(option.key), folded(option.name), folded(option.file_value or option.key)):
            return option.key
    return None


def answer_key(target: Target, word: str) -> str | None:
    """One of the answers that take the place of a drawing or a label; blanks and underscores count as dashes."""
    written = re.sub(r"[\s_]+", "-", word.strip().casefold())
    return next((str(answer) for answer in target.answers if written == str(answer)), None)


def sign_key(target: Target, word: str) -> str | None:
    written = folded(word.strip())
    return next((sign.key for sign in target.signs if written in (folded(sign.key), folded(sign.name))), None)


@dataclass(frozen=True)
class Worded:
    """An answer in words: a label with its signs, or what is said instead of one."""

    target: str
    label: str = ""
    answer: str = PRESENT
    signs: tuple[str, ...] = ()


def worded(wanted: Wanted, called: str, words: Sequence[str], ticked: Sequence[str] = ()) -> Worded:
    """What `words` and ticked boxes say of the target that is `called` so; where no target is, they may be options of a
    single one. A Fault when they say nothing, or two things."""
    target = wanted.target(called)
    if target is None:
        asked = [one for one in wanted.targets if any(option_key(one, word) for word in words)]
        if len(asked) != 1:
            raise bad_mark("unknown_target", name=called)
        target = asked[0]
    options = {key for word in words if (key := option_key(target, word))}
    answers = {key for word in words if (key := answer_key(target, word))}
    if len(options) + len(answers) != 1:
        allowed = ", ".join((*(option.key for option in target.options), *target.answers)) or "–"
        raise bad_shape("not_one_answer", target=target.key, allowed=allowed)
    signs = (sign_key(target, word) for word in (*words, *ticked))
    found = tuple(dict.fromkeys(sign for sign in signs if sign))
    return Worded(target.key, next(iter(options), ""), next(iter(answers), PRESENT), found)
