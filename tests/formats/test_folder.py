"""Folders on the server."""

import os
from pathlib import Path

from annotator.formats.bad_archive import BadArchive
from annotator.formats.folder import FolderFile, folder_files


def listing(root: Path) -> list[str]:
    return [
        found.name if isinstance(found, FolderFile) else f"{found.code}: {found.params['member']}"
        for found in folder_files(root)
    ]


def test_files_come_sorted_with_their_folders(tmp_path: Path) -> None:
    for name in ("b.jpg", "a/2.jpg", "a/10.jpg", "c/d/e.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert listing(tmp_path) == ["a/10.jpg", "a/2.jpg", "b.jpg", "c/d/e.png"]


def test_links_and_pipes_are_reported_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.jpg").touch()
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "folder").symlink_to(outside)
    (inside / "file.jpg").symlink_to(outside / "secret.jpg")
    os.mkfifo(inside / "pipe")
    assert listing(inside) == ["symlink: file.jpg", "symlink: folder", "not_regular: pipe"]


def test_what_desktops_leave_behind_is_passed_over(tmp_path: Path) -> None:
    for name in (".DS_Store", "Thumbs.db", "a.jpg"):
        (tmp_path / name).touch()
    (tmp_path / "__MACOSX").mkdir()
    assert listing(tmp_path) == ["a.jpg"]


def test_a_name_that_is_no_text_is_reported_in_readable_form(tmp_path: Path) -> None:
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jpg"))).touch()
    (found,) = folder_files(tmp_path)
    assert isinstance(found, BadArchive)
    assert str(found).encode("utf-8").startswith("“caf".encode())
