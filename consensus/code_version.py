"""Which program computed something: a digest of the source of everything that takes part in it."""

import hashlib
from collections.abc import Sequence
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
def of_drawings() -> str:
    """Changes when drawings may be judged otherwise."""
    own = ("consensus/programme/drawing.py",)
    return version_of("drawings", "annotator/geometry", "consensus/fusion", also=own)


@cache
def of_splitting() -> str:
    """Changes when another draw may come from the same seed."""
    return version_of("split", "consensus/splitting")


@cache
def of_export() -> str:
    """Changes when other files may come from the same version."""
    packages = ("annotator/geometry", "annotator/formats", "consensus/fusion", "consensus/exporting")
    asked = ("consensus/selectors/export*.py", "consensus/services/archive*.py", "consensus/export_words.py")
    return version_of("export", *packages, also=(*asked, "consensus/manifest.py", "templates/consensus/export/*.txt"))


def version_of(name: str, *packages: str, also: Sequence[str] = ()) -> str:
    """Of the modules that lie directly in these packages, and of the other files that are named."""
    digest = hashlib.sha256()
    for pattern in (*(f"{package}/*.py" for package in packages), *also):
        for file in sorted(ROOT.glob(pattern)):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{name}-{digest.hexdigest()[:16]}"
