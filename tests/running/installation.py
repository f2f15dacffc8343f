"""A real installation in a folder of its own: processes, files and database as an operator has them."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.servers.throwaway import free_port

ROOT = Path(__file__).resolve().parent.parent.parent


class Installation:
    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.port = free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("QUORUM_", "PYTEST_"))}
        own = {"QUORUM_DATA_ROOT": str(folder), "QUORUM_BIND": f"127.0.0.1:{self.port}", "QUORUM_DEMO": "0"}
        self.variables = clean | own | variables | {"DJANGO_SETTINGS_MODULE": "config.settings"}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin_with(self, database: Path) -> None:
        """With the tables that are in that file, as if they had been made here."""
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(database, self.folder / "quorum.sqlite3")

    def run(self, code: str) -> str:
        """Python code with Django set up, in a process of its own; what it printed."""
        setup = "import django; django.setup()\n"
        done = subprocess.run(
            [sys.executable, "-c", setup + code], env=self.variables, cwd=ROOT, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, env=self.variables, cwd=ROOT, capture_output=True, text=True)

    def start(self, *command: str, stdin: int | None = None) -> subprocess.Popen[str]:
        """A process group of its own, so that all of it can be ended."""
        return subprocess.Popen(
            [sys.executable, *command],
            env=self.variables,
            cwd=ROOT,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def start_worker(self) -> subprocess.Popen[str]:
        for folder in ("broker", "broker-control"):
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        plain = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")
        return self.start("-m", "celery", "--app", "config", "--quiet", "worker", "--concurrency", "1", *plain)

    def processes(self) -> dict[int, str]:
        """Process id → command of everything that works on this installation's data, whoever started it."""
        mark = f"QUORUM_DATA_ROOT={self.folder}\0".encode()
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has just ended, or belongs to somebody else
                if mark in (place / "environ").read_bytes():
                    found[int(place.name)] = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def kill(self) -> None:
        """`kill -9` of all of them at once."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def end(process: subprocess.Popen[str], number: signal.Signals = signal.SIGKILL) -> None:
    """End the whole group and wait for it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    process.wait(60)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


@contextlib.contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    try:
        yield process
    finally:
        end(process)


def wait_until_served(address: str, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/healthz", timeout=5):
            return
        time.sleep(0.1)
    raise TimeoutError(f"{address} does not answer")
