"""What the compiler says of the front end, and its own unit tests."""

import pytest

from tests.checks.commands import passes

CHECKS = {
    "tsc strict": ["npm", "run", "--silent", "check"],
    "front-end unit tests": ["npm", "test", "--silent"],
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_front_end_passes(name: str) -> None:
    passes(name, CHECKS[name])
