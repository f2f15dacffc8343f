"""`make run`: bring the installation up to date, start the server and the worker, and stop both with Ctrl-C."""

import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError

from config import env
from config.children import Child, stop_all
from config.keys import data_root, make_missing_keys

MOST_DEATHS, DEATHS_WITHIN_SECONDS = 3, 60.0


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        make_missing_keys(data_root(env.Environment(os.environ)))
        import django

        django.setup()
        from django.conf import settings
    except ImproperlyConfigured as fault:
        print(f"Quorum cannot start: {fault}", file=sys.stderr)
        return 2
    if not _port_is_free(settings.BIND):
        print(f"Quorum cannot start: {settings.BIND} is in use. Set QUORUM_BIND to another host:port.", file=sys.stderr)
        return 2
    from config.upgrade import bring_up_to_date

    _make_broker(Path(settings.DATA_ROOT))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # until there is a server, it means the same as Ctrl-C
    try:
        bring_up_to_date()
    except KeyboardInterrupt:
        print("\nStopped. The next start goes on from here.", file=sys.stderr)
        return 130
    except OperationalError as fault:
        print(f"Quorum cannot start: the database does not answer: {fault}", file=sys.stderr)
        return 2
    return _serve(settings.BIND, settings.WEB_WORKERS)


def _make_broker(root: Path) -> None:
    """The folders of the embedded broker, before anybody rings."""
    for folder in ("broker", "broker-control"):
        (root / folder).mkdir(parents=True, exist_ok=True)


def _port_is_free(bind: str) -> bool:
    host, _, port = bind.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), int(port)))
        except OSError:
            return False
    return True


def _serve(bind: str, web_workers: int) -> int:
    stopping: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _frame: stopping.append(received))
    children = [Child("server", _gunicorn(bind, web_workers))]
    try:
        if _first_page_can_be_had(bind, children[0], stopping):
            # The worker comes second: on two cores it would keep the first page waiting.
            children.append(Child("worker", _celery()))
            _announce(bind)
        deaths: list[float] = []
        while not stopping:
            dead = next((child for child in children if not child.alive), None)
            if dead is children[0] or (dead is not None and not _may_begin_again(deaths)):
                print(f"The {dead.name} ended with status {dead.status}; stopping.", file=sys.stderr)
                return 1
            if dead is not None:
                # Readers shall not notice that a job was too large for the machine; its row tells where to go on.
                print(
                    f"The {dead.name} ended with status {dead.status}; starting it again.", file=sys.stderr, flush=True
                )
                dead.kill()
                children[1] = Child("worker", _celery())
            time.sleep(0.2)
        print("\nStopping…", flush=True)
    finally:
        stop_all(children, patience_seconds=2.0)
    return 0


def _may_begin_again(deaths: list[float]) -> bool:
    """Not if it dies as soon as it begins: somebody has to look at that."""
    now = time.monotonic()
    deaths.append(now)
    return sum(now - death < DEATHS_WITHIN_SECONDS for death in deaths) <= MOST_DEATHS


def _gunicorn(bind: str, workers: int) -> list[str]:
    return [
        *(sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", bind, "--workers", str(workers)),
        "--preload",  # loaded once and copied, not once for each process
        *("--worker-class", "gthread", "--threads", "4", "--timeout", "120", "--graceful-timeout", "3"),
        *("--log-level", "warning", "--worker-tmp-dir", "/dev/shm" if Path("/dev/shm").is_dir() else "/tmp"),  # noqa: S108
    ]


def _celery() -> list[str]:
    return [
        # Celery warns of the superuser; in a container that is who runs it, and the operator's guide says so.
        *(sys.executable, "-W", "ignore", "-m", "celery", "--app", "config", "--quiet"),
        *("worker", "--beat", "--concurrency", "1"),
        *("--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def _first_page_can_be_had(bind: str, server: Child, stopping: list[int]) -> bool:
    while not stopping and server.alive:
        try:
            with urllib.request.urlopen(f"http://{bind}/healthz", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    return False


def _announce(bind: str) -> None:
    from annotator.demo.people import sign_in_table

    print(f"\nQuorum is running at http://{bind}\n", flush=True)
    if table := sign_in_table():
        print(table, flush=True)
    print("Press Ctrl-C to stop.", flush=True)


if __name__ == "__main__":
    sys.exit(main())
