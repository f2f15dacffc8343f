"""Files that other apps keep beside the images, and that belong into a backup."""

from collections.abc import Callable

KeptFiles = Callable[[], dict[str, str]]
"""By path below the data root, the SHA-256."""

_asked: list[KeptFiles] = []


def register_kept_files(files: KeptFiles) -> None:
    """Called once, by an app that is ready. Such files are never changed."""
    if files not in _asked:
        _asked.append(files)


def kept_files() -> dict[str, str]:
    return {path: sha256 for files in _asked for path, sha256 in files().items()}
