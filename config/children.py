"""Child processes that never outlive their parent."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1


class Child:
    """A process in a group of its own, so that Ctrl-C reaches only the parent, which then stops it in order."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self._process = subprocess.Popen(command, start_new_session=True, preexec_fn=_die_with_parent)  # noqa: S603

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def status(self) -> int | None:
        return self._process.returncode

    def ask_to_stop(self) -> None:
        """Only the process itself: it stops its own children in order."""
        self._process.terminate()

    def kill(self) -> None:
        """The whole group, whatever is left of it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def stop_all(children: list[Child], patience_seconds: float) -> None:
    """Ask politely, then insist. A job cut off in its middle is found by its row and done again at the next start."""
    for child in children:
        child.ask_to_stop()
    deadline = time.monotonic() + patience_seconds
    while time.monotonic() < deadline and any(child.alive for child in children):
        time.sleep(0.05)
    for child in children:
        child.kill()
