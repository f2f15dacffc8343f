"""Secrets that Quorum makes for itself on first start and keeps in files only the owner may read."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config import env


def data_root(environment: env.Environment) -> Path:
    """Where everything that Quorum writes lives."""
    return environment.read("DATA_ROOT", env.directory, Path(__file__).resolve().parent.parent / "var")


def make_secret(path: Path, text: str) -> None:
    """Write a new secret; an existing file is never overwritten."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the database lies beside it
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def read_secret(path: Path) -> str | None:
    """Nothing where there is no file; an empty or shortened file is refused, for every process would make its own."""
    if not path.exists():
        return None
    try:
        return env.secret(path.read_text().strip())
    except ValueError as fault:
        raise ImproperlyConfigured(f"The key in {path} {fault}. Put it back from a backup, or remove it.") from None


def make_missing_keys(data_root: Path) -> None:
    """Both keys: one signs sessions and links, the other seals the audit log."""
    make_secret(data_root / "secret.key", secrets.token_urlsafe(64))
    make_secret(data_root / "audit.key", secrets.token_hex(32))
