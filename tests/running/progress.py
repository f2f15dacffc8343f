"""How far the only job of an installation has come, read from its database by another reader than our own."""

import contextlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.running.installation import Installation


class Progress(NamedTuple):
    state: str
    attempts: int
    assigned: int


def progress(installation: Installation) -> Progress:
    database: Path = installation.folder / "quorum.sqlite3"
    with contextlib.closing(sqlite3.connect(database, timeout=30)) as connection:
        ((state, attempts),) = connection.execute("SELECT state, attempts FROM annotator_job")
        ((assigned,),) = connection.execute("SELECT count(*) FROM annotator_assignment")
    return Progress(state, attempts, assigned)


def wait_for(installation: Installation, condition: Callable[[Progress], bool], seconds: float = 120) -> Progress:
    deadline = time.monotonic() + seconds
    while not condition(seen := progress(installation)):
        assert time.monotonic() < deadline, f"the job did not get there: {seen}"
        time.sleep(0.02)
    return seen
