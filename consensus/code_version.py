"""Which program computed something: a digest of the source of everything that takes part in it."""

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def of_fusion() -> str:
    """Changes when another reference may come from the same readings, and only then."""
    return version_of("fusion", "annotator/geometry", "consensus/fusion")


@cache
def of_agreement() -> str:
    return version_of("agreement", "annotator/geometry", "consensus/fusion", "consensus/agreement")


@cache
def of_splitting() -> str:
    """Changes when another draw may come from the same seed."""
    return version_of("split", "consensus/splitting")


@cache
def of_export() -> str:
    """Changes when other files may come from the same version."""
    return version_of("export", "annotator/geometry", "annotator/formats", "consensus/fusion", "consensus/exporting")


def version_of(name: str, *packages: str) -> str:
    """Of the modules that lie directly in these packages."""
    digest = hashlib.sha256()
    for package in packages:
        for file in sorted((ROOT / package).glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{name}-{digest.hexdigest()[:16]}"
