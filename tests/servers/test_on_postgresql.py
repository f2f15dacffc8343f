"""The contract tests again, on a real PostgreSQL."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running.installation import Installation
from tests.running.test_backup import FILL, TAKE_STOCK
from tests.servers.report import tell
from tests.servers.throwaway import postgresql


def test_the_contract_holds_on_postgresql() -> None:
    command = [sys.executable, "-m", "pytest", "-m", "contract", "-p", "no:cacheprovider"]
    with postgresql() as address:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
        variables |= {"QUORUM_DATABASE_URL": address}
        variables.pop("TEST_REPORT", None)
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.findall(r"(\d+) passed", done.stdout)
    tell(f"on PostgreSQL: {passed[-1]} contract tests passed")


@pytest.mark.xdist_group("processes")
def test_a_backup_of_postgresql_is_restored_into_another(tmp_path: Path) -> None:
    keys = {"QUORUM_AUDIT_KEY": "5e" * 32}
    backup = tmp_path / "quorum.tar"
    with postgresql() as first_address, postgresql() as second_address:
        first = Installation(tmp_path / "first", QUORUM_DATABASE_URL=first_address, **keys)
        first.manage("migrate", "-v0")
        first.run(FILL)
        made = first.manage("backup", str(backup))
        second = Installation(tmp_path / "second", QUORUM_DATABASE_URL=second_address, **keys)
        restored = second.manage("restore", str(backup))
        assert (made.returncode, restored.returncode) == (0, 0), made.stderr + restored.stderr
        assert json.loads(second.run(TAKE_STOCK)) == json.loads(first.run(TAKE_STOCK))
    tell("on PostgreSQL: a backup restored into another server, log whole")
