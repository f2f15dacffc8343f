"""The real server, started again and again without the seconds that Python and Django take to load.

    python -m tests.running.nursery

Loads everything once, then forks a server for each line it is given and says its process id.
"""

import contextlib
import importlib
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.running.installation import Installation, ended


class Nursery:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @contextlib.contextmanager
    def server(self) -> Iterator[int]:
        """A server of its own process group, which `kill -9` ends at the latest when the block does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("one more\n")
        self._process.stdin.flush()
        group = int(self._process.stdout.readline())
        try:
            yield group
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)


@contextlib.contextmanager
def nursery(installation: Installation) -> Iterator[Nursery]:
    with ended(installation.start("-m", "tests.running.nursery", stdin=subprocess.PIPE)) as process:
        yield Nursery(process)


def main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from config.children import _die_with_parent
    from config.serve import _gunicorn

    settings.STATIC_ROOT.mkdir(exist_ok=True)  # its absence is warned of
    for module in ("config.wsgi", "gunicorn.app.wsgiapp"):
        importlib.import_module(module)

    command = _gunicorn(settings.BIND, settings.WEB_WORKERS)
    for _line in sys.stdin:
        child = os.fork()
        if child == 0:
            os.setsid()
            _die_with_parent()
            sys.argv = command[2:]
            runpy.run_module("gunicorn", run_name="__main__")
        print(child, flush=True)
        os.waitpid(child, 0)
        _wait_for_port(settings.BIND)


def _wait_for_port(bind: str) -> None:
    """The workers of a server that was killed die a moment after it, and until then they listen."""
    host, _colon, port = bind.rpartition(":")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                door.bind((host, int(port)))
            except OSError:
                time.sleep(0.005)
            else:
                return


if __name__ == "__main__":
    main()
