"""One writer at a time across processes and threads, in the order in which they came.

SQLite lets writers collide and sleep for random times, which doubles the slowest saves. Here a writer first takes
the *door*, then the *room*, then frees the door. Whoever has just left the room must queue at the door again, so a bulk
job that commits in chunks cannot overtake a grader's save that is already waiting. The kernel frees both locks when a
process dies.
"""

import fcntl
import logging
import os
import time
from pathlib import Path

LONG_TURN_SECONDS = 0.1  # what our own transactions stay below
VERY_LONG_TURN_SECONDS = 1.0  # what an operator should know of
SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.0002, 0.001  # a save is done within the first few, a bulk job is not

logger = logging.getLogger("quorum.database")


class TurnTimeoutError(Exception):
    """Another writer kept the room for longer than the waiting limit."""


class WriteTurn:
    def __init__(self, database: str, patience_seconds: float = 30.0) -> None:
        self._files = [self._open(f"{database}.{name}-lock") for name in ("door", "room")]
        self._patience_seconds = patience_seconds
        self._began: float | None = None

    @staticmethod
    def _open(path: str) -> int:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def take(self) -> None:
        if self._began is not None:
            return
        door, room = self._files
        fcntl.flock(door, fcntl.LOCK_EX)
        try:
            self._enter(room)
        finally:
            fcntl.flock(door, fcntl.LOCK_UN)
        self._began = time.monotonic()

    def _enter(self, room: int) -> None:
        deadline, pause = time.monotonic() + self._patience_seconds, SHORTEST_PAUSE_SECONDS
        while True:
            try:
                fcntl.flock(room, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise TurnTimeoutError from None
                time.sleep(pause)
                pause = min(1.2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                return

    def give_back(self) -> None:
        if self._began is None:
            return
        held = time.monotonic() - self._began
        self._began = None
        fcntl.flock(self._files[1], fcntl.LOCK_UN)
        if held > LONG_TURN_SECONDS:
            level = logging.WARNING if held > VERY_LONG_TURN_SECONDS else logging.DEBUG
            logger.log(level, "a write transaction held the database for %d ms", held * 1000)

    def close(self) -> None:
        self.give_back()
        for file in self._files:
            os.close(file)
