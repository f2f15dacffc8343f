"""The operator's guide lists every setting there is, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_setting_is_explained() -> None:
    source = "".join((ROOT / "config" / name).read_text() for name in ("settings.py", "keys.py"))
    settings = {f"QUORUM_{name}" for name in re.findall(r'environment\.read\(\s*"(\w+)"', source)}
    explained = set(re.findall(r"QUORUM_\w+", (ROOT / "docs" / "operator.md").read_text()))
    assert explained == settings
