"""Checks that are programs of their own: run as tests, beside all others, so that pytest counts and shows them too."""

import subprocess
from pathlib import Path

from tests.servers.report import tell

ROOT = Path(__file__).resolve().parents[2]


def passes(name: str, command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-20_000:]}{done.stderr[-5_000:]}"
    tell(name)
