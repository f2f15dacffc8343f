"""Subject, eye and position out of file names, by a pattern such as `{subject}_{eye}_{position}`.

The pattern describes the file's name without folders and ending. Everything outside the braces stands for itself, `*`
for anything. Nothing is guessed beyond the pattern: a name that does not fit gives nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from annotator.formats.fault import Fault, gettext_noop

_FIELDS = {"subject": r"(?P<subject>.+?)", "eye": r"(?P<eye>OD|OS|R|L)", "position": r"(?P<position>[0-9]{1,4})"}
_EYES = {"R": "R", "OD": "R", "L": "L", "OS": "L"}
_TOKEN = re.compile(r"\{(\w*)\}|(\*)|([^{}*]+)|([{}])")
MAX_PATTERN = 200
MAX_STARS = 3
"""Each star multiplies the time a hostile name takes to be refused."""


@dataclass(frozen=True)
class Guess:
    """What a file's name says."""

    subject: str
    eye: str | None
    position: int | None


class NamePattern:
    """A pattern, checked; a Fault says what is wrong with it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._expression = re.compile(_expression(pattern), re.IGNORECASE)

    def guess(self, name: str) -> Guess | None:
        """What the name of a file says, or None when it does not fit."""
        match = self._expression.fullmatch(PurePosixPath(name.replace("\\", "/")).stem[:255])
        if match is None:
            return None
        found = match.groupdict()
        eye, position = found.get("eye"), found.get("position")
        return Guess(
            subject=found["subject"].strip(),
            eye=_EYES[eye.upper()] if eye else None,
            position=int(position) if position else None,
        )

    def preview(self, names: Iterable[str]) -> Iterator[tuple[str, Guess | None]]:
        """Each name with its guess, to be looked at before it is used."""
        return ((name, self.guess(name)) for name in names)


def _expression(pattern: str) -> str:
    if len(pattern) > MAX_PATTERN:
        raise _unusable(gettext_noop("pattern is longer than %(limit)s characters"), limit=MAX_PATTERN)
    parts, seen = [], []
    for token in _TOKEN.finditer(pattern):
        field, star, literal, brace = token.groups()
        if brace:
            raise _unusable(gettext_noop("pattern has a single “%(brace)s”"), brace=brace)
        if field is not None and (field not in _FIELDS or field in seen):
            known = ", ".join(_FIELDS)
            message = gettext_noop("pattern names “%(field)s”; each of %(known)s may stand once")
            raise _unusable(message, field=field, known=known)
        if field is not None:
            seen.append(field)
        parts.append(_FIELDS[field] if field is not None else ".*?" if star else re.escape(literal))
    if "subject" not in seen:
        raise _unusable(gettext_noop("pattern must contain {subject}"))
    if parts.count(".*?") > MAX_STARS:
        raise _unusable(gettext_noop("pattern has more than %(limit)s stars"), limit=MAX_STARS)
    return "".join(parts)


def _unusable(message: str, **params: object) -> Fault:
    return Fault("bad_pattern", message, params)
