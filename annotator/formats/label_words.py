"""By which words files name the answers to a target."""

import re

from annotator.formats.file_names import folded
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
