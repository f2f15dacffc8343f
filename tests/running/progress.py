"""How far the first job of an installation has come, read from its database by another reader than our own."""

import contextlib
import sqlite3
import time
from collections.abc import Callable
from typing import NamedTuple

from tests.running.installation import Installation


class Progress(NamedTuple):
    state: str
    attempts: int
    assigned: int


def progress(installation: Installation) -> Progress:
    with _reading(installation) as connection:
        # A finished consensus asks for agreement to be measured: that is a second job.
        ((state, attempts),) = connection.execute("SELECT state, attempts FROM annotator_job ORDER BY id LIMIT 1")
    return Progress(state, attempts, *count(installation, "annotator_assignment"))


def count(installation: Installation, *tables: str) -> list[int]:
    """All of the same moment."""
    columns = ", ".join(f"(SELECT count(*) FROM {table})" for table in tables)
    with _reading(installation) as connection:
        (counts,) = connection.execute(f"SELECT {columns}")
    return list(counts)


def wait_for(installation: Installation, condition: Callable[[Progress], bool], seconds: float = 120) -> Progress:
    deadline = time.monotonic() + seconds
    while not condition(seen := progress(installation)):
        assert time.monotonic() < deadline, f"the job did not get there: {seen}"
        time.sleep(0.02)
    return seen


def _reading(installation: Installation) -> contextlib.closing[sqlite3.Connection]:
    return contextlib.closing(sqlite3.connect(installation.folder / "quorum.sqlite3", timeout=30))
