"""The one error of this package: it names the field of the recipe that is wrong."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager


class RecipeError(ValueError):
    """A recipe that cannot be used.

    ``field`` is a dotted path such as ``targets[1].consensus.rule`` (empty: the recipe as a whole); ``message`` is a
    constant English template with named parameters, so that a caller can translate it before filling it in.
    """

    def __init__(self, field: str, message: str, params: Mapping[str, object] | None = None) -> None:
        super().__init__(field, message, params)
        self.field = field
        self.message = message
        self.params = dict(params or {})

    def __str__(self) -> str:
        return f"{self.field or 'recipe'}: {self.message % self.params}"

    def inside(self, prefix: str) -> "RecipeError":
        """The same error as seen from the record that holds this one at ``prefix``."""
        return RecipeError(joined(prefix, self.field), self.message, self.params)


def joined(prefix: str, field: str) -> str:
    """``targets`` + ``[1].key`` → ``targets[1].key``; ``readers`` + ``plan`` → ``readers.plan``."""
    separator = "." if prefix and field and not field.startswith("[") else ""
    return f"{prefix}{separator}{field}"


@contextmanager
def at(prefix: str) -> Iterator[None]:
    """Prefix the path of any RecipeError that leaves the block."""
    try:
        yield
    except RecipeError as error:
        raise error.inside(prefix) from None


def require_name(field: str, name: str | None, known: Collection[str]) -> None:
    """Refuse a name that points nowhere; None points nowhere on purpose."""
    if name is not None and name not in known:
        raise RecipeError(field, "must be one of %(choices)s", {"choices": ", ".join(sorted(known))})
