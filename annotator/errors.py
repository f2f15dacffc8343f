"""Refusals that a person can act on: a stable code, a sentence, and where it applies the field."""

from typing import Any


class DomainError(Exception):
    """Something asked for that the study's rules do not allow; nothing was changed."""

    status = 400

    def __init__(self, code: str, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = str(message)
        self.field = field

    def as_data(self) -> dict[str, Any]:
        body = {"code": self.code, "message": self.message}
        return body | ({"field": self.field} if self.field else {})


class Forbidden(DomainError):
    """The person may see the thing but not do this with it."""

    status = 403


class NotVisible(DomainError):
    """Said in the same words whether the thing does not exist or is not this person's to see."""

    status = 404


class Conflict(DomainError):
    """Somebody else changed it first, or it is no longer in the state that the request assumed."""

    status = 409


class TooMany(DomainError):
    """Asked too often; after a while it can be asked again."""

    status = 429


class StorageFull(DomainError):
    """The disk or the database has no room; what was saved before is safe."""

    status = 507


class TooLarge(DomainError):
    """More bytes than the server takes."""

    status = 413
