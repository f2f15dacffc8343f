"""What a file can be refused for: a stable code, an English sentence and the values that belong into it."""

from collections.abc import Mapping


def gettext_noop(message: str) -> str:
    """Mark a sentence for the message catalogue; the border that shows it translates it.

    Named like Django's marker so that the same extraction finds it; this package must not import Django.
    """
    return message


class Fault(ValueError):
    """Base of all refusals of a file. `message` is a constant template with %(name)s fields, `params` fills it."""

    def __init__(self, code: str, message: str, params: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.message = message
        self.params: dict[str, object] = dict(params or {})
        # Exactly the constructor's arguments, so that the fault survives the way between processes.
        super().__init__(code, message, self.params)

    def __str__(self) -> str:
        return self.message % self.params
