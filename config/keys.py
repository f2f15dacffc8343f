"""Secrets that Quorum makes for itself on first start and keeps in files only the owner may read."""

import os
import secrets
from pathlib import Path

from config import env


def data_root(environment: env.Environment) -> Path:
    """Where everything that Quorum writes lives."""
    return environment.read("DATA_ROOT", env.directory, Path(__file__).resolve().parent.parent / "var")


def make_secret(path: Path, text: str) -> None:
    """Write a new secret; an existing file is never overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def read_secret(path: Path) -> str | None:
    return path.read_text().strip() if path.exists() else None


def make_missing_keys(data_root: Path) -> None:
    """Both keys: one signs sessions and links, the other seals the audit log."""
    make_secret(data_root / "secret.key", secrets.token_urlsafe(64))
    make_secret(data_root / "audit.key", secrets.token_hex(32))
