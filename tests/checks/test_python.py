"""What the tools say of the Python sources."""

import sys

import pytest

from tests.checks.commands import passes

PYTHON = sys.executable
CHECKS = {
    "ruff": [PYTHON, "-m", "ruff", "check", "."],
    "ruff format": [PYTHON, "-m", "ruff", "format", "--check", "--quiet", "."],
    "mypy strict": [PYTHON, "-m", "mypy", "."],
    "migrations complete": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run", "--skip-checks"],
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_sources_pass(name: str) -> None:
    passes(name, CHECKS[name])
