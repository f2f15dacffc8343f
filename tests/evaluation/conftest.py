from pathlib import Path

import pytest

from tests.evaluation.challenge_files import Challenge


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    return Challenge(tmp_path)
