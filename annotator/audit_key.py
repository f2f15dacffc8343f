"""The key that seals the log."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def audit_key() -> bytes:
    """The sealing key, from the environment or from its file; it is never in the database."""
    if settings.AUDIT_KEY is not None:
        return bytes(settings.AUDIT_KEY)
    try:
        return bytes.fromhex(settings.AUDIT_KEY_FILE.read_text().strip())
    except FileNotFoundError:
        raise ImproperlyConfigured(
            "The audit key is missing. Put audit.key back from the key file that was written beside the backup,"
            " or, on a new installation, start Quorum once with `make run`."
        ) from None
