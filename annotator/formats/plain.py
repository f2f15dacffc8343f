"""What JSON can carry."""

import math
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """The same with mappings and lists only; an undefined number is null."""
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
