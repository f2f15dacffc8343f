"""Which program drew a split: a digest of the source of everything that draws one."""

import hashlib
from functools import cache
from pathlib import Path


@cache
def code_version() -> str:
    """Changes when another draw may come from the same seed, and only then."""
    digest = hashlib.sha256()
    for name in ("drawing.py", "ledger.py", "plan.py", "wishes.py"):
        digest.update(name.encode() + b"\0" + (Path(__file__).parent / name).read_bytes() + b"\0")
    return f"split-{digest.hexdigest()[:16]}"
