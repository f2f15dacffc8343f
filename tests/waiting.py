"""Patience: what a page shows in its next frame, or a process does a moment later, is waited for, not read at once."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE_SECONDS = 90.0  # on a busy machine; a test that passes does not wait
PAUSE_SECONDS = 0.03


def until(seen: Callable[[], Any], wanted: Any, *, seconds: float = PATIENCE_SECONDS) -> None:
    """Look again and again until it is so."""
    deadline = time.monotonic() + seconds
    while (found := seen()) != wanted and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
    assert found == wanted
