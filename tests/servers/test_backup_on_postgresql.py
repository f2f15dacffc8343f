"""A backup of an installation on PostgreSQL."""

import json
from pathlib import Path

from tests.running.installation import Installation
from tests.running.test_backup import FILL, TAKE_STOCK
from tests.servers.report import tell
from tests.servers.throwaway import postgresql


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
