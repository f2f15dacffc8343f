"""Files that other apps keep beside the images, and that belong into a backup."""

from collections.abc import Callable, Container

KeptFiles = Callable[[], dict[str, str]]
"""By path below the data root, the SHA-256."""

_asked: dict[str, KeptFiles] = {}


def register_kept_files(table: str, files: KeptFiles) -> None:
    """Called once, by an app that is ready, with the table that knows the files. Such files are never changed."""
    _asked[table] = files


def kept_files(tables: Container[str]) -> dict[str, str]:
    """A backup before an upgrade is made while newer tables are not there yet: they know of no file."""
    known = [files for table, files in _asked.items() if table in tables]
    return {path: sha256 for files in known for path, sha256 in files().items()}
