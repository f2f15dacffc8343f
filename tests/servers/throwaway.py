"""PostgreSQL and Redis servers that live for one test, on free ports, with their files in a folder that is removed."""

import contextlib
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers.binaries import program


def free_port() -> int:
    """Below those that the system hands out by itself, so that nobody is given it before the server listens."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)  # not from `random`, which has the same seed in every worker
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def _wait_for(port: int, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise TimeoutError("the server does not answer")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database. PostgreSQL refuses to run as root, so root starts it as `postgres`."""
    folder = Path(tempfile.mkdtemp(prefix="quorum-postgresql-"))
    as_owner: list[str] = []
    if os.geteuid() == 0:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        as_owner = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]
    initdb = program("PostgreSQL")
    data, port = folder / "data", free_port()
    make = [*as_owner, initdb, "-D", str(data), "-U", "quorum", "--auth=trust", "--no-sync", "-E", "UTF8"]
    subprocess.run(make, check=True, capture_output=True, cwd=folder)
    serve = [str(Path(initdb).with_name("postgres")), "-D", str(data), "-p", str(port), "-k", str(folder), "-F"]
    process = subprocess.Popen([*as_owner, *serve], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        _wait_for(port, process)
        yield f"postgresql://quorum@127.0.0.1:{port}/postgres"
    finally:
        _stop(process)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="quorum-redis-")
    port = free_port()
    command = [program("Redis"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        _stop(process)
        shutil.rmtree(folder, ignore_errors=True)
