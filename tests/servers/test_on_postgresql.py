"""The contract tests again, on a real PostgreSQL."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.servers.report import tell
from tests.servers.throwaway import postgresql


def test_the_contract_holds_on_postgresql(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-m", "contract", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with postgresql() as address:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
        variables |= {"QUORUM_DATABASE_URL": address}
        variables.pop("TEST_REPORT", None)
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.findall(r"(\d+) passed", done.stdout)
    tell(f"on PostgreSQL: {passed[-1]} contract tests passed")
