"""What can go wrong, in one family; every message names the file or address it is about."""

from __future__ import annotations


class QuorumError(Exception):
    """Base of all errors of this package."""


class Missing(QuorumError, LookupError):
    """The archive or the server does not hold what was asked for."""


class Damaged(QuorumError):
    """A file is not what its manifest says, or cannot be read."""


class Refused(QuorumError):
    """The server said no. `code` is stable and for programs, the message is a sentence."""

    def __init__(self, status: int, code: str, message: str, address: str) -> None:
        super().__init__(f"{address}: {message} ({status}, {code})")
        self.status = status
        self.code = code
        self.message = message
