"""Files in a folder on the server."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotator.formats.bad_archive import BadArchive, bad_archive
from annotator.formats.file_names import is_left_behind, is_unsafe


@dataclass(frozen=True)
class FolderFile:
    """A plain file: its name relative to the folder, with `/`, and its path."""

    name: str
    path: Path


def folder_files(root: Path) -> Iterator[FolderFile | BadArchive]:
    """Every file below `root`, sorted by name within each folder; what is not followed is yielded as a refusal.

    Links are never followed: not to files, because what they show may change or lie outside, and not to folders.
    """
    yield from _walk(root, "")


def _walk(folder: Path, prefix: str) -> Iterator[FolderFile | BadArchive]:
    with os.scandir(folder) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        name = prefix + entry.name
        if is_left_behind(entry.name):
            continue
        if is_unsafe(entry.name) or "\\" in entry.name:
            yield bad_archive("bad_name", member=name.encode("utf-8", "backslashreplace").decode())
        elif entry.is_symlink():
            yield bad_archive("symlink", member=name)
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), name + "/")
        elif entry.is_file(follow_symlinks=False):
            yield FolderFile(name, Path(entry.path))
        else:
            yield bad_archive("not_regular", member=name)
