"""Which names of files from outside are followed, passed over or refused."""

import unicodedata
from collections.abc import Collection

_PICTURE_ENDINGS = (".nii.gz", ".nii", ".jpeg", ".jpg", ".png", ".bmp", ".tiff", ".tif", ".dcm")
_LEFT_BEHIND = frozenset({"__macosx", "thumbs.db", "desktop.ini"})


def is_left_behind(name: str) -> bool:
    """What desktops leave among files: dot files, `__MACOSX`, `Thumbs.db`, `desktop.ini`, and all below them."""
    return any(
        (part.startswith(".") and part not in (".", "..")) or part.casefold() in _LEFT_BEHIND
        for part in name.replace("\\", "/").split("/")
    )


def is_unsafe(name: str) -> bool:
    """Absolute, leaving its folder, empty, or with characters that no honest name has.

    A backslash separates as on Windows, because archives made there carry it.
    """
    path = name.replace("\\", "/")
    parts = path.split("/")
    return (
        not path.strip("/")
        or path.startswith("/")
        or path[1:2] == ":"
        or any(part in ("", ".", "..") for part in parts[:-1])
        or parts[-1] in (".", "..")
        or any(unicodedata.category(character) in ("Cc", "Cs") for character in name)
    )


def photographs_among(names: Collection[str]) -> frozenset[str]:
    """Of an archive that this program exported those in its folder `images`: what else is a picture there is a mask or
    a map, and no photograph. Of any other archive or folder all."""
    there = frozenset(names)
    for name in names:
        if name.rpartition("/")[2] == "manifest.json":
            enclosing = name.removesuffix("manifest.json")
            inside = frozenset(one for one in names if one.startswith(f"{enclosing}images/"))
            if inside and f"{enclosing}images.csv" in there:
                return inside
    return there


def without_ending(name: str) -> str:
    """The name without the ending of a picture file; another dot belongs to the name."""
    bare = name.casefold()
    ending = next((ending for ending in _PICTURE_ENDINGS if bare.endswith(ending) and len(bare) > len(ending)), "")
    return name[: len(name) - len(ending)]


def stem(name: str) -> str:
    """By which names of images are matched: without folders, picture ending and case."""
    return folded(without_ending(name)).rsplit("/", 1)[-1]


def folded(name: str) -> str:
    """The name as a file system that knows no case and no Unicode variants sees it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.replace("\\", "/")).casefold())
