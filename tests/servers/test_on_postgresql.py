"""The contract tests again, on a real PostgreSQL."""

import os
import re
import subprocess
import sys

from tests.running.installation import ROOT
from tests.servers.report import tell
from tests.servers.throwaway import postgresql


def test_the_contract_holds_on_postgresql() -> None:
    files = [str(file) for file in (ROOT / "tests").rglob("test_*.py") if "mark.contract" in file.read_text()]
    command = [sys.executable, "-m", "pytest", "-m", "contract", "-p", "no:cacheprovider", *files]
    with postgresql() as address:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
        variables |= {"QUORUM_DATABASE_URL": address}
        variables.pop("TEST_REPORT", None)
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.findall(r"(\d+) passed", done.stdout)
    tell(f"on PostgreSQL: {passed[-1]} contract tests passed")
