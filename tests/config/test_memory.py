"""The collector leaves alone what the server has loaded: a look at all of it would fall into somebody's transaction."""

from pathlib import Path

from tests.running.installation import Installation

LOOK = """
import gc
import config.wsgi
gc.collect()
print(gc.get_freeze_count(), len(gc.get_objects()))
"""


def test_a_collection_in_the_server_looks_at_almost_nothing(tmp_path: Path) -> None:
    installation = Installation(tmp_path, QUORUM_AUDIT_KEY="5e" * 32)
    (tmp_path / "static").mkdir()
    frozen, looked_at = map(int, installation.run(LOOK).split())
    assert frozen > 100_000
    assert looked_at < frozen / 50
