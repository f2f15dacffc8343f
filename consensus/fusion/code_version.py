"""Which program made a reference: a digest of the source of everything that computes one."""

import hashlib
from functools import cache
from pathlib import Path

import annotator.geometry
import consensus.fusion


@cache
def code_version() -> str:
    """Changes when the arithmetic may have changed, and only then."""
    digest = hashlib.sha256()
    for package in (annotator.geometry, consensus.fusion):
        folder = Path(package.__path__[0])
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"fusion-{digest.hexdigest()[:16]}"
