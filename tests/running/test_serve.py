"""`make run`'s server: starts, answers, and stops all it started within five seconds, also in mid-job."""

import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from tests.running.installation import Installation, ended, wait_until_served


@pytest.mark.xdist_group("processes")
def test_ctrl_c_stops_everything_within_five_seconds(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    with ended(installation.start("-m", "config.serve")) as process:
        wait_until_served(installation.address)
        with urllib.request.urlopen(f"{installation.address}/account/login/") as page:
            assert page.status == 200
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(20)
        took = time.monotonic() - began
    left = subprocess.run(["pgrep", "-f", str(installation.port)], capture_output=True, text=True).stdout
    assert (process.returncode, left) == (0, "")
    assert took < 5


@pytest.mark.xdist_group("processes")
def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    import socket

    installation = Installation(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", installation.port))
        taken.listen()
        with ended(installation.start("-m", "config.serve")) as process:
            process.wait(30)
            said = process.stdout.read() if process.stdout else ""
    assert process.returncode == 2
    assert said == (
        f"Quorum cannot start: 127.0.0.1:{installation.port} is in use. Set QUORUM_BIND to another host:port.\n"
    )
