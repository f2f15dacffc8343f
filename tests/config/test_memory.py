"""The collector leaves alone what the server has loaded: a look at all of it would fall into somebody's transaction."""

from pathlib import Path

import pytest

from tests.running.installation import Installation

LOOK = """
import gc, time
import config.wsgi
began = time.process_time()
gc.collect()
print(gc.get_freeze_count(), (time.process_time() - began) * 1000)
"""


@pytest.mark.xdist_group("processes")
def test_a_collection_in_the_server_takes_a_few_milliseconds(tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    (tmp_path / "static").mkdir()
    frozen, took_ms = installation.run(LOOK).split()
    assert int(frozen) > 100_000
    assert float(took_ms) < 20
