"""Which program computed something: a digest of the source of everything that takes part in it."""

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def of_fusion() -> str:
    """Changes when another reference may come from the same readings, and only then."""
    return _version("fusion", "annotator/geometry", "consensus/fusion")


@cache
def of_agreement() -> str:
    return _version("agreement", "annotator/geometry", "consensus/fusion", "consensus/agreement")


@cache
def of_splitting() -> str:
    """Changes when another draw may come from the same seed."""
    return _version("split", "consensus/splitting")


def _version(name: str, *packages: str) -> str:
    digest = hashlib.sha256()
    for package in packages:
        for file in sorted((ROOT / package).glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{name}-{digest.hexdigest()[:16]}"
